import { describe, expect, test } from 'vitest';
import { append } from '../model/append-list.ts';
import { foldOn, foldRecords } from '../fold/fold.ts';
import { taskId } from '../model/ids.ts';
import { rewoundState } from './rewind.ts';
import type { Snapshot } from '../fold/snapshot.ts';
import { addTo } from '../testing/expressions.ts';
import { ask, command, definitionOf, end, to, work } from '../testing/definitions.ts';
import { plainSnapshot } from '../testing/plain-snapshot.ts';
import { call, TestedRun } from '../testing/tested-run.ts';

/** An agent speaks with a tool, a command runs, and round again; each round costs something. */
function rounds(): TestedRun {
  const states = [
    work('talk', ask('coder'), { transitions: [to('build', null, addTo('n', 1))] }),
    work('build', command(), { transitions: [to('talk')], on: { failed: [to('stop')] }, timeoutMs: 500 }),
    end(),
  ];
  return new TestedRun(definitionOf(states, { data: { n: 0 } }));
}

function oneRound(run: TestedRun, talk: string, build: string): void {
  run.now += 100;
  run.says(talk, '', { toolCalls: [call('c1', 'grep')], costUsd: 1 });
  run.toolReturns(talk, 'c1');
  run.says(talk, `said in ${talk}`, { call: 2, costUsd: 1 });
  run.now += 100;
  run.done(build);
}

/** Everything that goes back: all but what was spent, what was raised, how tasks are numbered, and when it is. */
function goesBack(snapshot: Snapshot): unknown {
  const { status, input, data, current, visits, path, contexts, agents, lastAgent, childResult, tasks } = snapshot;
  const { stopping, permits, result, failures } = snapshot;
  const part = { status, input, data, current, visits, path, contexts, agents, lastAgent, childResult, tasks };
  return plainSnapshot({ ...part, stopping, permits, result, failures } as unknown as Snapshot);
}

const withoutDeadlines = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  tasks: Object.fromEntries(Object.entries(snapshot.tasks).map(([id, task]) => [id, { ...task, deadline: null }])),
});

describe('[RW1] a run that was rolled back is where it was', () => {
  test('at every record: machine, data and conversations are those of that record', () => {
    const whole = rounds();
    oneRound(whole, 't1', 't2');
    oneRound(whole, 't3', 't4');
    for (let seq = 1; seq <= whole.records.length; seq += 1) {
      const run = rounds();
      oneRound(run, 't1', 't2');
      oneRound(run, 't3', 't4');
      const then = run.at(seq);
      const state = rewoundState(then, run.now);
      const at = run.now;
      const fact = { kind: 'run.rewound', to: seq, by: 'someone', state } as const;
      const rewound = foldRecords([...run.records, { seq: run.records.length + 1, at, fact }]);
      expect(goesBack(withoutDeadlines(rewound))).toEqual(goesBack(withoutDeadlines(then)));
    }
  });

  test('costs stay, limits stay raised, task numbers continue', () => {
    const run = rounds();
    oneRound(run, 't1', 't2');
    run.send({ kind: 'limit.raise', limit: 'iterations', allowed: 99, by: 'someone' });
    run.rewind(2);
    expect(run.snapshot).toMatchObject({ costUsd: 2, limits: { iterations: 99 }, current: { state: 'talk' } });
    expect(run.snapshot.usage.calls).toBe(2);
    expect(run.ofKind('task.started').map(({ task }) => task)).toEqual(['t1', 't2', 't3', 't4']);
    expect(run.snapshot.data).toEqual({ n: 0 });
  });

  test('work that was open then is ordered again, and a later answer is stale', () => {
    const run = rounds();
    const asked = run.records.length;
    oneRound(run, 't1', 't2');
    expect(run.rewind(asked).effects).toEqual([
      { kind: 'actor.call', task: 't1', agent: 'coder', call: 1, attempt: 1 },
    ]);
    expect(run.done('t2').facts).toEqual([]);
    expect(run.says('t3', 'late').facts).toEqual([]);
    run.says('t1', 'something else');
    expect(run.snapshot.agents['coder']?.lastResponse).toBe('something else');
  });
});

describe('[RW2] nothing is ever destroyed', () => {
  test('a settled run continues from the record it was rolled back to, and settles again', () => {
    const run = rounds();
    run.says('t1', 'done');
    run.breaks('t2');
    expect(run.snapshot).toMatchObject({ status: 'settled', result: { outcome: 'ok' } });
    const building = run.records.findIndex(({ fact }) => fact.kind === 'state.entered' && fact.state === 'build') + 1;
    run.rewind(building);
    expect(run.snapshot).toMatchObject({ status: 'running', result: null, current: { state: 'build', task: 't3' } });
    run.breaks('t3');
    expect(run.snapshot.status).toBe('settled');
    expect(run.ofKind('run.settled')).toHaveLength(2);
  });

  test('rolling back a rollback restores the state before it', () => {
    const run = rounds();
    oneRound(run, 't1', 't2');
    const before = run.records.length;
    const whole = goesBack(run.snapshot);
    run.rewind(2);
    run.says('t4', 'another way');
    run.rewind(before);
    expect(goesBack(run.snapshot)).toEqual(whole);
    expect(plainSnapshot(foldRecords(run.records))).toEqual(plainSnapshot(run.snapshot));
  });

  test('a rollback of files alone keeps the machine and the conversations', () => {
    const run = rounds();
    oneRound(run, 't1', 't2');
    const fact = { kind: 'run.rewound', to: 2, by: 'someone', state: null } as const;
    const after = foldRecords([...run.records, { seq: run.records.length + 1, at: run.now, fact }]);
    expect(goesBack(after)).toEqual(goesBack(run.snapshot));
  });

  test('the lists of the earlier state are its own: later messages are not in it', () => {
    const run = rounds();
    oneRound(run, 't1', 't2');
    const then = run.snapshot;
    const state = rewoundState(then, run.now);
    const stored = JSON.stringify(state);
    oneRound(run, 't3', 't4');
    append(then.path, 'elsewhere');
    expect(JSON.stringify(state)).toBe(stored);
    expect(JSON.parse(stored)).toEqual(state);
  });
});

describe('[RW3] clocks', () => {
  test('work in progress has as much time left as it had then', () => {
    const run = rounds();
    run.says('t1', 'done');
    expect(run.snapshot.tasks['t2']?.deadline).toBe(1500);
    const building = run.records.length;
    run.now = 1400;
    run.breaks('t2');
    run.now = 80_000;
    const step = run.rewind(building);
    expect(step.effects).toContainEqual({ kind: 'timer.set', timer: 't2/deadline', at: 80_500 });
    expect(run.timer('t2/deadline', 80_499).facts).toEqual([]);
    expect(run.timer('t2/deadline', 80_500).facts[0]).toMatchObject({ outcome: 'timeout' });
  });

  test('work of a paused run has as much time left as when it paused', () => {
    const run = rounds();
    run.says('t1', 'done');
    run.now = 1100;
    run.pause();
    run.now = 3000;
    run.send({ kind: 'limit.raise', limit: 'tokens', allowed: 9000, by: 'someone' });
    const still = run.records.length;
    run.goOn();
    run.done('t2');
    run.now = 10_000;
    run.rewind(still);
    expect(run.snapshot.tasks['t2']?.deadline).toBe(10_400);
    expect(run.snapshot.held).toBeNull();
  });

  test('the time a run was paused before the rollback counts for no limit', () => {
    const run = rounds();
    oneRound(run, 't1', 't2');
    run.pause();
    run.now += 5000;
    run.rewind(2);
    expect(run.snapshot).toMatchObject({ clock: { pausedMs: 5000 }, held: null, paused: null });
  });
});

test('[RW1] going on after a rollback changes neither the tasks of its record nor those of the snapshot before', () => {
  const run = rounds();
  oneRound(run, 't1', 't2');
  const then = run.at(3);
  expect(Object.keys(then.tasks)).toEqual(['t1']);
  const fact = { kind: 'run.rewound', to: 3, by: 'someone', state: rewoundState(then, run.now) } as const;
  const ended = { kind: 'task.ended', task: taskId('t1'), outcome: 'ok', output: null, failure: null } as const;
  const tasks = (): string => JSON.stringify([run.snapshot.tasks, fact.state.tasks]);
  const before = tasks();
  const seq = run.snapshot.seq + 1;
  const after = foldOn(run.snapshot, [
    { seq, at: run.now, fact },
    { seq: seq + 1, at: run.now, fact: ended },
  ]);
  expect(Object.keys(after.tasks)).toEqual([]);
  expect(tasks()).toBe(before);
});
