import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldRecords } from '../../src/core/fold/fold.ts';
import { runId, type RunId } from '../../src/core/model/ids.ts';
import type { StoredRecord } from '../../src/core/record/stored-record.ts';
import { foldQuest } from '../../src/formats/quest/views/fold-quest.ts';
import { foldDebate } from '../../src/formats/review/views/fold-debate.ts';
import type { Clock } from '../../src/host/world.ts';
import type { Journal } from '../../src/journal/port.ts';
import { runView } from '../../src/protocol/run-view.ts';

/** The release a journal is recorded for: the first argument of every `record-*.ts`. */
export const VERSION = process.argv[2] ?? '0.1.0';

export const goldenFile = (name: string): string => join(import.meta.dirname, 'journals', `${VERSION}-${name}`);

/** What the views of a family make of its journals, in the order in which the runs began. */
export const FAMILY_GOLDEN: Readonly<Record<string, (journals: Journals) => unknown>> = {
  review: (journals) => foldDebate(journals[0]?.[1] ?? [], { title: '', driven: false }),
  quest: (journals) => foldQuest(journals[0]?.[0] ?? runId('none'), new Map(journals)),
};

type Journals = readonly (readonly [RunId, readonly StoredRecord[]])[];

/** Every look at it is ten milliseconds later. Its alarms never ring. */
export function tickingClock(): Clock {
  let now = Date.UTC(2026, 0, 1);
  return { now: () => (now += 10), alarm: () => () => undefined };
}

interface GoldenOptions {
  readonly name: string;
  readonly plain: (text: string) => string;
}

/** Writes a run's journal, what it folds to, and its view. `plain` takes out what only the recording machine has. */
export async function writeGolden(
  journal: Journal,
  run: RunId,
  { name = run, plain = (text: string): string => text }: Partial<GoldenOptions> = {},
): Promise<void> {
  const records = await journal.read(run);
  const snapshot = foldRecords(records);
  const json = (value: unknown): string => `${plain(JSON.stringify(value, null, 1))}\n`;
  writeFileSync(goldenFile(`${name}.jsonl`), `${records.map((record) => plain(JSON.stringify(record))).join('\n')}\n`);
  writeFileSync(goldenFile(`${name}.view.json`), json(runView(snapshot)));
  writeFileSync(goldenFile(`${name}.snapshot.json`), json(snapshot));
}
