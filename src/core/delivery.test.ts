import { describe, expect, test } from 'vitest';
import { applyFact } from './apply.ts';
import { openDelivery } from './delivery.ts';
import type { DeliveryFinished, DeliveryStarted } from './delivery-fact.ts';
import type { Fact } from './fact.ts';
import { treeId } from './ids.ts';
import { recover } from './recover.ts';
import type { DeliveryOrder, RunTerms } from './run-terms.ts';
import type { Snapshot } from './snapshot.ts';
import { command, definitionOf, end, to, work } from './testing/definitions.ts';
import { TestedRun } from './testing/tested-run.ts';
import { MAIN_WORKSPACE } from './workspace-name.ts';

const [BEFORE, AFTER] = [treeId('before'), treeId('after')];

const APPLY: DeliveryOrder = { to: { kind: 'apply' }, by: 'ada' };

/** A run whose command has changed the files of the main workspace, and has not ended. */
function changed(delivery: DeliveryOrder): TestedRun {
  const definition = definitionOf([work('start', command(), { transitions: [to('stop')] }), end()]);
  const run = new TestedRun(definition, { terms: { delivery } });
  const files = { workspace: MAIN_WORKSPACE, tree: AFTER, base: BEFORE, version: 2, why: 'work', task: null } as const;
  run.send({ kind: 'world.noted', facts: [{ kind: 'files.changed', ...files }] });
  return run;
}

const branch: DeliveryFinished = {
  kind: 'delivery.finished',
  workspace: MAIN_WORKSPACE,
  tree: AFTER,
  how: 'branch',
  where: 'troupe/run-1',
  by: 'ada',
};

const startedIn = (facts: TestedRun['facts']): readonly DeliveryStarted[] =>
  facts.filter((fact) => fact.kind === 'delivery.started');

const resumed = ({ definition, now }: TestedRun, snapshot: Snapshot, terms?: RunTerms) =>
  recover(definition, snapshot, { epoch: 2, at: now, terms });

describe('a delivery', () => {
  test('[R1] is announced with the end of the run, although a person took the same files as a branch before that', () => {
    const run = changed(APPLY);
    const taken = applyFact(run.snapshot, branch, run.now);
    run.last = { ...run.last, snapshot: taken };
    run.done('t1');
    expect(run.last.facts.map(({ kind }) => kind)).toContain('run.settled');
    expect(startedIn(run.last.facts)).toMatchObject([{ to: { kind: 'apply' }, tree: AFTER }]);
  });

  test('[R1] that was cut off is announced anew where a person resumes with other terms', () => {
    const run = changed({ to: { kind: 'own' }, by: 'ada' });
    run.done('t1');
    const again = resumed(run, run.snapshot, { delivery: { ...APPLY, verify: 'npm test' } });
    expect(startedIn(again.facts)).toMatchObject([{ to: { kind: 'apply' }, verify: 'npm test' }]);
    expect(again.effects).toEqual([{ kind: 'delivery.run' }]);
  });

  test('[R1] that was cut off is not announced a second time where nothing was said about it', () => {
    const run = changed(APPLY);
    run.done('t1');
    const again = resumed(run, run.snapshot);
    expect(again.facts).toEqual([{ kind: 'run.resumed', epoch: 2 }]);
    expect(again.effects).toEqual([{ kind: 'delivery.run' }]);
  });

  test('[L4] is open until its result is with the user, and says why', () => {
    const run = changed(APPLY);
    expect(openDelivery(run.snapshot)).toBeNull();
    run.done('t1');
    const after = (...facts: readonly Fact[]) =>
      openDelivery(facts.reduce((snapshot, fact) => applyFact(snapshot, fact, run.now), run.snapshot));
    const failed = (code: string): Fact => ({
      kind: 'delivery.failed',
      workspace: MAIN_WORKSPACE,
      tree: AFTER,
      failure: { code, message: 'No.', class: 'logic' },
    });
    expect(after()).toBe('under-way');
    expect(after(failed('DISK_FULL'))).toBe('failed');
    expect(after(failed('RESULT_NOT_VERIFIED'))).toBe('refused');
    expect(after(failed('RESULT_IN_CONFLICT'))).toBe('conflict');
    expect(after({ ...branch, how: 'not-verified' })).toBe('refused');
    expect(after({ ...branch, how: 'conflict' })).toBe('conflict');
    expect(after(branch)).toBeNull();
  });
});
