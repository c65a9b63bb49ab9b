import { describe, expect, test } from 'vitest';
import { toArray } from '../../model/append-list.ts';
import { foldRecords } from '../../fold/fold.ts';
import { taskId } from '../../model/ids.ts';
import { stepEnd } from '../step-end.ts';
import { ask, definitionOf, end, to, work } from '../../testing/definitions.ts';
import { plainSnapshot } from '../../testing/plain-snapshot.ts';
import { call, failure, TestedRun } from '../../testing/tested-run.ts';

const talk = () =>
  new TestedRun(
    definitionOf([
      work('start', ask('coder', 'Build it.'), { transitions: [to('again')], on: { failed: [to('again')] } }),
      work('again', ask('coder', 'Once more.'), { transitions: [to('stop')] }),
      end('stop'),
    ]),
  );

const tell = (run: TestedRun, text = 'Use tabs.', agent = 'coder') =>
  run.send({ kind: 'agent.told', agent, text, by: 'ann' });

const said = (run: TestedRun, context = 'talk') =>
  toArray(run.snapshot.contexts[context]?.messages ?? { items: [], length: 0 }).map(({ content }) => content);

const inTurn = (run: TestedRun, task: string) =>
  toArray(run.snapshot.tasks[task]?.turn?.messages ?? { items: [], length: 0 }).map(({ content }) => content);

const folds = (run: TestedRun) => expect(plainSnapshot(foldRecords(run.records))).toEqual(plainSnapshot(run.snapshot));

describe('[U2] a person tells an agent something', () => {
  test('nothing comes between a tool call and its result; the next call sends it after the result', () => {
    const run = talk();
    run.says('t1', '', { toolCalls: [call('c1', 'read_file')] });
    tell(run);
    expect(run.last.effects).toEqual([]);
    expect(inTurn(run, 't1')).toEqual(['Build it.', '']);
    run.toolReturns('t1', 'c1', 'text');
    expect(run.effects.at(-1)).toMatchObject({ kind: 'actor.call', call: 2 });
    expect(inTurn(run, 't1')).toEqual(['Build it.', '', 'text', 'Use tabs.']);
    run.says('t1', 'Done.');
    expect(said(run)).toEqual(['Build it.', '', 'text', 'Use tabs.', 'Done.']);
    folds(run);
  });

  test('a turn that would end makes one call more', () => {
    const run = talk();
    tell(run);
    run.says('t1', 'Done.');
    expect(run.snapshot.tasks['t1']?.turn).toMatchObject({ phase: 'calling', call: 2 });
    run.says('t1', 'With tabs.');
    expect(said(run)).toEqual(['Build it.', 'Done.', 'Use tabs.', 'With tabs.']);
    expect(run.path()).toEqual(['start', 'again']);
    folds(run);
  });

  test('messages that a turn did not read, or that were lost with it, are sent to the next one', () => {
    const run = talk();
    tell(run, 'First.');
    run.says('t1', '', { toolCalls: [call('c1', 'read_file')] });
    run.toolReturns('t1', 'c1');
    tell(run, 'Second.');
    run.fails('t1', failure('bad-request'));
    expect(run.path()).toEqual(['start', 'again']);
    expect(said(run)).toEqual(['First.', 'Second.']);
    expect(run.snapshot.tasks['t2']?.turn?.sees).toBe(2);
    folds(run);
  });

  test('an agent without a turn reads it with its next one; an unknown agent and a settled run get nothing', () => {
    const run = talk();
    const before = run.records.length;
    tell(run, 'Hm.', 'missing');
    expect(run.records.length).toBe(before);
    run.says('t1', 'a');
    run.says('t2', 'b');
    expect(run.snapshot.status).toBe('settled');
    expect(tell(run).facts).toEqual([]);
  });

  test('[H5] it is a separate step, at which a fork may start, and a run rolled back before it never received it', () => {
    const run = talk();
    const before = run.records.length;
    tell(run);
    expect(stepEnd(run.records, before)).toBe(before);
    run.rewind(before);
    expect(run.snapshot.tasks['t1']?.turn?.told).toBeUndefined();
    expect(run.records.some(({ fact }) => fact.kind === 'message.added' && fact.task === taskId('t1'))).toBe(true);
  });
});
