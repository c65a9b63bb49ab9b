import { describe, expect, test } from 'vitest';
import { foldRecords } from '../fold/fold.ts';
import { runId, treeId } from '../model/ids.ts';
import { openQuestions } from '../look/open-questions.ts';
import { openEffects, recover } from './recover.ts';
import type { Beginning } from './start.ts';
import { throwing } from '../testing/expressions.ts';
import { command, definitionOf, end, route, to, work, type DefinitionParts } from '../testing/definitions.ts';
import { plainSnapshot } from '../testing/plain-snapshot.ts';
import { failure, TestedRun } from '../testing/tested-run.ts';

const FILES = { tree: treeId('tree-0'), source: 'git' } as const;

function doing(parts: DefinitionParts = {}, beginning: Partial<Beginning> = {}): TestedRun {
  const states = [work('start', command(), { transitions: [to('stop')] }), end()];
  return new TestedRun(definitionOf(states, { onFailure: 'rollback', ...parts }), { files: FILES, ...beginning });
}

const rolledBack = (run: TestedRun, why: Parameters<typeof failure>[1] | null = null) =>
  run.send({ kind: 'rollback.done', failure: why === null ? null : failure('crash', why) });

describe('[RB1] a run that fails has its files restored before it settles', () => {
  test('the failure is kept, the files are restored, and the run ends after that', () => {
    const run = doing();
    const step = run.breaks('t1');
    expect(step.facts.map(({ kind }) => kind)).toEqual(['task.ended', 'rollback.started']);
    expect(step.effects).toEqual([{ kind: 'rollback.run' }]);
    expect(run.snapshot).toMatchObject({ status: 'running', rollingBack: { outcome: 'failed' }, result: null });
    expect(rolledBack(run).facts).toMatchObject([
      { kind: 'run.settled', outcome: 'failed', failure: { message: 't1 broke' } },
    ]);
    expect(run.snapshot).toMatchObject({ status: 'settled', rollingBack: null });
  });

  test.for([
    ['failed', true],
    ['crashed', true],
    ['timeout', true],
    ['partial', false],
    ['blocked', false],
    ['quota', false],
    ['cancelled', false],
    ['skipped', false],
  ] as const)('%s puts them back: %s', ([outcome, back]) => {
    const run = doing();
    run.breaks('t1', outcome);
    expect([run.snapshot.status, run.ofKind('rollback.started').length]).toEqual(
      back ? ['running', 1] : ['settled', 0],
    );
  });

  test('an end that says failed, a condition that throws and an unknown state restore them as well', () => {
    const ends = [
      [route('start', [to('bad')]), end('bad', 'failed')],
      [route('start', [to('stop', throwing)]), end()],
      [route('start', [to('nowhere')])],
    ] as const;
    for (const states of ends) {
      const run = new TestedRun(definitionOf(states, { onFailure: 'rollback' }), { files: FILES });
      expect(run.last.effects).toEqual([{ kind: 'rollback.run' }]);
      rolledBack(run);
      expect(run.snapshot.result?.outcome).toBe('failed');
    }
  });
});

describe('[RB2] files are kept', () => {
  const kept: readonly (readonly [string, DefinitionParts, Partial<Beginning>])[] = [
    ['where the workflow says nothing of it', { onFailure: 'keep' }, {}],
    ['in a child run, whose files are those of the run that decides', {}, { parent: runId('run-0') }],
    ['where no agent could touch any', {}, { files: undefined }],
  ];
  for (const [when, parts, beginning] of kept) {
    test(`files stay ${when}`, () => {
      const run = doing(parts, beginning);
      expect(run.breaks('t1').effects).toEqual([]);
      expect(run.snapshot.status).toBe('settled');
    });
  }

  test('when the run succeeded', () => {
    const run = doing();
    run.done('t1');
    expect(run.snapshot.result?.outcome).toBe('ok');
  });
});

describe('[RB3] a crash in the middle', () => {
  test('puts the files back again, and nothing else happens meanwhile', () => {
    const run = doing({ limits: { durationMs: 500 } });
    run.breaks('t1');
    const folded = foldRecords(run.records);
    expect(plainSnapshot(folded)).toEqual(plainSnapshot(run.snapshot));
    expect(openEffects(run.definition, folded).map(({ kind }) => kind)).toEqual(['timer.set', 'rollback.run']);
    const again = recover(run.definition, folded, { epoch: 2, at: 2000 });
    expect(again.facts).toEqual([{ kind: 'run.resumed', epoch: 2 }]);
    expect(again.effects.filter(({ kind }) => kind === 'rollback.run')).toHaveLength(1);
  });

  test('late answers, alarms and pauses change nothing while the files go back', () => {
    const run = doing({ limits: { durationMs: 500 } });
    run.breaks('t1');
    expect(run.done('t1').facts).toEqual([]);
    expect(run.pause().facts).toEqual([]);
    expect(run.timer('run/duration', 1500).facts).toEqual([]);
    expect(openQuestions(run.snapshot)).toEqual([]);
  });

  test('a cancel does not make a failure a cancelled run', () => {
    const run = doing();
    run.breaks('t1');
    run.send({ kind: 'run.cancel', by: 'someone', reason: 'enough' });
    expect(run.snapshot.status).toBe('running');
    rolledBack(run);
    expect(run.snapshot.result?.outcome).toBe('failed');
  });
});

describe('[RB4] files that could not be restored', () => {
  test('are reported with the failure, and the run ends anyway', () => {
    const run = doing();
    run.breaks('t1');
    rolledBack(run, 'disk full');
    expect(run.snapshot.result).toMatchObject({
      outcome: 'failed',
      failure: { message: 't1 broke', hint: 'The files could not be put back: disk full' },
    });
  });

  test('are the failure, if the run had none itself', () => {
    const states = [route('start', [to('bad')]), end('bad', 'failed')];
    const run = new TestedRun(definitionOf(states, { onFailure: 'rollback' }), { files: FILES });
    rolledBack(run, 'disk full');
    expect(run.snapshot.result?.failure).toMatchObject({ message: 'disk full' });
  });

  test('are reported once: a second end, or one of a run that rolls nothing back, is stale', () => {
    const run = doing();
    expect(rolledBack(run).facts).toEqual([]);
    run.breaks('t1');
    rolledBack(run);
    expect(rolledBack(run).facts).toEqual([]);
  });
});
