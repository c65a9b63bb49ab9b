import { describe, expect, test } from 'vitest';
import type { ChildSettled } from '../../model/event.ts';
import { taskId, treeId } from '../../model/ids.ts';
import type { Definition } from '../../model/definition.ts';
import { areSlotsLeft, slotBelow } from './slot.ts';
import { definitionOf, end, pool, to, work } from '../../testing/definitions.ts';
import { literal } from '../../testing/expressions.ts';
import { TestedRun } from '../../testing/tested-run.ts';
import { NO_USAGE } from '../../model/usage.ts';

const CHILD = { kind: 'call', workflow: 'child', input: {} } as const;

const calling = (): Definition => definitionOf([work('start', CHILD, { transitions: [to('stop')] }), end()]);

const pooling = (): Definition => {
  const what = pool({ kind: 'items', items: literal([{ id: 'a' }]), work: CHILD }, {});
  return definitionOf([work('start', what, { transitions: [to('stop')] }), end()]);
};

const child = (run: TestedRun, task: string, to: 'left' | 'wanted') =>
  run.send({ kind: 'child.slot', child: taskId(task), to });

const own = (run: TestedRun, to: 'given' | 'left' | 'wanted') => run.send({ kind: 'slot.move', to });

describe('[Q3] the slot of a run below a unit', () => {
  test('a run below no unit needs none, and neither do its children; those of units do', () => {
    const run = new TestedRun(calling());
    expect(run.snapshot.slot).toBeNull();
    expect(own(run, 'left').facts).toEqual([]);
    expect(slotBelow(run.snapshot, taskId('t1'))).toBeNull();
    expect(slotBelow(new TestedRun(pooling()).snapshot, taskId('t2'))).toBe('given');
  });

  test('is released, requested and assigned again, each once', () => {
    const run = new TestedRun(calling(), { slot: 'given' });
    expect(own(run, 'wanted').facts).toEqual([]);
    own(run, 'left');
    expect(own(run, 'left').facts).toEqual([]);
    expect(slotBelow(run.snapshot, taskId('t1'))).toBe('left');
    own(run, 'wanted');
    own(run, 'given');
    expect(run.ofKind('slot.moved').map((fact) => fact.to)).toEqual(['left', 'wanted', 'given']);
  });

  test('a child asks: it is answered where this run has a slot, else the question goes further up', () => {
    const run = new TestedRun(calling(), { slot: 'given' });
    expect(areSlotsLeft(run.snapshot)).toBe(false);
    child(run, 't1', 'left');
    expect(areSlotsLeft(run.snapshot)).toBe(true);
    expect(child(run, 't1', 'wanted').effects).toEqual([{ kind: 'child.go', task: 't1' }]);
    child(run, 't1', 'left');
    own(run, 'left');
    expect(child(run, 't1', 'wanted').effects).toEqual([]);
    expect(run.snapshot.slot).toBe('wanted');
    expect(own(run, 'given').effects).toEqual([{ kind: 'child.go', task: 't1' }]);
    expect(run.snapshot.slotless).toEqual({});
  });

  test('a unit of a run without a slot gets its own only when that run has one', () => {
    const run = new TestedRun(pooling(), { slot: 'given' });
    child(run, 't2', 'left');
    own(run, 'left');
    expect(child(run, 't2', 'wanted').effects).toEqual([]);
    expect(run.snapshot.slot).toBe('wanted');
    expect(own(run, 'given').effects).toEqual([{ kind: 'child.go', task: 't2' }]);
  });

  test('the state of a child is forgotten with its task', () => {
    const run = new TestedRun(calling(), { slot: 'given' });
    child(run, 't1', 'left');
    run.done('t1');
    expect(run.snapshot.slotless).toEqual({});
  });
});

describe('[L5] [R4] the end of a child run', () => {
  const files = { tree: treeId('tree 2'), version: 2, base: treeId('tree 1') };
  const settled = (parts: Partial<ChildSettled> = {}): ChildSettled => ({
    kind: 'child.settled',
    child: taskId('t1'),
    workspaces: { main: files },
    outcome: 'ok',
    output: 'done',
    failure: null,
    usage: { ...NO_USAGE, calls: 1, inputTokens: 5 },
    costUsd: 0.5,
    ...parts,
  });

  test('ends the task that called it, with its cost and the files that both share', () => {
    const run = new TestedRun(calling());
    run.send(settled());
    expect(run.snapshot.result).toMatchObject({ outcome: 'ok' });
    expect(run.snapshot.costUsd).toBe(0.5);
    expect(run.snapshot.workspaces['main']).toEqual(files);
  });

  test('is counted once; files that are known already are not reported again', () => {
    const run = new TestedRun(pooling());
    run.send(settled({ child: taskId('t2'), usage: NO_USAGE, costUsd: 0 }));
    const count = run.records.length;
    run.send(settled({ child: taskId('t2'), usage: NO_USAGE, costUsd: 0 }));
    expect(run.records).toHaveLength(count);
  });

  test('of a run that is no longer waited for counts as spent, also after the end of this run', () => {
    const run = new TestedRun(calling());
    run.done('t1');
    expect(run.snapshot.status).toBe('settled');
    run.send(settled({ child: taskId('t1-1.0'), workspaces: {} }));
    expect(run.ofKind('usage.noted')).toMatchObject([{ task: 't1', costUsd: 0.5, isOfChild: true }]);
    expect(run.snapshot.costUsd).toBe(0.5);
  });
});
