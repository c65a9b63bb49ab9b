import type { FaultCode } from '../codes/codes.ts';
import { describe, expect, test } from 'vitest';
import { applyFact } from '../fold/apply.ts';
import { owedDelivery } from './delivery.ts';
import type { DeliveryFinished, DeliveryStarted } from '../record/delivery-fact.ts';
import type { Fact } from '../record/fact.ts';
import { treeId } from '../model/ids.ts';
import { recover } from './recover.ts';
import { asFound, NO_RESULT, resultAs, resultState } from '../look/result-state.ts';
import type { DeliveryOrder, RunTerms } from '../model/run-terms.ts';
import type { Snapshot } from '../fold/snapshot.ts';
import { command, definitionOf, end, to, work } from '../testing/definitions.ts';
import { TestedRun } from '../testing/tested-run.ts';
import { MAIN_WORKSPACE } from '../model/workspace-name.ts';

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

  test('[R1] that was interrupted is announced again if a person resumes with other terms', () => {
    const run = changed({ to: { kind: 'own' }, by: 'ada' });
    run.done('t1');
    const again = resumed(run, run.snapshot, { delivery: { ...APPLY, verify: 'npm test' } });
    expect(startedIn(again.facts)).toMatchObject([{ to: { kind: 'apply' }, verify: 'npm test' }]);
    expect(again.effects).toEqual([{ kind: 'delivery.run' }]);
  });

  test('[R1] that was interrupted is not announced again if the terms did not change', () => {
    const run = changed(APPLY);
    run.done('t1');
    const again = resumed(run, run.snapshot);
    expect(again.facts).toEqual([{ kind: 'run.resumed', epoch: 2 }]);
    expect(again.effects).toEqual([{ kind: 'delivery.run' }]);
  });

  test('[L4] leads to one state of the result after every record', () => {
    const run = changed(APPLY);
    expect(resultState(run.snapshot)).toEqual(NO_RESULT);
    run.done('t1');
    const after = (...facts: readonly Fact[]) =>
      resultState(facts.reduce((snapshot, fact) => applyFact(snapshot, fact, run.now), run.snapshot));
    const failed = (code: FaultCode): Fact => ({
      kind: 'delivery.failed',
      workspace: MAIN_WORKSPACE,
      tree: AFTER,
      failure: { code, message: 'No.', class: 'logic' },
    });
    const trees = { before: BEFORE, after: AFTER, kept: [], by: 'ada' };
    const begun: Fact = { kind: 'project.changed', how: 'applied', isBeginning: true, ...trees };
    const applied: Fact = { kind: 'project.changed', how: 'applied', workspace: MAIN_WORKSPACE, tree: AFTER, ...trees };
    const undone: Fact = { kind: 'project.changed', how: 'rolled-back', ...trees };
    const unverified = 'It failed.';
    const onBranch = resultAs('branch', { where: 'troupe/run-1' });
    expect(after()).toEqual(resultAs('undelivered'));
    expect(after(failed('DISK_FULL'))).toEqual(resultAs('undelivered'));
    expect(after(failed('RESULT_NOT_VERIFIED'))).toEqual(resultAs('not-verified'));
    expect(after(failed('RESULT_IN_CONFLICT'))).toEqual(resultAs('unresolved'));
    expect(after(failed('APPROVAL_VOID'))).toEqual(resultAs('unapproved'));
    expect(after({ ...branch, how: 'not-verified' })).toEqual(resultAs('not-verified'));
    expect(after({ ...branch, how: 'conflict' })).toEqual(resultAs('conflict'));
    expect(after(branch)).toEqual(onBranch);
    expect(after({ ...branch, unverified })).toEqual({ ...onBranch, isUnverified: true });
    expect(after(branch, begun)).toEqual(resultAs('half-applied'));
    expect(after(begun, applied, { ...branch, how: 'applied' })).toEqual(resultAs('applied'));
    expect(after(begun, applied, { ...branch, how: 'applied', unverified })).toEqual(
      resultAs('applied', { isUnverified: true }),
    );
    expect(after(applied, { ...branch, how: 'applied', held: ['.npmrc'] })).toEqual(resultAs('held'));
    expect(after(applied, { ...branch, how: 'applied' }, undone)).toEqual(resultAs('waiting'));
    expect(after({ ...branch, how: 'unchanged' })).toEqual(NO_RESULT);
    const [taken, applies] = [{ ...applied, workspace: 'bob' } as const, { ...branch, workspace: 'bob' } as const];
    const ofBob: readonly Fact[] = [begun, taken, { ...applies, how: 'applied' }];
    expect(after({ ...branch, how: 'not-verified' }, ...ofBob)).toEqual(resultAs('not-verified'));
    expect(after(branch, ...ofBob)).toEqual(onBranch);
    expect(after(applied, { ...branch, how: 'applied', held: ['.npmrc'] }, ...ofBob)).toEqual(resultAs('held'));
    expect(after(applied, { ...branch, how: 'applied', held: ['.npmrc'] }, undone)).toEqual(resultAs('waiting'));
  });

  test('[R1] of files that are in the project stays applied, whatever copies are made of them later', () => {
    const run = changed(APPLY);
    run.done('t1');
    const after = (...facts: readonly Fact[]) =>
      resultState(facts.reduce((snapshot, fact) => applyFact(snapshot, fact, run.now), run.snapshot));
    const trees = { before: BEFORE, after: AFTER, kept: [], by: 'ada' };
    const applied: Fact = { kind: 'project.changed', how: 'applied', workspace: MAIN_WORKSPACE, tree: AFTER, ...trees };
    const whole: Fact = { ...branch, how: 'applied' };
    expect(after(applied, whole, branch)).toEqual(resultAs('applied'));
    expect(after(applied, whole, { ...branch, how: 'not-verified' })).toEqual(resultAs('applied'));
    expect(after(applied, { ...branch, how: 'applied', held: ['.npmrc'] }, branch)).toEqual(resultAs('held'));
    const undone: Fact = { kind: 'project.changed', how: 'rolled-back', ...trees };
    expect(after(applied, whole, branch, undone)).toEqual(resultAs('branch', { where: 'troupe/run-1' }));
  });

  test('[R1] that finds the files of its branch in the project leaves the result on that branch', () => {
    const run = changed({ to: { kind: 'own' }, by: 'ada' });
    run.done('t1');
    const facts: readonly Fact[] = [branch, { ...branch, how: 'unchanged' }];
    const snapshot = facts.reduce((now, fact) => applyFact(now, fact, run.now), run.snapshot);
    expect(resultState(snapshot)).toEqual(resultAs('branch', { where: 'troupe/run-1' }));
  });

  test('[R1] that is refused leaves the result on the branch or in the patch that holds the same files', () => {
    const run = changed({ to: { kind: 'own' }, by: 'ada' });
    run.done('t1');
    const after = (...facts: readonly Fact[]) =>
      resultState(facts.reduce((snapshot, fact) => applyFact(snapshot, fact, run.now), run.snapshot));
    const patch: DeliveryFinished = { ...branch, how: 'patch', where: 'changes.patch' };
    for (const how of ['not-verified', 'conflict'] as const) {
      const refused: Fact = { ...branch, how, conflicts: ['a.txt'] };
      expect(after(branch, refused)).toEqual(resultAs('branch', { where: 'troupe/run-1' }));
      expect(after(patch, refused)).toEqual(resultAs('patch', { where: 'changes.patch' }));
      expect(after(branch, { ...refused, tree: BEFORE }, refused)).toEqual(resultAs(how));
      const discarded: Fact = { kind: 'result.discarded', by: 'ada' };
      expect(after(branch, discarded, { ...discarded, isUndone: true }, refused)).toEqual(resultAs(how));
    }
  });

  test('[R1] comes to one of five states, and only a person discards it', () => {
    const run = changed(APPLY);
    const state = (...facts: readonly Fact[]) =>
      resultState(facts.reduce((snapshot, fact) => applyFact(snapshot, fact, run.now), run.snapshot)).state;
    expect(state()).toBe('none');
    run.done('t1');
    const discarded: Fact = { kind: 'result.discarded', by: 'ada' };
    expect(state()).toBe('waiting');
    expect(state(branch)).toBe('waiting');
    expect(asFound(resultAs('branch', { where: 'b' }), 'merged')).toEqual(resultAs('merged', { where: 'b' }));
    expect(resultAs('merged').state).toBe('delivered');
    expect(state({ ...branch, how: 'conflict' })).toBe('refused');
    expect(state(branch, discarded)).toBe('discarded');
    expect(state(branch, discarded, { ...discarded, isUndone: true })).toBe('waiting');
    expect(state({ ...branch, how: 'not-verified' }, discarded, { ...discarded, isUndone: true })).toBe('refused');
    const over = applyFact(run.snapshot, discarded, run.now);
    expect(owedDelivery(over)).toBeNull();
    expect(owedDelivery(applyFact(over, { ...discarded, isUndone: true }, run.now))).not.toBeNull();
  });

  test('[R1] that a person asked for is finished after an interruption, and its failure leaves the result where it was', () => {
    const run = changed(APPLY);
    run.done('t1');
    const delivered = applyFact(run.snapshot, branch, run.now);
    const asked: Fact = {
      kind: 'delivery.started',
      workspace: MAIN_WORKSPACE,
      tree: AFTER,
      to: { kind: 'branch', name: 'mine' },
      by: 'ada',
      isAsked: true,
    };
    const begun = applyFact(delivered, asked, run.now);
    expect(resultState(begun)).toEqual(resultAs('undelivered'));
    const again = resumed(run, begun);
    expect(again.facts).toEqual([{ kind: 'run.resumed', epoch: 2 }]);
    expect(again.effects).toEqual([{ kind: 'delivery.run' }]);
    const failure = { code: 'BRANCH_EXISTS', message: 'No.', class: 'config' } as const;
    const failed: Fact = { kind: 'delivery.failed', workspace: MAIN_WORKSPACE, tree: AFTER, failure };
    const after = applyFact(begun, failed, run.now);
    expect(resultState(after)).toEqual(resultState(delivered));
    expect(owedDelivery(after)).toBeNull();
  });

  test('[L4] that a check refused keeps the end of the check’s output, also once its files are accepted', () => {
    const run = changed(APPLY);
    run.done('t1');
    const output = [...Array.from({ length: 99 }, (_, at) => `line ${at}`), 'not ok 3 adds'].join('\n');
    const refused = {
      ...branch,
      how: 'not-verified',
      report: { output: `\u001B[31mFAIL a.test.ts\u001B[0m\n${output}` },
    };
    const after = applyFact(run.snapshot, refused as Fact, run.now);
    const printed = after.handed?.printed ?? '';
    expect(printed.split('\n')).toEqual(['FAIL a.test.ts', '[…]', ...output.split('\n').slice(-20)]);
    expect(applyFact(after, { ...branch, unverified: 'It failed.' }, run.now).handed?.printed).toBe(printed);
    expect(applyFact(after, branch, run.now).handed?.printed).toBeUndefined();
  });
});
