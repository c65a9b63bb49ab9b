import { expect, test } from 'vitest';
import { runId } from '../../core/model/ids.ts';
import { resultAs, type ResultKind } from '../../core/look/result-state.ts';
import type { RunInfo } from '../../journal/port.ts';
import { PROJECT } from '../../protocol/operations/project.ts';
import { runsToPrune } from './prune-runs.ts';

const DEFAULT_RETENTION = PROJECT.prune.request.parse({});

const DAY = 86_400_000;
const NOW = 1000 * DAY;

function run(name: string, days: number, more: Partial<RunInfo> = {}): RunInfo {
  const at = NOW - days * DAY;
  return {
    run: runId(name),
    parent: null,
    workflow: 'w',
    project: '/p',
    title: '',
    at,
    updatedAt: at,
    seq: 1,
    tip: '',
    status: 'settled',
    outcome: 'ok',
    driven: false,
    ...more,
  };
}

const names = (runs: readonly RunInfo[]): readonly string[] => runs.map((info) => info.run);

test('[U1] a run goes when it settled long enough ago and newer ones of its project are kept', () => {
  const runs = [run('a', 1), run('b', 31), run('c', 60)];
  expect(names(runsToPrune(runs, { ...DEFAULT_RETENTION, keep: 1 }, NOW))).toEqual(['b', 'c']);
  expect(names(runsToPrune(runs, { ...DEFAULT_RETENTION, keep: 2 }, NOW))).toEqual(['c']);
  expect(names(runsToPrune(runs, DEFAULT_RETENTION, NOW))).toEqual([]);
  expect(names(runsToPrune(runs, { olderThanMs: 0, keep: 0 }, NOW))).toEqual(['a', 'b', 'c']);
});

test('[U1] each project keeps its own newest, and a run that was worked on lately counts as young', () => {
  const runs = [run('a', 90), run('b', 80, { project: '/q' }), run('c', 100, { updatedAt: NOW - DAY })];
  expect(names(runsToPrune(runs, { ...DEFAULT_RETENTION, keep: 1 }, NOW))).toEqual([]);
  expect(names(runsToPrune(runs, { ...DEFAULT_RETENTION, keep: 0 }, NOW)).toSorted()).toEqual(['a', 'b']);
});

test('[U1] a run that is open, or that somebody is at, is never pruned', () => {
  const open = (['running', 'waiting', 'paused'] as const).map((status) => run(status, 500, { status, outcome: null }));
  expect(runsToPrune([...open, run('driven', 500, { driven: true })], { olderThanMs: 0, keep: 0 }, NOW)).toEqual([]);
});

test('[R1] a result that waits for a decision in files of Troupe alone is never pruned', () => {
  const kinds: readonly ResultKind[] = ['waiting', 'patch', 'held', 'undelivered', 'not-verified', 'conflict'];
  const all = { olderThanMs: 0, keep: 0 };
  const waiting = kinds.map((kind) => run(kind, 500, { result: resultAs(kind) }));
  expect(names(runsToPrune(waiting, all, NOW))).toEqual([]);
  const archived = waiting.map((info) => ({ ...info, isArchived: true as const }));
  expect(names(runsToPrune(archived, all, NOW))).toEqual(kinds);
  const branch = run('branch', 500, { result: resultAs('branch', { where: 'troupe/branch' }) });
  const decided = (['applied', 'merged', 'discarded', 'none'] as const).map((kind) =>
    run(kind, 500, { result: resultAs(kind) }),
  );
  expect(names(runsToPrune([branch, ...decided], all, NOW))).toHaveLength(5);
});
