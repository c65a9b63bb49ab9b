import { describe, expect, test } from 'vitest';
import { applyFact } from './apply.ts';
import { isFault } from '../model/fault.ts';
import type { Fact, JournalRecord } from '../record/fact.ts';
import { applyRecord, foldOn, foldRecords } from './fold.ts';
import { taskId } from '../model/ids.ts';
import { addTo } from '../testing/expressions.ts';
import { ask, command, definitionOf, end, fixed, pool, route, to, work } from '../testing/definitions.ts';
import { plainSnapshot } from '../testing/plain-snapshot.ts';
import { call, failure, TestedRun } from '../testing/tested-run.ts';

/** A run that meets most kinds of facts on its way. */
function eventful(): TestedRun {
  const states = [
    route('start', [to('talk', null, addTo('n', 1))], addTo('n', 1)),
    work('talk', ask('coder'), { transitions: [to('many')], timeoutMs: 5000 }),
    work('many', pool(fixed({ a: [], b: ['a'], c: [] })), { on: { failed: [to('stop')] } }),
    end('stop', 'ok'),
  ];
  const run = new TestedRun(
    definitionOf(states, { data: { n: 0 }, parsingTools: ['verdict'], limits: { tokens: 25 } }),
  );
  run.fails('t1', failure('server'));
  run.timer('t1/retry', 3000);
  run.says('t1', 'hm', { toolCalls: [call('c1', 'grep')], costUsd: 0.25 });
  run.toolReturns('t1', 'c1');
  run.says('t1', '', { toolCalls: [call('p1', 'verdict')], rejected: { p1: 'no.' } });
  run.says('t1', 'done', { toolCalls: [call('p2', 'verdict', { ok: true })] });
  run.breaks('t3');
  run.done('t4', [1]);
  return run;
}

const codeOf = (act: () => unknown): unknown => {
  try {
    act();
    return 'nothing was thrown';
  } catch (error) {
    return isFault(error) ? error.code : error;
  }
};

describe('folding a journal', () => {
  test('[L2] gives the very snapshot that the interpreter left off with', () => {
    const run = eventful();
    expect(run.snapshot.status).toBe('settled');
    expect(plainSnapshot(foldRecords(run.records))).toEqual(plainSnapshot(run.snapshot));
    expect(new Set(run.facts.map((fact) => fact.kind)).size).toBeGreaterThan(11);
  });

  test('[L2] every prefix can be folded, and the rest on top of it gives the same end', () => {
    const { records } = eventful();
    const whole = plainSnapshot(foldRecords(records));
    for (let cut = 1; cut < records.length; cut += 1) {
      const first = foldRecords(records.slice(0, cut));
      expect(first.seq).toBe(cut);
      expect(plainSnapshot(records.slice(cut).reduce(applyRecord, first))).toEqual(whole);
      expect(plainSnapshot(foldOn(first, records.slice(cut)))).toEqual(whole);
      expect(plainSnapshot(first)).toEqual(plainSnapshot(foldRecords(records.slice(0, cut))));
    }
  });

  test('[L2] records written as JSON and read back fold the same', () => {
    const { records } = eventful();
    const read = JSON.parse(JSON.stringify(records)) as JournalRecord[];
    expect(read).toEqual(records);
    expect(plainSnapshot(foldRecords(read))).toEqual(plainSnapshot(foldRecords(records)));
  });

  test('[L2] folding changes none of the records', () => {
    const { records } = eventful();
    const before = JSON.stringify(records);
    foldRecords(records);
    expect(JSON.stringify(records)).toBe(before);
  });

  test('[L3] no records, a gap, a repetition and a foreign beginning are errors, never repaired silently', () => {
    const { records } = eventful();
    const [first, second, third] = records;
    if (first === undefined || second === undefined || third === undefined) throw new Error('too few records');
    expect(codeOf(() => foldRecords([]))).toBe('JOURNAL_EMPTY');
    expect(codeOf(() => foldRecords([first, third]))).toBe('JOURNAL_DAMAGED');
    expect(codeOf(() => foldRecords([first, second, second]))).toBe('JOURNAL_DAMAGED');
    expect(codeOf(() => foldRecords([first, { ...first, seq: 2 }]))).toBe('JOURNAL_DAMAGED');
    expect(codeOf(() => foldRecords([{ ...second, seq: 1 }]))).toBe('JOURNAL_DAMAGED');
  });
});

describe('applying one fact', () => {
  const running = () => new TestedRun(definitionOf([work('start', command(), { transitions: [to('stop')] }), end()]));

  test('[L2] counts it and takes over its time', () => {
    const { snapshot } = running();
    const next = applyFact(snapshot, { kind: 'run.resumed', epoch: 2 }, 7777);
    expect(next).toEqual({ ...snapshot, seq: snapshot.seq + 1, at: 7777 });
  });

  test('[L2] the snapshot before stays as it was', () => {
    const { snapshot } = running();
    const before = JSON.stringify(plainSnapshot(snapshot));
    const facts: readonly Fact[] = [
      { kind: 'data.set', patch: { set: { a: 1 } } },
      { kind: 'state.entered', state: 'stop', visit: 1, from: null, patch: null },
      { kind: 'message.added', context: 'talk', message: { author: 'person', role: 'user', content: 'hi' } },
      { kind: 'task.ended', task: taskId('t1'), outcome: 'failed', output: null, failure: failure('logic') },
    ];
    for (const fact of facts) applyFact(snapshot, fact, 2000);
    expect(JSON.stringify(plainSnapshot(snapshot))).toBe(before);
  });

  test('[L2] facts about an unknown task, unit or context only change the count', () => {
    const { snapshot } = running();
    const facts: readonly Fact[] = [
      { kind: 'task.ended', task: taskId('t9'), outcome: 'ok', output: 1, failure: null },
      { kind: 'call.started', task: taskId('t9'), call: 2 },
      { kind: 'call.started', task: taskId('t1'), call: 2 },
      { kind: 'units.added', task: taskId('t9'), by: null, units: [{ id: 'a', after: [], item: null }] },
      { kind: 'unit.ended', task: taskId('t1'), unit: 'a', outcome: 'skipped', reason: '' },
      { kind: 'context.cleared', context: 'nowhere' },
      { kind: 'context.trimmed', context: 'nowhere', dropped: 1, chars: 1 },
    ];
    for (const fact of facts) {
      const next = applyFact(snapshot, fact, snapshot.at);
      expect(plainSnapshot({ ...next, seq: 0 })).toEqual(plainSnapshot({ ...snapshot, seq: 0 }));
    }
  });

  test('[L2] data that is unset is gone, not null', () => {
    const { snapshot } = running();
    const set = applyFact(snapshot, { kind: 'data.set', patch: { set: { a: 1, b: 2 } } }, 1);
    const unset = applyFact(set, { kind: 'data.set', patch: { set: { c: 3 }, unset: ['a'] } }, 1);
    expect(unset.data).toEqual({ b: 2, c: 3 });
    expect(unset.current.entered).toBe(true);
  });
});
