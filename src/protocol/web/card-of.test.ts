import { resultAs, type ResultKind } from '../../core/look/result-state.ts';
import { expect, test } from 'vitest';
import { NO_USAGE } from '../../core/model/usage.ts';
import { faceOf, startClock } from '../../core/fold/work-clock.ts';
import { cardOf, type CardSource, type CardedRun } from './card-of.ts';
import type { CardDetails } from './run-card.ts';
import type { QueuedReason } from '../status-word.ts';

const INFO: CardedRun = {
  run: 'r',
  workflow: 'w',
  title: 'Fix it',
  project: '/p',
  at: 10,
  status: 'running',
  outcome: null,
  seq: 3,
  updatedAt: 20,
  driven: true,
};
const DETAILS: CardDetails = {
  usage: NO_USAGE,
  costUsd: 0,
  clock: faceOf(startClock(1)),
  state: 's',
  agents: [],
  questions: [],
  failure: null,
  hints: [],
};
const card = (info: Partial<CardedRun>, more: Partial<CardSource> = {}) =>
  cardOf({ info: { ...INFO, ...info }, below: [], details: null, damage: null, ...more });

test('[U2] [WL10] a run is running only while a process drives it; else it needs somebody', () => {
  expect(card({})).toMatchObject({ status: 'running', column: 'running' });
  expect(card({ driven: false })).toMatchObject({ status: 'stopped', column: 'needs-you' });
});

test('[U8] [WL10] a run that no worker drives is queued, and needs somebody where no worker will', () => {
  const soon: QueuedReason = { kind: 'free-soon', text: 'waits for a free worker' };
  expect(card({ driven: false, queued: soon })).toMatchObject({ status: 'queued', queued: soon, column: 'running' });
  const sleeps: QueuedReason = { kind: 'sleeps', text: 'sleeps until 7', until: 7 };
  expect(card({ driven: false, queued: sleeps })).toMatchObject({ status: 'queued', column: 'running' });
  const queued: QueuedReason = { kind: 'lacks', text: 'no worker offers label gpu' };
  expect(card({ driven: false, queued })).toMatchObject({ status: 'queued', queued, column: 'needs-you' });
  const below = [{ status: 'waiting', updatedAt: 1 }] as const;
  const asking = card({ driven: false, queued }, { below });
  expect([asking.status, asking.queued]).toEqual(['waiting', undefined]);
});

test('[U2] [WL10] a run that asks or met a limit needs somebody, also where a run below it does', () => {
  expect(card({ status: 'waiting' })).toMatchObject({ status: 'waiting', column: 'needs-you' });
  const below = [{ status: 'waiting', updatedAt: 50 }] as const;
  expect(card({}, { below })).toMatchObject({ status: 'waiting', column: 'needs-you', updatedAt: 50 });
  expect(card({}, { below: [...below, { status: 'paused', updatedAt: 1 }] })).toMatchObject({ status: 'paused' });
});

test('[U2] [WL10] a run that is over is done when it came out well and its result was taken', () => {
  const over = { status: 'settled', driven: false } as const;
  expect(card({ ...over, outcome: 'ok' }, { details: DETAILS })).toMatchObject({ column: 'done', status: 'settled' });
  const columnOf = (kind: ResultKind, more: Partial<CardSource> = {}) =>
    card({ ...over, outcome: 'ok', result: resultAs(kind, { where: 'troupe/r' }) }, more).column;
  expect([columnOf('waiting'), columnOf('branch'), columnOf('conflict')]).toEqual(['ready', 'ready', 'failed']);
  expect([columnOf('applied'), columnOf('branch', { taken: 'merged' }), columnOf('discarded')]).toEqual(
    Array.from({ length: 3 }, () => 'done'),
  );
  expect(card({ ...over, outcome: 'failed', result: resultAs('discarded') }).column).toBe('done');
  for (const outcome of ['failed', 'partial', 'blocked'] as const) {
    expect(card({ ...over, outcome }, { details: DETAILS }).column).toBe('failed');
  }
  expect(card({ ...over, outcome: 'partial', result: resultAs('waiting') }).column).toBe('ready');
  for (const outcome of ['partial', 'failed', 'blocked'] as const)
    expect(card({ ...over, outcome, result: resultAs('applied') }).column).toBe('done');
  expect(card({ ...over, outcome: 'partial', result: resultAs('conflict') }).column).toBe('failed');
  expect(card({ ...over, outcome: 'cancelled' }).column).toBe('done');
  expect(card({ ...over, outcome: 'ok' }, { damage: 'Record 3 is damaged.' })).toMatchObject({
    column: 'failed',
    damage: 'Record 3 is damaged.',
  });
});

test('[U2] [WL10] it ended when it settled; until that is read, when it last changed', () => {
  const over = { status: 'settled', outcome: 'ok' } as const;
  expect(card(over, { details: { ...DETAILS, clock: { ...DETAILS.clock, endedAt: 15 } } }).endedAt).toBe(15);
  expect(card(over).endedAt).toBe(20);
  expect(card({}).endedAt).toBeNull();
});
