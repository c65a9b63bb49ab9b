import type { JournalRecord } from '../../core/record/fact.ts';
import type { SentPart, SentRequest } from '../../core/record/sent-request.ts';
import type { Journal } from '../../journal/port.ts';
import { withMarksAt } from './cache-mark-places.ts';
import { digestOf, longTexts, quotedText, textName } from './named-texts.ts';

/** Number of cached texts: each request of an agent is read with the one before it. */
const MOST_KEPT = 8;

/** Reads the requests of one run back, exactly as they left. */
export class SentReader {
  readonly #journal: Pick<Journal, 'getBody'>;
  readonly #records: readonly JournalRecord[];
  /** How many of the records the maps below cover. */
  #covered = 0;
  readonly #texts = new Map<string, string>();
  readonly #requests = new Map<string, SentRequest>();
  readonly #kept = new Map<string, string>();

  /** `records`: all records of the run; more may be added to the list. */
  constructor(journal: Pick<Journal, 'getBody'>, records: readonly JournalRecord[]) {
    this.#journal = journal;
    this.#records = records;
  }

  /** Null if a part of it is missing, so that it cannot be shown exactly. */
  async read(request: SentRequest): Promise<string | null> {
    this.#cover();
    const chain = this.#chainTo(request);
    let text: string | null = null;
    for (const one of chain) {
      // The similar request is not in the journal.
      if (one.like !== undefined && text === null && !this.#kept.has(one.digest)) return null;
      text = this.#kept.get(one.digest) ?? (await this.#text(one, text ?? ''));
      if (text === null) return null;
      this.#keep(one.digest, text);
    }
    return text === null ? null : withMarksAt(text, request.marks);
  }

  #cover(): void {
    for (; this.#covered < this.#records.length; this.#covered += 1) {
      const fact = this.#records[this.#covered]?.fact;
      for (const text of longTexts(fact)) this.#texts.set(textName(text), text);
      const sent = fact?.kind === 'call.answered' || fact?.kind === 'call.failed' ? fact.sent : undefined;
      // A request that was sent again unchanged only refers to the first.
      if (sent !== undefined && !this.#requests.has(sent.digest)) this.#requests.set(sent.digest, sent);
    }
  }

  /** The chain from the nearest request that is written out or cached to this one. */
  #chainTo(request: SentRequest): readonly SentRequest[] {
    const chain = [request];
    for (const one of chain) {
      const before = this.#requests.get(one.like?.digest ?? '');
      if (before === undefined || this.#kept.has(one.digest) || chain.includes(before)) break;
      chain.push(before);
    }
    return chain.reverse();
  }

  async #text(request: SentRequest, before: string): Promise<string | null> {
    const { like, parts, digest } = request;
    const written = await Promise.all(parts.map((part) => this.#part(part)));
    const middle = written.join('');
    if (written.includes(null) || digestOf(request, middle) !== digest) return null;
    if (like === undefined) return middle;
    return `${before.slice(0, like.start)}${middle}${before.slice(before.length - like.end)}`;
  }

  async #part(part: SentPart): Promise<string | null> {
    if (typeof part === 'string') return part;
    const text = part.body === undefined ? this.#texts.get(part.text ?? '') : await this.#journal.getBody(part.body);
    return typeof text === 'string' ? quotedText(text, part.quoted) : null;
  }

  #keep(digest: string, text: string): void {
    this.#kept.delete(digest);
    this.#kept.set(digest, text);
    for (const oldest of [...this.#kept.keys()].slice(0, -MOST_KEPT)) this.#kept.delete(oldest);
  }
}
