import { toArray } from '../../core/append-list.ts';
import type { JournalRecord } from '../../core/fact.ts';
import type { Message } from '../../core/message.ts';
import type { Snapshot } from '../../core/snapshot.ts';

/** Knows with which record each message of a run came, by the message itself: the same text may be said more than once. */
export class MessageRecords {
  readonly #records = new WeakMap<Message, JournalRecord>();

  /** Notes what is new in the run after this record. */
  take(record: JournalRecord, { before, now }: { readonly before: Snapshot | null; readonly now: Snapshot }): void {
    const added = listsOf(now).flatMap((list) => this.#addedTo(list, record));
    if (record.fact.kind !== 'context.trimmed' || before === null) {
      for (const message of added) this.#records.set(message, record);
      return;
    }
    // A message behind a gap is made anew with a remark on it; it was said before.
    const known = listsOf(before).flat();
    for (const message of added) {
      const same = known.find(({ author, content }) => author === message.author && content === message.content);
      this.#records.set(message, (same && this.#records.get(same)) ?? record);
    }
  }

  of(message: Message): JournalRecord | undefined {
    return this.#records.get(message);
  }

  /** Messages are added at the end, except by the few facts that make a conversation smaller. */
  #addedTo(list: readonly Message[], { fact }: JournalRecord): readonly Message[] {
    if (REWRITING.has(fact.kind)) return list.filter((message) => !this.#records.has(message));
    const last = list.findLastIndex((message) => this.#records.has(message));
    return list.slice(last + 1);
  }
}

const REWRITING: ReadonlySet<JournalRecord['fact']['kind']> = new Set(['results.cleared', 'context.trimmed']);

function listsOf({ contexts, tasks }: Snapshot): readonly (readonly Message[])[] {
  const turns = Object.values(tasks).flatMap(({ turn }) => (turn === null ? [] : [toArray(turn.messages)]));
  return [...Object.values(contexts).map(({ messages }) => toArray(messages)), ...turns];
}
