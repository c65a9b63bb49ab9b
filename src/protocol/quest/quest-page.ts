import { append, emptyList, toArray, type AppendList } from '../../core/append-list.ts';
import type { JournalRecord } from '../../core/fact.ts';
import { applyRecord } from '../../core/fold.ts';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import { unitsInOrder } from '../../core/units.ts';
import { tellRecord } from './quest-history.ts';
import { NO_NOTES, takeNotes, type Notes } from './quest-notes.ts';
import type { HistoryLine } from './quest-view.ts';

/** One run of a quest: where it stands, and what a snapshot forgets. A fold, so that it can grow record by record. */
export interface QuestPage {
  readonly snapshot: Snapshot;
  readonly notes: Notes;
  /** What was noted after which record: a run that is put back has the notes of then. */
  readonly past: AppendList<{ readonly seq: number; readonly notes: Notes }>;
  /** All of it, also what was undone. */
  readonly history: AppendList<Omit<HistoryLine, 'step'>>;
  /** Which unit has which slot, as `pool unit`. */
  readonly slots: Readonly<Record<string, number>>;
  readonly settledAt: number | null;
}

export function foldPage(records: readonly JournalRecord[], page: QuestPage | null = null): QuestPage | null {
  return records.reduce<QuestPage | null>((before, record) => turnPage(before, record), page);
}

function turnPage(page: QuestPage | null, record: JournalRecord): QuestPage {
  const { seq, at, fact } = record;
  const before = page?.snapshot ?? null;
  const snapshot = applyRecord(before, record);
  const past = page?.past ?? emptyList();
  const earlier = page?.notes ?? NO_NOTES;
  const isPutBack = fact.kind === 'run.rewound' && fact.state !== null;
  const notes = isPutBack ? notesAt(past, fact.to) : takeNotes(earlier, { before, snapshot, record });
  const text = tellRecord({ before, snapshot, record });
  const history = page?.history ?? emptyList();
  return {
    snapshot,
    notes,
    past: notes === earlier && page !== null ? past : append(past, { seq, notes }),
    history: text === null ? history : append(history, { at, run: snapshot.run, seq, text }),
    slots: slotsNow(snapshot, page?.slots ?? {}),
    settledAt: snapshot.status !== 'settled' ? null : fact.kind === 'run.settled' ? at : (page?.settledAt ?? null),
  };
}

const notesAt = (past: QuestPage['past'], to: number): Notes =>
  toArray(past).findLast(({ seq }) => seq <= to)?.notes ?? NO_NOTES;

export const unitKey = (pool: string, unit: string): string => `${pool} ${unit}`;

/** A unit keeps its slot while it runs; whoever comes next takes the lowest that is free. */
function slotsNow(snapshot: Snapshot, before: QuestPage['slots']): QuestPage['slots'] {
  const running = Object.values(snapshot.tasks).flatMap((task) =>
    unitsInOrder(task)
      .filter(({ status }) => status === 'running')
      .map(({ id }) => unitKey(task.id, id)),
  );
  if (running.length === 0) return Object.keys(before).length === 0 ? before : {};
  const kept = Object.entries(before).filter(([key]) => running.includes(key));
  const come = running.filter((key) => before[key] === undefined);
  if (come.length === 0 && kept.length === Object.keys(before).length) return before;
  const taken = new Set(kept.map(([, slot]) => slot));
  const given = come.map((key): [string, number] => {
    let slot = 1;
    while (taken.has(slot)) slot += 1;
    taken.add(slot);
    return [key, slot];
  });
  return Object.fromEntries([...kept, ...given]);
}

/** Whether a run is a quest: by what its workflow keeps, so that a copy under another name is one too. */
export const isQuestData = (data: JsonObject): boolean =>
  ['requirements', 'contexts', 'observables', 'steps', 'todo', 'done'].every((name) => Array.isArray(data[name]));

export function isQuest([first]: readonly JournalRecord[]): boolean {
  const fact = first?.fact;
  return fact?.kind === 'run.started' && isJsonObject(fact.data) && isQuestData(fact.data);
}
