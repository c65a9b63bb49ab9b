import { append, emptyList, toArray, type AppendList } from '../../core/append-list.ts';
import type { JournalRecord } from '../../core/fact.ts';
import { applyRecord } from '../../core/fold.ts';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import { unitsInOrder } from '../../core/units.ts';
import { tellRecord } from './quest-history.ts';
import { emptyNotes, takeNotes, type Happened, type Notes } from './quest-notes.ts';
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
}

export function foldPage(records: readonly JournalRecord[], page: QuestPage | null = null): QuestPage | null {
  return records.reduce<QuestPage | null>((before, record) => turnPage(before ?? emptyPage(), record), page);
}

type EmptyPage = Omit<QuestPage, 'snapshot'> & { readonly snapshot: Snapshot | null };

const emptyPage = (): EmptyPage => ({
  snapshot: null,
  notes: emptyNotes(),
  past: emptyList(),
  history: emptyList(),
  slots: {},
});

function turnPage(page: EmptyPage, record: JournalRecord): QuestPage {
  const { seq, at } = record;
  const snapshot = applyRecord(page.snapshot, record);
  const happened = { before: page.snapshot, snapshot, record };
  const notes = notesAfter(page, happened);
  const text = tellRecord(happened);
  return {
    snapshot,
    notes,
    past: notes === page.notes ? page.past : append(page.past, { seq, notes }),
    history: text === null ? page.history : append(page.history, { at, run: snapshot.run, seq, text }),
    slots: slotsNow(snapshot, page.slots),
  };
}

/** A run that is put back has the notes of then. */
function notesAfter({ notes, past }: EmptyPage, happened: Happened): Notes {
  const { fact } = happened.record;
  if (fact.kind !== 'run.rewound' || fact.state === null) return takeNotes(notes, happened);
  return toArray(past).findLast(({ seq }) => seq <= fact.to)?.notes ?? emptyNotes();
}

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
