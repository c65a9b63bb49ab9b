import { describe, expect, test } from 'vitest';
import type { Effect } from '../model/effect.ts';
import { foldRecords } from '../fold/fold.ts';
import { openEffects, recover } from './recover.ts';
import { isolate, literal } from '../testing/expressions.ts';
import { ask, command, definitionOf, end, fixed, pool, to, wait, work } from '../testing/definitions.ts';
import { plainSnapshot } from '../testing/plain-snapshot.ts';
import { call, failure, TestedRun } from '../testing/tested-run.ts';
import type { Limits, Work, WorkState } from '../model/workflow.ts';

function doing(what: Work, parts: Partial<WorkState> = {}, limits: Partial<Limits> = {}): TestedRun {
  return new TestedRun(definitionOf([work('start', what, { transitions: [to('stop')], ...parts }), end()], { limits }));
}

/** What a new driver finds in the journal of a run whose process died. */
const after = (run: TestedRun, at = run.now) => recover(run.definition, foldRecords(run.records), { epoch: 2, at });

describe('a run taken over', () => {
  test('[L6] its first fact is the new driver’s epoch, and nothing else about it changes', () => {
    const run = doing(command());
    const step = after(run);
    expect(step.facts).toEqual([{ kind: 'run.resumed', epoch: 2 }]);
    expect(plainSnapshot({ ...step.snapshot, seq: 0 })).toEqual(plainSnapshot({ ...run.snapshot, seq: 0 }));
  });

  test('[L6] each kind of work that was announced and not answered is ordered again, the very same', () => {
    const ways: readonly Work[] = [
      ask('coder'),
      command(),
      { kind: 'call', workflow: 'child', input: { n: literal(1) } },
      wait(100),
      { kind: 'merge', agent: 'coder' },
      { kind: 'ask', question: literal('Sure?'), choices: [] },
      pool(fixed({ a: [], b: [], c: ['a'] })),
    ];
    for (const what of ways) {
      const run = doing(what, { timeoutMs: 900 }, { durationMs: 5000 });
      expect(after(run).effects).toEqual(run.effects);
    }
  });

  test('[L6] answered work is not ordered again', () => {
    const run = doing(pool(fixed({ a: [], b: [] })));
    run.done('t2');
    expect(after(run).effects).toEqual([{ kind: 'command.run', task: 't3', command: 'npm test', okExitCodes: [0] }]);
  });

  test('[L6] of forty tool calls only those that are owed are run again', () => {
    const run = doing(ask('coder'));
    run.says('t1', '', { toolCalls: Array.from({ length: 40 }, (_, index) => call(`c${index}`, 'grep')) });
    for (let index = 0; index < 38; index += 1) run.toolReturns('t1', `c${index}`);
    const ids = after(run).effects.map((effect) => (effect.kind === 'tool.run' ? effect.toolCall.id : effect.kind));
    expect(ids).toEqual(['c38', 'c39']);
  });

  test('[L6] a call continues with the same number and the same attempt', () => {
    const run = doing(ask('coder'));
    run.says('t1', '', { toolCalls: [call('c1', 'grep')] });
    run.toolReturns('t1', 'c1');
    run.fails('t1', failure('server'));
    const retryAt = run.ofKind('call.failed')[0]?.retryAt ?? 0;
    expect(after(run).effects).toEqual([{ kind: 'timer.set', timer: 't1/retry', at: retryAt }]);
    run.timer('t1/retry', retryAt);
    expect(after(run).effects).toEqual([{ kind: 'actor.call', task: 't1', agent: 'coder', call: 2, attempt: 2 }]);
  });

  test('[L6] a retry that fell due while no process drove the run starts', () => {
    const run = doing(ask('coder'));
    run.fails('t1', failure('server'));
    const step = after(run, 99_000);
    expect(step.effects).toContainEqual({ kind: 'actor.call', task: 't1', agent: 'coder', call: 1, attempt: 2 });
  });

  test('[L6] scripts that were not answered are asked for again, answered ones are not', () => {
    const run = new TestedRun(
      definitionOf([work('start', command(), { transitions: [to('a', isolate('1')), to('b', isolate('2'))] })]),
    );
    run.done('t1');
    run.evaluated(false);
    const keys = after(run).effects.map((effect) => (effect.kind === 'script.run' ? effect.key : effect.kind));
    expect(keys).toEqual(['start#1/when/ok/1']);
  });

  test('[L10] a paused run stays paused, and orders nothing new', () => {
    const run = doing(ask('coder'), { transitions: [to('start')] }, { tokens: 5 });
    run.says('t1', 'one');
    const step = after(run);
    expect(step.snapshot.paused?.limit).toBe('tokens');
    expect(step.effects).toEqual([]);
  });

  test('[L2] a settled run needs nothing', () => {
    const run = doing(command());
    run.done('t1');
    expect(after(run)).toMatchObject({ facts: [], effects: [] });
    expect(openEffects(run.definition, run.snapshot)).toEqual([]);
  });

  test('[L6] taking over twice orders the same again', () => {
    const run = doing(pool(fixed({ a: [], b: [] }, ask('coder'))));
    const first = after(run);
    const second = recover(run.definition, first.snapshot, { epoch: 3, at: run.now });
    const sorted = (effects: readonly Effect[]) => effects.map((effect) => JSON.stringify(effect)).sort();
    expect(sorted(second.effects)).toEqual(sorted(first.effects));
  });
});
