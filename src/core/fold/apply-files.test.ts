import { describe, expect, test } from 'vitest';
import type { FilesChanged, Noted, ProjectChanged } from '../record/files-fact.ts';
import type { DeliveryFinished } from '../record/delivery-fact.ts';
import { applyRecord, foldRecords } from './fold.ts';
import { taskId, treeId } from '../model/ids.ts';
import { ask, command, definitionOf, end, to, work } from '../testing/definitions.ts';
import { plainSnapshot } from '../testing/plain-snapshot.ts';
import { call, TestedRun } from '../testing/tested-run.ts';

const doing = (what = command()) =>
  new TestedRun(definitionOf([work('start', what, { transitions: [to('stop')] }), end()]), {
    files: { tree: treeId('tree-0'), source: 'git' },
    sandbox: 'bubblewrap',
  });

const made = (workspace: string, tree = 'tree-0'): Noted => ({
  kind: 'workspace.made',
  workspace,
  tree: treeId(tree),
  version: 1,
});
const changed = (workspace: string, tree: string, parts: Partial<FilesChanged> = {}): Noted => ({
  kind: 'files.changed',
  workspace,
  tree: treeId(tree),
  version: 2,
  base: treeId('tree-0'),
  why: 'work',
  task: taskId('t1'),
  ...parts,
});

describe('[FI1] every record of a run has its exact files', () => {
  test('from one change to the next a workspace holds the same tree, at every record', () => {
    const run = doing(ask('coder'));
    run.send({ kind: 'world.noted', facts: [made('main')] });
    run.says('t1', '', { toolCalls: [call('c1', 'write_file'), call('c2', 'write_file')] });
    run.send({ kind: 'world.noted', facts: [changed('main', 'tree-1', { toolCall: 'c1' })] });
    run.toolReturns('t1', 'c1');
    run.send({ kind: 'world.noted', facts: [changed('main', 'tree-2', { version: 3, toolCall: 'c2' })] });
    run.toolReturns('t1', 'c2');
    let known: string | undefined;
    for (const { seq, fact } of run.records) {
      if (fact.kind === 'workspace.made' || fact.kind === 'files.changed') known = fact.tree;
      expect(run.at(seq).workspaces['main']?.tree).toBe(known);
    }
    expect(known).toBe('tree-2');
  });

  test('[W3] a workspace that was lost and created again holds the same files, and merges start from the same base', () => {
    const run = doing();
    run.send({ kind: 'world.noted', facts: [made('main'), changed('main', 'tree-1')] });
    const again = { base: treeId('tree-0') };
    const remade: Noted = { kind: 'workspace.made', workspace: 'main', tree: treeId('tree-1'), version: 3, again };
    run.send({ kind: 'world.noted', facts: [remade] });
    expect(run.snapshot.workspaces['main']).toEqual({ tree: 'tree-1', version: 3, base: 'tree-0' });
  });

  test('[FI6] what its author has to settle is known at every record, until a change names it no more', () => {
    const run = doing();
    const open = {
      base: treeId('tree-0'),
      since: treeId('tree-1'),
      paths: [{ path: 'logo', kind: 'binary', other: null }],
    };
    run.send({ kind: 'world.noted', facts: [made('main'), changed('main', 'tree-1', { why: 'conflict', open })] });
    expect(run.snapshot.workspaces['main']?.open).toEqual(open);
    run.send({ kind: 'world.noted', facts: [changed('main', 'tree-2', { version: 3 })] });
    expect(run.snapshot.workspaces['main']).toEqual({ tree: 'tree-2', version: 3, base: 'tree-0' });
  });

  test('a workspace begins with the tree it is made of, and merges start from there', () => {
    const run = doing();
    run.send({ kind: 'world.noted', facts: [made('coder', 'tree-5'), made('tester')] });
    expect(run.snapshot.workspaces).toEqual({
      coder: { tree: 'tree-5', version: 1, base: 'tree-5' },
      tester: { tree: 'tree-0', version: 1, base: 'tree-0' },
    });
    const merged = changed('coder', 'tree-6', { base: treeId('tree-6'), why: 'merge', from: 'tester' });
    run.send({ kind: 'world.noted', facts: [merged] });
    expect(run.snapshot.workspaces['coder']).toEqual({ tree: 'tree-6', version: 2, base: 'tree-6' });
    expect(run.snapshot.workspaces['tester']?.tree).toBe('tree-0');
  });

  test('leases are kept by workspace and name', () => {
    const run = doing();
    const leased = (workspace: string, values: Readonly<Record<string, string>>): Noted => ({
      kind: 'resource.leased',
      workspace,
      values,
    });
    run.send({ kind: 'world.noted', facts: [leased('a', { port: '1' }), leased('b', { port: '2' })] });
    run.send({ kind: 'world.noted', facts: [leased('a', { database: 'x', port: '3' })] });
    expect(run.snapshot.resources).toEqual({ a: { port: '3', database: 'x' }, b: { port: '2' } });
  });

  test('the beginning says which files the project had, where work is done, and what keeps commands in', () => {
    expect(doing().snapshot).toMatchObject({
      files: { tree: 'tree-0', source: 'git' },
      workspace: 'main',
      sandbox: 'bubblewrap',
      workspaces: {},
    });
    const plain = new TestedRun(definitionOf([end()]), { workspace: 't1.shared' });
    expect(plain.snapshot).toMatchObject({ files: null, workspace: 't1.shared', sandbox: null });
  });

  test('[PD7] a result waits until all files of its own workspace were put into the project', () => {
    const run = doing();
    run.done('t1');
    const tree = treeId('tree-1');
    const handed: DeliveryFinished = {
      kind: 'delivery.finished',
      workspace: 'main',
      tree,
      how: 'branch',
      where: 'b',
      by: 'x',
    };
    const waiting = applyRecord(run.snapshot, { seq: run.records.length + 1, at: 5000, fact: handed });
    const applied = (parts: Partial<ProjectChanged>) => {
      const fact: ProjectChanged = {
        kind: 'project.changed',
        how: 'applied',
        before: tree,
        after: tree,
        kept: [],
        by: 'x',
        ...parts,
      };
      return applyRecord(waiting, { seq: waiting.seq + 1, at: 6000, fact }).handed;
    };
    expect(applied({})).toMatchObject({ workspace: 'main' });
    expect(applied({ workspace: 'ann', tree })).toMatchObject({ workspace: 'main' });
    expect(applied({ workspace: 'main', tree, how: 'rolled-back' })).toMatchObject({ workspace: 'main' });
    expect(applied({ workspace: 'main', tree })).toBeNull();
  });

  test('the last change of the user’s own files is known with its number', () => {
    const run = doing();
    run.done('t1');
    const tree = treeId('tree-1');
    const change: ProjectChanged = {
      kind: 'project.changed',
      how: 'applied',
      before: tree,
      after: tree,
      kept: ['a'],
      by: 'x',
    };
    const seq = run.records.length + 1;
    const after = applyRecord(run.snapshot, { seq, at: 5000, fact: change });
    expect(after).toMatchObject({ status: 'settled', projectChange: { how: 'applied', kept: ['a'], seq } });
  });
});

describe('[FI2] notes about the work', () => {
  test('are recorded before the work continues, and do not change the machine', () => {
    const run = doing();
    const { current, tasks } = run.snapshot;
    const step = run.send({ kind: 'world.noted', facts: [made('main'), changed('main', 'tree-1')] });
    expect(step.facts.map(({ kind }) => kind)).toEqual(['workspace.made', 'files.changed']);
    expect(step.effects).toEqual([]);
    expect([run.snapshot.current, run.snapshot.tasks]).toEqual([current, tasks]);
  });

  test('without notes there is no event', () => {
    const run = doing();
    const before = run.snapshot;
    expect(run.send({ kind: 'world.noted', facts: [] })).toEqual({ facts: [], snapshot: before, effects: [] });
  });

  test('is true also while the run is paused or stopping', () => {
    const run = doing();
    run.pause();
    run.send({ kind: 'world.noted', facts: [made('main')] });
    expect(run.snapshot.workspaces).toHaveProperty('main');
    const child = new TestedRun(
      definitionOf([work('start', { kind: 'call', workflow: 'c', input: {} }, { transitions: [to('stop')] }), end()]),
    );
    child.send({ kind: 'run.cancel', by: 'someone', reason: 'enough' });
    child.send({ kind: 'world.noted', facts: [changed('main', 'tree-9')] });
    expect(child.snapshot.workspaces['main']?.tree).toBe('tree-9');
  });

  test('[I2] a settled run still notes what its stopped work left behind, and does nothing more', () => {
    const run = doing();
    run.done('t1');
    const { result } = run.snapshot;
    const step = run.send({ kind: 'world.noted', facts: [made('main')] });
    expect(step.effects).toEqual([]);
    expect(step.facts).toEqual([made('main')]);
    expect(run.snapshot).toMatchObject({ status: 'settled', result, workspaces: { main: { tree: 'tree-0' } } });
  });

  test('[RW2] a workspace that is gone keeps its number, and counts on when it is made again', () => {
    const run = doing();
    run.send({ kind: 'world.noted', facts: [made('main'), { kind: 'workspace.gone', workspace: 'main', version: 5 }] });
    expect(run.snapshot.workspaces['main']).toMatchObject({ version: 5, isGone: true });
    run.send({
      kind: 'world.noted',
      facts: [{ kind: 'workspace.made', workspace: 'main', tree: treeId('tree-1'), version: 6 }],
    });
    expect(run.snapshot.workspaces['main']?.isGone).toBeUndefined();
  });

  test('[Q8] what stopped work cost is counted', () => {
    const run = doing();
    const usage = { ...run.snapshot.usage, inputTokens: 7, calls: 1 };
    run.send({ kind: 'world.noted', facts: [{ kind: 'usage.noted', task: taskId('t1'), usage, costUsd: 0.5 }] });
    expect(run.snapshot).toMatchObject({ usage: { inputTokens: 7, calls: 1 }, costUsd: 0.5 });
  });

  test('is in the fold, and a fold taken up in the middle comes to the same', () => {
    const run = doing();
    run.send({ kind: 'world.noted', facts: [made('main'), changed('main', 'tree-1')] });
    run.done('t1');
    for (let cut = 1; cut < run.records.length; cut += 1) {
      const whole = run.records.slice(cut).reduce(applyRecord, foldRecords(run.records.slice(0, cut)));
      expect(plainSnapshot(whole)).toEqual(plainSnapshot(run.snapshot));
    }
  });
});
