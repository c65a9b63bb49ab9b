import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NO_RESULT } from '../../src/core/look/result-state.ts';
import { chargeOf } from '../../src/core/record/charge.ts';
import type { JournalRecord } from '../../src/core/record/fact.ts';
import { foldRecords } from '../../src/core/fold/fold.ts';
import { addCost, addUsage } from '../../src/core/model/usage.ts';
import { RunLogLines } from '../../src/protocol/log-lines/run-log-lines.ts';
import { Metrics } from '../../src/protocol/metrics/metrics.ts';
import { otlpRequest } from '../../src/telemetry/send-spans.ts';
import { TraceFold } from '../../src/telemetry/run-spans.ts';
import { requestProblems } from './otlp-schema.ts';

const FOLDER = join(import.meta.dirname, '../golden/journals');
const journals = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'));

const recordsOf = (name: string): readonly JournalRecord[] =>
  readFileSync(join(FOLDER, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JournalRecord);

test.each(journals)('[U9] %s: its spans fit the schema, have unique ids, and hang together', (name) => {
  const fold = new TraceFold({ traceId: 'a'.repeat(32), parentSpanId: null, hasContent: true });
  const spans = recordsOf(name).flatMap((record) => fold.take('r', record));
  expect(requestProblems(otlpRequest(spans, { attributes: { 'service.name': 'x' }, version: '1' }))).toEqual([]);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  const isSettled = foldRecords(recordsOf(name)).status === 'settled';
  const ids = new Set([null, ...spans.map(({ spanId }) => spanId)]);
  expect(!isSettled || spans.every(({ parentSpanId }) => ids.has(parentSpanId))).toBe(true);
});

test.each(journals)('[PH8] %s: its lines are in order and bear their names', (name) => {
  const teller = new RunLogLines('r');
  const lines = recordsOf(name).flatMap((record) => teller.linesOf(record));
  expect(lines.length).toBeGreaterThan(3);
  const names = lines.map(({ seq, part = 1 }) => `${seq}.${part}`);
  expect(new Set(names).size).toBe(names.length);
  expect(lines.every(({ duration_ms }) => duration_ms === null || duration_ms >= 0)).toBe(true);
});

test.each(journals)('[PH8] %s: what is counted is what the run says it spent', (name) => {
  const records = recordsOf(name);
  const snapshot = foldRecords(records);
  const own = records.findLastIndex(({ fact }) => fact.kind === 'run.forked');
  const metrics = new Metrics(snapshot.at);
  metrics.add({
    run: snapshot.run,
    title: '',
    project: '',
    status: 'settled',
    driven: false,
    result: NO_RESULT,
    records: records.map((record, index) => ({ run: snapshot.run, record, isInherited: index < own })),
  });
  const view = metrics.view();
  // What the runs below spent stands in their own journals, which are not here.
  const below = records.flatMap(({ fact }) => chargeOf(fact) ?? []).filter(({ isOfChild }) => isOfChild);
  expect(below.reduce((sum, charge) => addUsage(sum, charge.usage), view.usage)).toEqual(snapshot.usage);
  const cost = below.reduce((sum, charge) => addCost(sum, charge.costUsd), view.costUsd);
  expect(cost === null ? null : cost.toFixed(9)).toBe(snapshot.costUsd === null ? null : snapshot.costUsd.toFixed(9));
  expect(view.agents.reduce((sum, { usage }) => sum + usage.calls, 0)).toBeLessThanOrEqual(snapshot.usage.calls);
  for (const { durationMs } of [...view.phases, view.tasks]) expect(durationMs.total).toBeGreaterThanOrEqual(0);
});
