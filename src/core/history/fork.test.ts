import { describe, expect, test } from 'vitest';
import type { JournalRecord } from '../record/fact.ts';
import { foldRecords } from '../fold/fold.ts';
import { forkRecords } from './fork.ts';
import { runId, treeId } from '../model/ids.ts';
import { recover } from '../step/recover.ts';
import { variable } from '../testing/expressions.ts';
import { ask, command, definitionOf, end, to, work } from '../testing/definitions.ts';
import { plainSnapshot } from '../testing/plain-snapshot.ts';
import { call, TestedRun } from '../testing/tested-run.ts';
import type { Limits } from '../model/workflow.ts';

function two(limits: Partial<Limits> = {}): TestedRun {
  const talk = { kind: 'turn', agent: 'coder', mode: 'ask', input: variable('task') } as const;
  const states = [
    work('talk', talk, { transitions: [to('build')] }),
    work('build', command(), { transitions: [to('talk')], timeoutMs: 500 }),
    end(),
  ];
  const run = new TestedRun(definitionOf(states, { limits, data: { task: 'old' } }), {
    input: { task: 'old' },
    files: { tree: treeId('tree-0'), source: 'git' },
  });
  return run;
}

const forked = (
  run: TestedRun,
  seq: number,
  parts: { at?: number; input?: { task: string }; definition?: string } = {},
) => {
  const { at = 60_000, input = {}, ...rest } = parts;
  return forkRecords(run.records, {
    run: runId('fork-1'),
    parent: null,
    seq,
    at,
    forked: { kind: 'run.forked', from: { run: runId('run-1'), seq }, input, by: 'someone', ...rest },
  });
};

const enteredAt = (records: readonly JournalRecord[], state: string): number =>
  records.find(({ fact }) => fact.kind === 'state.entered' && fact.state === state)?.seq ?? 0;

describe('[FO1] a fork begins as the other run was', () => {
  test('its records are those of the other up to there, under its own name, then that it is a fork', () => {
    const run = two();
    run.says('t1', 'done');
    const at = enteredAt(run.records, 'build');
    const records = forked(run, at);
    expect(records.map(({ seq }) => seq)).toEqual(Array.from({ length: at + 1 }, (_, index) => index + 1));
    expect(records[0]?.fact).toEqual({ ...run.records[0]?.fact, run: 'fork-1' });
    expect(records.slice(1, at)).toEqual(run.records.slice(1, at));
    expect(records.at(-1)).toMatchObject({ at: 60_000, fact: { kind: 'run.forked', from: { run: 'run-1', seq: at } } });
    const snapshot = foldRecords(records);
    expect(snapshot).toMatchObject({
      run: 'fork-1',
      forkedFrom: { run: 'run-1', seq: at },
      current: { state: 'build', task: null },
      files: { tree: 'tree-0' },
    });
    expect(plainSnapshot(snapshot)).toMatchObject({
      contexts: { talk: { messages: [{ content: 'old' }, { content: 'done' }] } },
    });
  });

  test('neither run changes the other: the source keeps its records and state', () => {
    const run = two();
    run.says('t1', 'done');
    const before = [JSON.stringify(run.records), JSON.stringify(plainSnapshot(run.snapshot))];
    const fork = recover(run.definition, foldRecords(forked(run, 4)), { epoch: 1, at: 60_000 });
    expect(fork.facts.length).toBeGreaterThan(0);
    expect([JSON.stringify(run.records), JSON.stringify(plainSnapshot(run.snapshot))]).toEqual(before);
  });

  test('another input counts from the state on that was entered, and another definition is taken', () => {
    const run = two();
    const snapshot = foldRecords(
      forked(run, enteredAt(run.records, 'talk'), { input: { task: 'new' }, definition: 'hash-2' }),
    );
    expect(snapshot).toMatchObject({ input: { task: 'new' }, data: { task: 'new' }, definition: 'hash-2' });
    const step = recover(run.definition, snapshot, { epoch: 1, at: 60_000 });
    expect(step.facts.at(-1)).toMatchObject({ kind: 'task.started', work: { kind: 'turn', input: 'new' } });
  });

  test('the beginning is the state the run starts in, before any of its work', () => {
    const run = two();
    const records = forked(run, 1);
    expect(records.map(({ fact }) => fact.kind)).toEqual(['run.started', 'state.entered', 'run.forked']);
    expect(records.at(-1)?.fact).toMatchObject({ from: { seq: 2 } });
  });
});

describe('[FO2] a fork has its own budget and clocks', () => {
  test('it has spent nothing, leased nothing, and changed nothing of the user’s', () => {
    const run = two();
    const tree = treeId('tree-1');
    run.send({
      kind: 'world.noted',
      facts: [
        { kind: 'workspace.made', workspace: 'main', tree, version: 1 },
        { kind: 'resource.leased', workspace: 'main', values: { port: '4001' } },
      ],
    });
    run.says('t1', 'done', { costUsd: 3 });
    const change = {
      kind: 'project.changed',
      how: 'applied',
      before: tree,
      after: tree,
      kept: [],
      by: 'someone',
    } as const;
    run.records.push({ seq: run.records.length + 1, at: run.now, fact: change });
    const snapshot = foldRecords(forked(run, run.records.length));
    expect(foldRecords(run.records)).toMatchObject({ costUsd: 3, resources: { main: { port: '4001' } } });
    expect(snapshot).toMatchObject({ costUsd: 0, usage: { inputTokens: 0 }, resources: {}, projectChange: null });
    expect(snapshot.workspaces).toEqual({ main: { tree, version: 1, base: tree } });
  });

  test('its duration starts now, and work in progress has as much time left as then', () => {
    const run = two({ durationMs: 1000 });
    run.says('t1', 'done');
    run.now = 1300;
    run.send({ kind: 'limit.raise', limit: 'tokens', allowed: 9000, by: 'someone' });
    const snapshot = foldRecords(forked(run, run.records.length));
    expect(snapshot).toMatchObject({ startedAt: 60_000, clock: { startedAt: 60_000, pausedMs: 0 } });
    expect(snapshot.tasks['t2']?.deadline).toBe(60_200);
    expect(recover(run.definition, snapshot, { epoch: 1, at: 60_000 }).effects).toEqual([
      { kind: 'timer.set', timer: 't2/deadline', at: 60_200 },
      { kind: 'command.run', task: 't2', command: 'npm test', okExitCodes: [0] },
      { kind: 'timer.set', timer: 'run/duration', at: 61_000 },
    ]);
  });

  test('a fork of a paused run continues, with the time that was left when the run paused', () => {
    const run = two();
    run.says('t1', 'done');
    run.now = 1100;
    run.pause();
    run.now = 1400;
    run.send({ kind: 'limit.raise', limit: 'tokens', allowed: 9000, by: 'someone' });
    const snapshot = foldRecords(forked(run, run.records.length));
    expect(snapshot.held).toBeNull();
    expect(snapshot.tasks['t2']?.deadline).toBe(60_400);
  });

  test('a fork of a run that waits at a limit waits there too, and its clocks are stopped from now on', () => {
    const states = [work('talk', ask('coder'), { transitions: [to('stop')], timeoutMs: 500 }), end()];
    const run = new TestedRun(definitionOf(states, { limits: { toolRounds: 1 } }));
    run.now = 1100;
    run.says('t1', '', { toolCalls: [call('c1', 'grep')] });
    run.toolReturns('t1', 'c1');
    run.now = 1400;
    run.send({ kind: 'limit.raise', limit: 'tokens', allowed: 9000, by: 'someone' });
    const snapshot = foldRecords(forked(run, run.records.length));
    expect(snapshot.paused).toMatchObject({ limit: 'toolRounds', since: 60_000 });
    expect(snapshot.tasks['t1']?.deadline).toBe(60_400);
  });
});
