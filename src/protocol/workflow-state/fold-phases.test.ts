import { expect, test } from 'vitest';
import { runId } from '../../core/model/ids.ts';
import { foldArtifacts } from '../artifacts/fold-artifacts.ts';
import { foldPhases } from './fold-phases.ts';
import {
  began,
  callOf,
  ended,
  entered,
  inPool,
  made,
  putBack,
  testRecords,
  testTree,
  turnOf,
  work,
  type TestFact,
} from './testing/test-records.ts';

const phases = (...facts: readonly TestFact[]) => foldPhases(runId('r'), testRecords([began('r'), ...facts]), []);

const short = (...facts: readonly TestFact[]): readonly string[] =>
  phases(...facts).map(({ phase, status, outcome, times }) => `${phase} ${status} ${outcome} ${times}`);

const POOL: readonly TestFact[] = [
  work('t1', 'all', { kind: 'pool' }),
  {
    kind: 'units.added',
    task: 't1',
    by: null,
    units: ['plan', 'build', 'fix'].map((id) => ({ id, after: [], item: null })),
  },
];

test('[PH5] the units of a pool are phases, with what came of each', () => {
  const facts = [
    ...POOL,
    inPool(work('t2', 'all', callOf('w/plan')), 't1', 'plan'),
    ended('t2'),
    inPool(work('t3', 'all', callOf('w/build')), 't1', 'build'),
  ];
  expect(short(...facts)).toEqual(['plan ended ok 1', 'build running null 1', 'fix pending null 0']);
  expect(phases(...facts)[0]).toMatchObject({
    state: 'all',
    started_at: '1970-01-01T00:00:04.000Z',
    completed_at: '1970-01-01T00:00:05.000Z',
    duration: 1,
    run: 'r/t2',
  });
  expect(phases(...facts)[1]).toMatchObject({ completed_at: null, duration: null, run: 'r/t3' });
});

test('[L5] a unit that never began says why', () => {
  const facts = [
    ...POOL,
    { kind: 'unit.ended', task: 't1', unit: 'fix', outcome: 'skipped', reason: 'No need.' } as const,
  ];
  expect(phases(...facts)[2]).toMatchObject({
    outcome: 'skipped',
    reason: 'No need.',
    times: 0,
    started_at: null,
    duration: null,
  });
});

test('[PH5] without a pool the states are phases in which somebody worked', () => {
  const facts = [
    entered('route'),
    work('t1', 'route', { kind: 'compute', program: 'p', input: null }),
    ended('t1'),
    entered('write', 'route'),
    work('t2', 'write', turnOf('x')),
    ended('t2', 'failed', { code: 'C', message: 'No.', class: 'logic' }),
    work('t3', 'write', turnOf('x')),
    ended('t3'),
  ];
  expect(short(...facts)).toEqual(['write ended ok 2']);
  expect(phases(...facts)[0]).toMatchObject({ reason: null, duration: 2, run: null });
});

test('[PH7] a run that was put back has the phases of then', () => {
  const facts = [...POOL, inPool(work('t2', 'all', callOf('w/plan')), 't1', 'plan'), ended('t2'), putBack(3)];
  expect(short(...facts)).toEqual(['plan pending null 0', 'build pending null 0', 'fix pending null 0']);
});

test('[PH5] a phase lists its artifacts', () => {
  const artifacts = foldArtifacts(
    testTree([
      ['r', made('t9', 'a.md', { phase: 'plan' })],
      ['r', made('t9', 'a.md', { phase: 'plan', hash: 'bb22' })],
      ['r', made('t9', 'b.ts', { phase: 'build' })],
    ]),
  );
  const folded = foldPhases(runId('r'), testRecords([began('r'), ...POOL]), artifacts);
  expect(folded.map(({ outputs }) => outputs)).toEqual([['a.md'], ['b.ts'], []]);
});
