import type { KeptRequest, RecentRequests } from './recent-requests.ts';
import type { JournalRecord } from '../../core/record/fact.ts';
import type { BodyHash, RunId, TaskId } from '../../core/model/ids.ts';
import type { SentPart, SentRequest } from '../../core/record/sent-request.ts';
import { sourceOf, type SeenMessage } from '../../core/look/view.ts';
import type { Journal } from '../../journal/port.ts';
import type { KnownSecrets } from '../../secrets/known-secrets.ts';
import { withoutMarks } from './cache-mark-places.ts';
import { commonEnds, tailOf } from './common-ends.ts';
import { digestOf, isLong, longTexts, textName } from './named-texts.ts';
import { sentParts, type KnownText } from './sent-parts.ts';

/** A request that is about to leave. */
export interface LeavingRequest extends Pick<SentRequest, 'provider' | 'tokens' | 'window'> {
  readonly task: TaskId;
  readonly agent: string;
  /** All of it, as it goes over the wire. */
  readonly text: string;
  /** Its parts: the texts before the conversation, and the conversation. */
  readonly texts: readonly string[];
  readonly messages: readonly SeenMessage[];
}

interface LogPlace {
  readonly run: RunId;
  readonly journal: Pick<Journal, 'putBody' | 'read'>;
  readonly secrets?: KnownSecrets | undefined;
  readonly recent: RecentRequests;
}

/**
 * Records the requests of one run as they leave. Each is stored as the difference to the previous request of its agent, with
 * names for texts that the run's records hold; texts that start many requests are stored once for all runs.
 */
export class SentLog {
  readonly #place: LogPlace;
  /** Names of the long texts in the run's records; null until a request leaves, which most scripted runs never do. */
  #known: Set<string> | null = null;
  /** Left, but not yet in the journal. */
  readonly #open = new Map<TaskId, { readonly agent: string; readonly kept: KeptRequest }>();

  constructor(place: LogPlace) {
    this.#place = place;
  }

  /** These records are in the journal: their texts can be referenced from now on. */
  take(records: readonly JournalRecord[]): void {
    if (this.#known === null) return;
    for (const { fact } of records) {
      for (const text of longTexts(fact)) this.#known.add(textName(text));
      if (fact.kind === 'call.answered' || fact.kind === 'call.failed') this.#close(fact.task, fact.sent?.digest);
      if (fact.kind === 'task.ended') this.#close(fact.task, undefined);
    }
  }

  /** Only a request in the journal can be referenced by a later one. */
  #close(task: TaskId, digest: string | undefined): void {
    const open = this.#open.get(task);
    this.#open.delete(task);
    if (open !== undefined && open.kept.digest === digest) this.#place.recent.keep(this.#keyOf(open.agent), open.kept);
  }

  #keyOf(agent: string): string {
    return `${this.#place.run} ${agent}`;
  }

  /** Undefined if it could not be stored: the call itself matters more. */
  async note(request: LeavingRequest): Promise<SentRequest | undefined> {
    try {
      return await this.#note(request);
    } catch {
      return undefined;
    }
  }

  async #note(request: LeavingRequest): Promise<SentRequest> {
    const { task, agent, provider, tokens, window } = request;
    if (this.#known === null) await this.#learn();
    const before = this.#place.recent.find(this.#keyOf(agent));
    // First, because the marks and the next request refer to positions in the kept text.
    const clean = this.#place.secrets?.redact(request.text) ?? request.text;
    const { text, ...marked } = withoutMarks(clean);
    const { start, end } = before === null ? NOTHING : commonEnds(before.text, text);
    const middle = text.slice(start, text.length - end);
    const like = before === null ? {} : { like: { digest: before.digest, start, end } };
    const digest = digestOf({ ...like, ...marked }, middle);
    const parts = await this.#parts(middle, request);
    this.#open.set(task, { agent, kept: { digest, text } });
    return { digest, provider, tokens, window, ...like, ...marked, parts };
  }

  /** Records added while reading are included. */
  async #learn(): Promise<void> {
    this.#known = new Set();
    this.take(await this.#place.journal.read(this.#place.run));
  }

  async #parts(middle: string, { texts, messages }: LeavingRequest): Promise<readonly SentPart[]> {
    const at = tailOf(middle);
    const [spoken, tail] = [middle.slice(0, at), middle.slice(at)];
    const leading = texts.filter((text) => isLong(text) && spoken.includes(this.#place.recent.common(text).quoted));
    // At once, so that they share a transaction.
    const [stored, ending] = await Promise.all([
      Promise.all(leading.map((text) => this.#stored(text))),
      isLong(tail) ? this.#store(tail) : null,
    ]);
    const groups = [stored, ...newestOf(messages, spoken.length).map((message) => this.#textsOf(message))];
    const parts = sentParts(
      spoken,
      groups.filter((group) => group.length > 0),
    );
    if (ending !== null) return [...parts, { body: ending, quoted: 0 }];
    return tail === '' ? parts : [...parts, tail];
  }

  async #stored(text: string): Promise<KnownText> {
    return { text, named: { body: await this.#store(text) }, quoted: [1] };
  }

  async #store(text: string): Promise<BodyHash> {
    const { recent, journal } = this.#place;
    return await recent.body(text, (body) => journal.putBody(body));
  }

  #textsOf(message: SeenMessage): readonly KnownText[] {
    const { content, toolCalls, meta } = sourceOf(message) ?? message;
    const spoken = longTexts([meta, content]).map((text) => ({ text, quoted: ONCE }));
    const given = longTexts(toolCalls?.map((call) => call.arguments)).map((text) => ({ text, quoted: ONCE_OR_TWICE }));
    return [...spoken, ...given].flatMap(({ text, quoted }) => {
      const name = textName(text);
      return this.#known?.has(name) === true ? [{ text, quoted, named: { text: name } }] : [];
    });
  }
}

/** The newest messages, enough to fill that many characters. */
function newestOf(messages: readonly SeenMessage[], characters: number): readonly SeenMessage[] {
  let from = messages.length;
  // A repeated passage is shorter in the request than in the message.
  for (let left = 2 * characters; from > 0 && left > 0; from -= 1) left -= messages[from - 1]?.content.length ?? 0;
  return messages.slice(from);
}

const NOTHING = { start: 0, end: 0 };
const [ONCE, ONCE_OR_TWICE] = [[1], [1, 2]];
