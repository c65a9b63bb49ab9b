import type { FailureCode, FaultCode } from '../../core/codes/codes.ts';
import type { ActorCall } from '../../core/model/effect.ts';
import type { Fact, JournalRecord } from '../../core/record/fact.ts';
import type { CallAnswered, CallFailed } from '../../core/record/call-fact.ts';
import { isRunBelow } from '../../core/fold/open-children.ts';
import { applyRecord } from '../../core/fold/fold.ts';
import { type BodyHash, rootRunId, type RunId, type TaskId } from '../../core/model/ids.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import type { RootRun } from '../../host/embedded/shared-texts.ts';
import { SentReader } from '../../host/sent/sent-reader.ts';
import type { Journal } from '../../journal/port.ts';
import { TreeReader } from '../runs/tree-reader.ts';
import { TaskBook } from '../../protocol/history/task-book.ts';
import { RunNames } from '../../protocol/run-names.ts';
import { toArray } from '../../core/model/append-list.ts';
import type { Message } from '../../core/model/message.ts';

/** Knows with which record each message of a run came, by the message itself: the same text may be said more than once. */
class MessageRecords {
  readonly #records = new WeakMap<Message, JournalRecord>();

  /** Notes what is new in the run after this record. */
  take(record: JournalRecord, { before, now }: { readonly before: Snapshot | null; readonly now: Snapshot }): void {
    const added = listsOf(now).flatMap((list) => this.#addedTo(list, record));
    if (record.fact.kind !== 'context.trimmed' || before === null) {
      for (const message of added) this.#records.set(message, record);
      return;
    }
    // A message behind a gap is rebuilt with a remark on the gap; it is not a new message.
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

/** A call as the journal knows it: with where its run stood when it was made. */
export interface TracedCall {
  readonly run: RunId;
  readonly effect: ActorCall;
  readonly definition: Definition;
  readonly snapshot: Snapshot;
  /** What `logs` calls its run; null for the run that is looked at. */
  readonly step: string | null;
  /** The record that each message of its run came with. */
  readonly messages: MessageRecords;
  /** How often this call was sent, this time included. */
  readonly attempt: number;
  /** The run at the top, which has what all agents share. */
  readonly root: RootRun;
  /** All records of its run; those after `announced` came later. */
  readonly records: readonly JournalRecord[];
  /** The record that announced it. */
  readonly announced: JournalRecord;
  readonly answered: (JournalRecord & { readonly fact: CallAnswered | CallFailed }) | null;
  /** The requests of its run, as they left. */
  readonly requests: SentReader;
}

/** Every call of a run and of those below it, in the order in which they were made. */
export async function tracedCalls(journal: Journal, root: RunId): Promise<readonly TracedCall[]> {
  const calls: OpenCall[] = [];
  const names = new RunNames();
  const readers = new Map<RunId, RunReader>();
  const top = new RunReader(journal, rootRunId(root));
  if (top.run === root) readers.set(root, top);
  else for (const record of await journal.read(top.run)) await top.take(record, top);
  for (const { run, record } of await new TreeReader(journal, root).readOn()) {
    names.learn(run, record.fact);
    const reader = readers.get(run) ?? new RunReader(journal, run);
    readers.set(run, reader);
    const made = await reader.take(record, top);
    if (made === null) continue;
    made.step = names.of(root, run)?.text ?? null;
    calls.push(made);
  }
  return withAttempts(calls.filter(({ isUnsent }) => !isUnsent));
}

/** The journal also counts requests that were measured and not sent; people count those that left. */
function withAttempts(sent: readonly OpenCall[]): readonly TracedCall[] {
  const counts = new Map<string, number>();
  return sent.map((call) => {
    const { run, effect, snapshot } = call;
    const kind = isSummary(call) ? `summary ${snapshot.tasks[effect.task]?.turn?.summaryCalls ?? 0}` : '';
    const key = `${run} ${effect.task} ${effect.call} ${kind}`;
    const attempt = (counts.get(key) ?? 0) + 1;
    counts.set(key, attempt);
    return { ...call, attempt };
  });
}

/** The conversation would not have fitted: the call asks for a summary of it. */
export const isSummary = ({ snapshot, effect }: Pick<TracedCall, 'snapshot' | 'effect'>): boolean =>
  snapshot.tasks[effect.task]?.turn?.summary !== undefined;

type OpenCall = { -readonly [Key in keyof TracedCall]: TracedCall[Key] } & {
  /** It would not have fitted, and another request was made in its place. */
  isUnsent: boolean;
};

const UNSENT: ReadonlySet<FailureCode | undefined> = new Set<FaultCode>(['WINDOW_TOO_SMALL', 'NO_PROGRESS']);

/** Folds one run, and notes its calls on the way. */
class RunReader {
  readonly #journal: Journal;
  readonly run: RunId;
  readonly #records: JournalRecord[] = [];
  readonly #messages = new MessageRecords();
  readonly #requests: SentReader;
  readonly #book = new TaskBook();
  readonly #open = new Map<TaskId, OpenCall>();
  #snapshot: Snapshot | null = null;
  #definition: Definition | null = null;

  constructor(journal: Journal, run: RunId) {
    this.#journal = journal;
    this.#requests = new SentReader(journal, this.#records);
    this.run = run;
  }

  /** The call that this record announces, if it does. */
  async take(record: JournalRecord, top: RunReader): Promise<OpenCall | null> {
    const { fact } = record;
    const snapshot = applyRecord(this.#snapshot, record);
    this.#messages.take(record, { before: this.#snapshot, now: snapshot });
    this.#snapshot = snapshot;
    this.#records.push(record);
    if (fact.kind === 'run.started' || fact.kind === 'run.redefined')
      this.#definition = await this.#read(fact.definition);
    this.#book.take(record);
    this.#close(record);
    // What is written together with the announcement was there when the call was made.
    for (const open of this.#open.values()) if (open.announced.at === record.at) open.snapshot = snapshot;
    return this.#announce(record, snapshot, top.state);
  }

  #close(record: JournalRecord): void {
    const { fact } = record;
    if (fact.kind !== 'call.answered' && fact.kind !== 'call.failed' && fact.kind !== 'task.ended') return;
    const open = this.#open.get(fact.task);
    this.#open.delete(fact.task);
    if (open === undefined) return;
    // The host measured it, and it did not leave.
    if (fact.kind !== 'call.answered') open.isUnsent = UNSENT.has(fact.failure?.code);
    if (fact.kind !== 'task.ended') open.answered = { ...record, fact };
  }

  async #read(hash: BodyHash): Promise<Definition> {
    return (await this.#journal.getBody(hash)) as unknown as Definition;
  }

  /** Where it stands now; null before its first record. */
  get state(): RootRun | null {
    return this.#snapshot === null || this.#definition === null
      ? null
      : { snapshot: this.#snapshot, definition: this.#definition };
  }

  #announce(record: JournalRecord, snapshot: Snapshot, root: RootRun | null): OpenCall | null {
    const announced = announcedBy(record.fact);
    const agent = this.#book.turnAgent(announced?.task ?? null);
    if (announced === null || agent === null || this.#definition === null || root === null) return null;
    const unsent = this.#open.get(announced.task);
    if (unsent !== undefined) unsent.isUnsent = true;
    // The call is made when the run goes on.
    if ('isHeld' in record.fact) return null;
    const call: OpenCall = {
      run: this.run,
      effect: { kind: 'actor.call', agent, ...announced },
      definition: this.#definition,
      snapshot,
      step: null,
      messages: this.#messages,
      attempt: 1,
      root,
      records: this.#records,
      announced: record,
      answered: null,
      requests: this.#requests,
      isUnsent: false,
    };
    this.#open.set(announced.task, call);
    return call;
  }
}

function announcedBy(fact: Fact): Pick<ActorCall, 'task' | 'call' | 'attempt'> | null {
  if (fact.kind === 'task.started')
    return fact.work.kind === 'turn' && !isRunBelow(fact.work) ? { task: fact.task, call: 1, attempt: 1 } : null;
  if (fact.kind === 'call.started') return { task: fact.task, call: fact.call, attempt: 1 };
  const isMadeAgain =
    fact.kind === 'call.retried' || fact.kind === 'compaction.started' || fact.kind === 'results.cleared';
  return isMadeAgain ? { task: fact.task, call: fact.call, attempt: fact.attempt } : null;
}
