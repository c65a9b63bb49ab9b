import type { JournalRecord } from '../../../core/record/fact.ts';
import { applyRecord } from '../../../core/fold/fold.ts';
import { isJsonObject, type JsonObject } from '../../../core/model/json.ts';
import type { Snapshot } from '../../../core/fold/snapshot.ts';
import { unitsInOrder } from '../../../core/fold/units.ts';
import { TaskBook } from '../../../protocol/history/task-book.ts';
import type { CommittedRecord } from '../../../protocol/history/tree-order.ts';
import { KEPT } from '../rules/quest-state.ts';
import { describeRecord } from './quest-history.ts';
import { notesOf, type NewNote, type Notes, type TurnNote } from './quest-notes.ts';

/** A line about a record. */
export interface PlacedLine extends CommittedRecord {
  readonly text: string;
}

/** One run of a quest: where it stands, and what a snapshot forgets. It grows record by record. */
export class QuestPage {
  readonly #book = new TaskBook();
  readonly #notes: { readonly seq: number; readonly note: NewNote }[] = [];
  /** All of it, also what was undone. */
  readonly history: PlacedLine[] = [];
  /** Which unit has which slot, as `pool unit`. */
  slots: Readonly<Record<string, number>> = {};
  #snapshot: Snapshot | null = null;

  take(placed: CommittedRecord): void {
    const { record } = placed;
    const before = this.#snapshot;
    const snapshot = applyRecord(before, record);
    this.#snapshot = snapshot;
    this.#book.take(record);
    const happened = { before, snapshot, record, book: this.#book };
    for (const note of notesOf(happened)) this.#notes.push({ seq: record.seq, note });
    const text = describeRecord(happened);
    if (text !== null) this.history.push({ ...placed, text });
    this.slots = slotsNow(snapshot, this.slots);
  }

  get snapshot(): Snapshot {
    if (this.#snapshot === null) throw new Error('A page without records has no snapshot.');
    return this.#snapshot;
  }

  /** In order, without what was undone. */
  notes<Kind extends keyof Notes>(kind: Kind): readonly Notes[Kind][] {
    return this.#counting().flatMap(([of, note]) => (of === kind ? [note as Notes[Kind]] : []));
  }

  /** For a model the context replaces a session: a new one each time the context is cleared. */
  turns(): readonly (TurnNote & { readonly session: string })[] {
    const clears = new Map<string, number>();
    return this.#counting().flatMap(([kind, note]) => {
      if (kind === 'cleared') clears.set(note.context, (clears.get(note.context) ?? 0) + 1);
      return kind === 'turn' ? [{ ...note, session: `${note.context}#${(clears.get(note.context) ?? 0) + 1}` }] : [];
    });
  }

  #counting(): readonly NewNote[] {
    return this.#notes.flatMap(({ seq, note }) => (this.#book.lineage.counts(seq) ? [note] : []));
  }
}

export const unitKey = (pool: string, unit: string): string => `${pool} ${unit}`;

/** A unit keeps its slot while it runs; the next one takes the lowest free slot. */
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
export const isQuestData = (data: JsonObject): boolean => {
  const kept = keptQuest(data);
  return ['requirements', 'contexts', 'observables', 'steps', 'todo', 'done'].every((name) =>
    Array.isArray(kept[name]),
  );
};

/** The quest's state in the data of its run. */
export function keptQuest(data: JsonObject): JsonObject {
  const kept = data[KEPT];
  return isJsonObject(kept) ? kept : {};
}

export function isQuest([first]: readonly JournalRecord[]): boolean {
  const fact = first?.fact;
  return fact?.kind === 'run.started' && isJsonObject(fact.data) && isQuestData(fact.data);
}
