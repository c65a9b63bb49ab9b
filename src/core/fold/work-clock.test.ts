import { describe, expect, test } from 'vitest';
import { foldRecords } from './fold.ts';
import { taskId } from '../model/ids.ts';
import { recover } from '../step/recover.ts';
import { step } from '../step/step.ts';
import { literal } from '../testing/expressions.ts';
import { ask, command, definitionOf, end, fixed, pool, to, work } from '../testing/definitions.ts';
import { call, TestedRun } from '../testing/tested-run.ts';
import { runTime, taskTime, timeNow } from './work-clock.ts';
import type { Limits, Work } from '../model/workflow.ts';

const person: Work = { kind: 'ask', question: literal('Which?'), choices: [] };
const child: Work = { kind: 'call', workflow: 'below', input: {} };

function doing(first: Work, limits: Partial<Limits> = {}): TestedRun {
  const states = [
    work('start', first, { transitions: [to('next')] }),
    work('next', command(), { transitions: [to('stop')] }),
    end(),
  ];
  return new TestedRun(definitionOf(states, { limits }));
}

const timeOf = (run: TestedRun) => runTime(run.snapshot.clock, run.now);

describe('[R4] each moment of a run is work, waiting for a person, or a pause', () => {
  test('a question is waited for until it is answered', () => {
    const run = doing(person);
    run.now = 9000;
    run.answers('t1', 'red');
    run.now = 9500;
    expect(timeOf(run)).toEqual({ workedMs: 500, waitedMs: 8000, pausedMs: 0 });
  });

  test('a run works while one of its units does, though another one asks', () => {
    const run = doing(pool(fixed({ a: [], b: [] }, ask('coder'))));
    run.send({
      kind: 'permission.wanted',
      task: taskId('t2'),
      call: call('c1', 'bash'),
    });
    run.now = 3000;
    expect(taskTime(run.snapshot.clock, 't2', 3000)).toEqual({ workedMs: 0, waitedMs: 2000, pausedMs: 0 });
    expect(timeOf(run)).toEqual({ workedMs: 2000, waitedMs: 0, pausedMs: 0 });
    run.says('t3', 'Done.');
    run.now = 7000;
    expect(timeOf(run)).toEqual({ workedMs: 2000, waitedMs: 4000, pausedMs: 0 });
    run.answers('permit/t2/c1', 'yes');
    run.now = 7100;
    expect(timeOf(run)).toEqual({ workedMs: 2100, waitedMs: 4000, pausedMs: 0 });
  });

  test('a pause during a question is a pause, and the question is waited for again after it', () => {
    const run = doing(person);
    run.now = 2000;
    run.pause();
    run.now = 5000;
    run.goOn();
    run.now = 6000;
    run.answers('t1', 'red');
    expect(timeOf(run)).toEqual({ workedMs: 0, waitedMs: 2000, pausedMs: 3000 });
  });

  test('time after the end does not count, and neither does time without a process', () => {
    const run = doing(command());
    run.now = 1300;
    run.done('t1');
    const killed = run.snapshot;
    expect(timeNow(killed.clock, { isDriven: false, now: 90_000, lastAt: killed.at }).workedMs).toBe(300);
    const asleep = { isDriven: false, lastAt: killed.at, wakesAt: 1700 };
    expect([1500, 90_000].map((now) => timeNow(killed.clock, { ...asleep, now }).workedMs)).toEqual([500, 700]);
    const again = recover(run.definition, killed, { epoch: 2, at: 90_000, downMs: 90_000 - 1300 });
    expect(runTime(again.snapshot.clock, 90_200)).toEqual({ workedMs: 500, waitedMs: 0, pausedMs: 88_700 });
    run.now = 1700;
    run.done('t2');
    expect(runTime(run.snapshot.clock, 50_000)).toEqual({ workedMs: 700, waitedMs: 0, pausedMs: 0 });
  });

  test('time without a process does not count where the run was cancelled meanwhile', () => {
    const run = doing(command());
    run.now = 1300;
    run.done('t1');
    const { snapshot } = step(run.definition, run.snapshot, {
      event: { kind: 'run.cancel', by: 'ada', reason: '' },
      at: 90_000,
    });
    expect(snapshot.status).toBe('settled');
    const over = recover(run.definition, snapshot, { epoch: 2, at: 90_000, downMs: 90_000 - 1300 });
    expect(runTime(over.snapshot.clock, 90_000)).toEqual({ workedMs: 300, waitedMs: 0, pausedMs: 88_700 });
  });

  test('the records alone give the same clock as the steps', () => {
    const run = doing(person);
    run.now = 2000;
    run.pause();
    run.now = 2500;
    run.goOn();
    run.answers('t1', 'red');
    expect(foldRecords(run.records).clock).toEqual(run.snapshot.clock);
    run.rewind(2);
    expect(foldRecords(run.records).clock).toEqual(run.snapshot.clock);
  });
});

describe('[L10] the limit on a run’s time counts work alone', () => {
  test('the alarm is set when the person has answered, with all the time that was left', () => {
    const run = doing(person, { durationMs: 1000 });
    expect(run.effects).not.toContainEqual(expect.objectContaining({ timer: 'run/duration' }));
    run.now = 60_000;
    expect(run.answers('t1', 'red').effects).toContainEqual({ kind: 'timer.set', timer: 'run/duration', at: 61_000 });
    expect(run.timer('run/duration', 60_999).facts).toEqual([]);
    expect(run.timer('run/duration', 61_000).facts).toMatchObject([{ kind: 'limit.reached', used: 1000 }]);
  });

  test('a run that a child makes wait has all its time left', () => {
    const run = doing(child, { durationMs: 1000 });
    run.now = 1400;
    run.send({ kind: 'child.waits', child: taskId('t1'), isWaiting: true });
    expect(run.timer('run/duration', 2000).facts).toEqual([]);
    run.now = 60_000;
    const gone = run.send({ kind: 'child.waits', child: taskId('t1'), isWaiting: false });
    expect(gone.effects).toEqual([{ kind: 'timer.set', timer: 'run/duration', at: 60_600 }]);
    expect(run.send({ kind: 'child.waits', child: taskId('t1'), isWaiting: false }).facts).toEqual([]);
    expect(run.send({ kind: 'child.waits', child: taskId('t9'), isWaiting: true }).facts).toEqual([]);
  });
});
