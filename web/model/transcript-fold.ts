import { compactionText } from '../../src/core/look/compaction-text.ts';
import { openingOf, resultMessage } from '../../src/core/step/turn/turn-progress.ts';
import type { Activity } from '../../src/core/record/agent-fact.ts';
import type { JournalRecord } from '../../src/core/record/fact.ts';
import type { CallAnswered, ToolFinished } from '../../src/core/record/call-fact.ts';
import type { TaskEnded, TaskStarted } from '../../src/core/record/task-fact.ts';
import type { Message, ToolCall } from '../../src/core/model/message.ts';
import type { Failure } from '../../src/core/model/outcome.ts';
import { Rows, takeWith, type Takers } from '../../src/protocol/history/rows.ts';
import type { TaskBook } from '../../src/protocol/history/task-book.ts';
import type { Entry, NoteEntry, SaidEntry, EntryStanding, ShownToolUse } from './transcript-entry.ts';

export interface Transcript {
  /** In order. */
  readonly entries: readonly Entry[];
  /** By agent: the places of what belongs to its turns. */
  readonly byAgent: ReadonlyMap<string, readonly number[]>;
}

/** All messages and activities of one run, each once: conversations differ by their readers. */
export class TranscriptFold {
  readonly #run: string;
  readonly #book: TaskBook;
  readonly #rows = new Rows<Entry>();
  readonly #byAgent = new Map<string, number[]>();
  readonly #turns = new Map<string, Turn>();
  /** By task and call, or task and activity: where it is. */
  readonly #uses = new Map<string, number>();
  readonly #activities = new Map<string, number>();
  /** By entry: how it stood after which records, for a run that is put back. */
  readonly #stood: { readonly seq: number; readonly standing: EntryStanding }[][] = [];
  #seq = 0;
  #view: Transcript | null = null;

  constructor(run: string, book: TaskBook) {
    this.#run = run;
    this.#book = book;
  }

  take(record: JournalRecord): void {
    this.#seq = record.seq;
    takeWith(TAKERS, this, record);
  }

  get view(): Transcript {
    const { list: entries } = this.#rows;
    if (this.#view?.entries !== entries) this.#view = { entries, byAgent: new Map(this.#byAgent) };
    return this.#view;
  }

  start({ task, state, work }: TaskStarted, record: JournalRecord): void {
    if (work.kind !== 'turn') return;
    const turn = { agent: work.agent, context: work.context, state, visit: this.#book.step.visit, places: [] };
    this.#turns.set(task, turn);
    const opening = openingOf(work);
    if (opening !== null) this.say(opening, record, { task });
  }

  say(message: Message, { seq, at }: JournalRecord, given: Said): void {
    const turn = given.task === undefined ? undefined : this.#turns.get(given.task);
    this.#add({
      kind: 'said',
      ...this.#placed(seq, at, given.task ?? null),
      key: `${this.#run} ${seq}${given.place === undefined ? '' : `.${given.place}`}`,
      context: turn?.context ?? given.context ?? null,
      standing: turn === undefined ? 'joined' : 'open',
      message,
      uses: given.uses ?? [],
      answer: given.answer ?? null,
    });
  }

  answer(fact: CallAnswered, record: JournalRecord): void {
    const { message, model, usage, costUsd, ms, rejected = {}, refused = {}, task } = fact;
    const uses = (message.toolCalls ?? []).map((call): ShownToolUse => {
      const objection = rejected[call.id] ?? refused[call.id] ?? null;
      return { id: call.id, name: call.name, given: call.arguments, status: 'running', result: null, objection };
    });
    this.say(message, record, { task, uses, answer: { model, usage, costUsd, ms } });
    for (const { id } of uses) this.#uses.set(`${task} ${id}`, this.#rows.count - 1);
  }

  /** The result is shown with its call; it is a separate entry only in an agent's own view. */
  finish(fact: ToolFinished, record: JournalRecord): void {
    const { task, toolCall, content, isError, ms, refused = null, tries = 1, accepted } = fact;
    const status =
      refused !== null || accepted === false ? 'refused' : accepted === true ? 'reply' : isError ? 'failed' : 'ok';
    this.#changeUse(task, toolCall, { status, result: { seq: record.seq, content, ms, refused, tries } });
    const author = this.#turns.get(task)?.agent ?? 'workflow';
    this.say(resultMessage(author, fact), record, { task });
  }

  permit(task: string, toolCall: string, status: ShownToolUse['status']): void {
    this.#changeUse(task, toolCall, { status });
  }

  /** Ends the wait of a question that a client asked. */
  settleAlone(
    task: string,
    toolCall: string,
    { at, isAllowed }: { readonly at: number; readonly isAllowed: boolean },
  ): void {
    const place = this.#activities.get(`${task} ask ${toolCall}`);
    const known = this.#rows.at(place);
    if (known?.kind !== 'activity') return;
    this.#rows.change(place, { activity: { ...known.activity, status: isAllowed ? 'ok' : 'denied' }, endedAt: at });
  }

  /** A client asks with the call itself, which is in no answer of its. */
  askAlone(task: string, { id, name, arguments: given }: ToolCall, record: JournalRecord): void {
    const activity: Activity = {
      id: `ask ${id}`,
      kind: 'notice',
      name: `wants to use ${name}`,
      status: 'running',
      text: JSON.stringify(given),
    };
    this.do(task, activity, record);
  }

  do(task: string, activity: Activity, { seq, at }: JournalRecord): void {
    const key = `${task} ${activity.id}`;
    const place = this.#activities.get(key);
    const known = this.#rows.at(place);
    const endedAt = activity.status === 'running' ? null : at;
    if (known?.kind === 'activity')
      return this.#rows.change(place, {
        activity: { ...known.activity, ...activity },
        endedAt: known.endedAt ?? endedAt,
      });
    this.#activities.set(key, this.#rows.count);
    const placed = { ...this.#placed(seq, at, task), key: `${this.#run} ${seq} ${activity.id}` };
    this.#add({ kind: 'activity', ...placed, standing: 'joined', activity, endedAt });
  }

  note(record: JournalRecord, note: Note): void {
    const { task = null, context, ...words } = note;
    const placed = this.#placed(record.seq, record.at, task);
    const { failure, tone = 'plain', outcome = null } = words;
    this.#add({
      kind: 'note',
      ...placed,
      key: `${this.#run} ${record.seq} note`,
      context: context ?? placed.context,
      standing: 'joined',
      tone,
      text: words.text ?? failure?.message ?? '',
      code: failure?.code ?? null,
      outcome,
    });
  }

  /** A turn joins its conversation in one piece, or never. */
  end({ task, outcome, failure }: TaskEnded, record: JournalRecord): void {
    const turn = this.#turns.get(task);
    if (turn === undefined) return;
    this.#close(turn, outcome === 'ok');
    if (failure !== null) this.note(record, { task, failure, tone: 'bad', outcome });
  }

  #close({ places }: Turn, isGood: boolean): void {
    let isHeard = false;
    for (const place of places.toReversed()) {
      const entry = this.#rows.at(place);
      isHeard ||= entry !== undefined && isOfAgent(entry);
      if (entry?.kind === 'said' && entry.standing === 'open')
        this.#stand(place, isGood ? 'joined' : isHeard ? 'apart' : 'lost', usesLeft(entry));
    }
  }

  clear(context: string): void {
    this.#mark((entry) => entry.context === context && entry.standing === 'joined');
  }

  trim(context: string, dropped: number): void {
    let left = dropped;
    this.#mark(
      (entry) =>
        entry.kind === 'said' &&
        entry.context === context &&
        entry.standing === 'joined' &&
        entry.message.role !== 'system' &&
        left-- > 0,
    );
  }

  /** Sets entries back to their state at the rollback's target. */
  rewind(): void {
    const { lineage } = this.#book;
    for (const [place, stood] of this.#stood.entries()) {
      const { standing = 'undone' } = stood.findLast(({ seq }) => lineage.counts(seq)) ?? {};
      if (this.#rows.at(place)?.standing !== standing) this.#rows.change(place, { standing });
    }
  }

  #mark(isGone: (entry: Entry) => boolean): void {
    for (const [place, entry] of this.#rows.list.entries()) if (isGone(entry)) this.#stand(place, 'gone');
  }

  #stand(place: number, standing: EntryStanding, change: Partial<SaidEntry> = {}): void {
    this.#stood[place]?.push({ seq: this.#seq, standing });
    this.#rows.change(place, { ...change, standing });
  }

  #changeUse(task: string, id: string, change: Partial<ShownToolUse>): void {
    const place = this.#uses.get(`${task} ${id}`);
    const entry = this.#rows.at(place);
    if (entry?.kind !== 'said') return;
    this.#rows.change(place, { uses: entry.uses.map((use) => (use.id === id ? { ...use, ...change } : use)) });
  }

  #placed(
    seq: number,
    at: number,
    task: string | null,
  ): Pick<NoteEntry, 'run' | 'seq' | 'at' | 'context' | 'task' | 'agent' | 'state' | 'visit'> {
    const turn = task === null ? undefined : this.#turns.get(task);
    const { state, visit } = turn ?? this.#book.step;
    return { run: this.#run, seq, at, task, context: turn?.context ?? null, agent: turn?.agent ?? null, state, visit };
  }

  #add(entry: Entry): void {
    const place = this.#rows.add(entry);
    this.#stood.push([{ seq: entry.seq, standing: entry.standing }]);
    if (entry.task !== null) this.#turns.get(entry.task)?.places.push(place);
    if (entry.agent === null) return;
    const own = this.#byAgent.get(entry.agent) ?? [];
    this.#byAgent.set(entry.agent, own);
    own.push(place);
  }
}

const usesLeft = ({ uses }: SaidEntry): Pick<SaidEntry, 'uses'> => ({
  uses: uses.map((use): ShownToolUse => (use.result === null ? { ...use, status: 'left' } : use)),
});

/** Whether an entry is an agent's own, which shows that it has read everything before. */
const isOfAgent = (entry: Entry): boolean =>
  entry.kind === 'activity' || (entry.kind === 'said' && entry.answer !== null);

interface Turn {
  readonly agent: string;
  readonly context: string;
  readonly state: string;
  readonly visit: number;
  readonly places: number[];
}

interface Said {
  readonly task?: string;
  readonly context?: string;
  /** Of several that one record tells of. */
  readonly place?: number;
  readonly uses?: SaidEntry['uses'];
  readonly answer?: SaidEntry['answer'];
}

interface Note {
  readonly task?: string;
  readonly context?: string;
  readonly text?: string;
  readonly failure?: Failure;
  readonly tone?: NoteEntry['tone'];
  readonly outcome?: NoteEntry['outcome'];
}

type Opened = readonly { readonly name: string; readonly messages: readonly Message[] }[];

function open(fold: TranscriptFold, contexts: Opened, record: JournalRecord): void {
  let place = 0;
  for (const { name, messages } of contexts)
    for (const message of messages) fold.say(message, record, { context: name, place: (place += 1) });
}

const TAKERS: Takers<TranscriptFold> = {
  'run.started': (fold, { contexts }, record) => open(fold, contexts, record),
  'run.redefined': (fold, { contexts = [] }, record) => open(fold, contexts, record),
  'task.started': (fold, fact, record) => fold.start(fact, record),
  'task.ended': (fold, fact, record) => fold.end(fact, record),
  'call.answered': (fold, fact, record) => fold.answer(fact, record),
  'call.failed': (fold, { task, failure, retryAt }, record) =>
    // A failure that ends the turn is shown with its end.
    retryAt === null ? undefined : fold.note(record, { task, failure, tone: 'warn' }),
  'tool.finished': (fold, fact, record) => fold.finish(fact, record),
  'turn.nudged': (fold, { task, text }, record) =>
    fold.say({ author: 'troupe', role: 'user', content: text }, record, { task }),
  'results.cleared': (fold, fact, record) => fold.note(record, { task: fact.task, text: compactionText(fact) }),
  'compaction.started': (fold, fact, record) => fold.note(record, { task: fact.task, text: compactionText(fact) }),
  'turn.compacted': (fold, fact, record) => {
    fold.note(record, { task: fact.task, text: compactionText(fact) });
    fold.say({ author: 'troupe', role: 'user', content: fact.text }, record, { task: fact.task });
  },
  'permission.asked': (fold, { task, toolCall, call }, record) =>
    call === undefined ? fold.permit(task, toolCall, 'asks') : fold.askAlone(task, call, record),
  'permission.settled': (fold, { task, toolCall, isAllowed, by }, record) => {
    fold.permit(task, toolCall, isAllowed ? 'running' : 'refused');
    fold.settleAlone(task, toolCall, { at: record.at, isAllowed });
    fold.note(record, { task, text: `${by} ${isAllowed ? 'allowed it' : 'did not allow it'}.` });
  },
  'activity.noted': (fold, { task, items }, record) => items.forEach((item) => fold.do(task, item, record)),
  'message.added': (fold, { context, message }, record) => fold.say(message, record, { context }),
  'question.answered': (fold, { answer, by }, record) => {
    const content = typeof answer === 'string' ? answer : JSON.stringify(answer);
    fold.say({ author: by === '' ? 'person' : by, role: 'user', content }, record, {});
  },
  'context.cleared': (fold, { context }, record) => {
    fold.clear(context);
    fold.note(record, { context, text: 'The conversation was cleared: what is above is no longer part of it.' });
  },
  'context.trimmed': (fold, { context, dropped }, record) => {
    fold.trim(context, dropped);
    fold.note(record, {
      context,
      text: `The ${dropped} oldest messages are not sent any more: the conversation had grown too long.`,
    });
  },
  'run.forked': (fold, { from }, record) =>
    fold.note(record, { text: `Forked from ${from.run} at record ${from.seq}.` }),
  'run.rewound': (fold, { to, state, by }, record) => {
    if (state !== null) fold.rewind();
    fold.note(record, {
      text: `${by} put ${state === null ? 'the files' : 'the run'} back to record ${to}.`,
      tone: 'warn',
    });
  },
};
