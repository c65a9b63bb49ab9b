import { describe, expect, test } from 'vitest';
import type { JournalRecord } from '../record/fact.ts';
import { findStep } from './find-step.ts';
import { command, definitionOf, end, to, work } from '../testing/definitions.ts';
import { TestedRun } from '../testing/tested-run.ts';

/** talk, build, talk, build. */
function twice(): TestedRun {
  const states = [
    work('talk', command(), { transitions: [to('build')] }),
    work('build', command(), { transitions: [to('talk')] }),
    work('issue#7', command(), { transitions: [to('stop')] }),
    end(),
  ];
  const run = new TestedRun(definitionOf(states));
  for (const task of ['t1', 't2', 't3']) run.done(task);
  return run;
}

const seqOf = (text: string) => {
  const found = findStep(twice().records, text);
  return found.ok ? found.seq : `${found.message} ${found.hint}`;
};

const entered = (state: string, visit: number) =>
  twice().records.find(({ fact }) => fact.kind === 'state.entered' && fact.state === state && fact.visit === visit)
    ?.seq;

describe('[FO4] a step by the names people use for it', () => {
  test('a number is a record', () => {
    expect([seqOf('1'), seqOf('5'), seqOf('007')]).toEqual([1, 5, 7]);
  });

  test('the start and the end', () => {
    expect([seqOf('start'), seqOf('end'), seqOf('last')]).toEqual([1, twice().records.length, twice().records.length]);
    expect(findStep([], 'end')).toEqual({ ok: true, seq: 0 });
  });

  test('a state is its last entry, with a number behind it that one', () => {
    expect(seqOf('talk')).toBe(entered('talk', 2));
    expect(seqOf('talk#1')).toBe(entered('talk', 1));
    expect(seqOf('build#2')).toBe(entered('build', 2));
  });

  test.for(['0', '99', '-1', '1.5', 'tlak', 'talk#3', 'talk#', '#1', '', 'constructor'])(
    '%j is none, and the person hears what there is',
    (text) => {
      expect(seqOf(text)).toMatch(/^(There is no record|The run never was at)/);
    },
  );

  test('an unknown step is refused with a list of the records or states that exist', () => {
    expect(seqOf('99')).toContain(`records 1 to ${twice().records.length}.`);
    expect(seqOf('tlak')).toContain('It was at: talk, build.');
  });

  test('a state whose own name has a number sign is found', () => {
    const records = [
      { seq: 1, at: 0, fact: { kind: 'state.entered', state: 'issue#7', visit: 1, from: null, patch: null } },
    ] as const;
    expect(findStep(records, 'issue#7')).toEqual({ ok: true, seq: 1 });
  });

  const unit = (seq: number, task: string, name: string) =>
    ({
      seq,
      at: 0,
      fact: {
        kind: 'task.started',
        task,
        state: 'phases',
        pool: 't1',
        unit: name,
        work: { kind: 'pool' },
        deadline: null,
      },
    }) as unknown as JournalRecord;
  const over = (seq: number, task: string) =>
    ({
      seq,
      at: 0,
      fact: { kind: 'task.ended', task, outcome: 'ok', output: null, failure: null },
    }) as unknown as JournalRecord;

  test('[PH7] a phase is the record at which it started, its end the one at which it ended', () => {
    const records = [
      unit(1, 't2', 'plan'),
      over(2, 't2'),
      unit(3, 't3', 'build'),
      unit(4, 't4', 'plan'),
      over(5, 't4'),
    ];
    const found = ['plan', 'plan#1', 'build', 'plan:end', 'plan#1:end'].map((text) => findStep(records, text));
    expect(found.map((one) => (one.ok ? one.seq : null))).toEqual([4, 1, 3, 5, 2]);
    expect(findStep(records, 'build:end').ok).toBe(false);
    expect(findStep(records, 'paln')).toMatchObject({
      hint: expect.stringContaining('It was at: plan, build.') as string,
    });
  });
});
