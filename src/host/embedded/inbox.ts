import type { InboxBody } from './inbox-body.ts';
import { LIMIT_CODES } from '../../core/model/limits.ts';
import type { Event } from '../../core/model/event.ts';
import type { LimitName } from '../../core/record/limit-fact.ts';
import type { RunId } from '../../core/model/ids.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/model/json.ts';
import { SURFACES } from '../../core/record/question-fact.ts';
import type { InboxMessage, Journal, Outgoing } from '../../journal/port.ts';
import type { Clock, World } from '../world.ts';
import type { Driver } from './driver.ts';

/** Checks are batched, so a burst of journal writes costs one check. */
const PAUSE_MS = 20;

const soon = (ring: () => void): (() => void) => {
  const timer = setTimeout(ring, PAUSE_MS);
  timer.unref();
  return () => clearTimeout(timer);
};

/** Work that must be done before a run takes an event. */
type First = (event: Event, driver: Driver) => Promise<void> | null;

/** Delivers messages of other processes to the runs driven here. A message is consumed with the facts it led to. */
export class Inbox {
  readonly #journal: Journal;
  readonly #drivers: ReadonlyMap<RunId, Driver>;
  #stopListening: (() => void) | null = null;
  readonly #clock: Clock;
  readonly #first: First;
  #forget: (() => void) | null = null;

  constructor({ journal, clock }: Pick<World, 'journal' | 'clock'>, drivers: ReadonlyMap<RunId, Driver>, first: First) {
    this.#journal = journal;
    this.#clock = clock;
    this.#drivers = drivers;
    this.#first = first;
  }

  /** Starts to listen with the first driven run, so that a host without runs costs nothing. */
  check(): void {
    this.#stopListening ??= this.#journal.onChange((changed) => {
      if (changed === null || [...changed].some((run) => this.#drivers.has(run))) this.#lookSoon();
    });
    this.#lookSoon();
  }

  close(): void {
    this.#stopListening?.();
    this.#stopListening = null;
    this.#forget?.();
    this.#forget = null;
  }

  #lookSoon(): void {
    if (this.#forget !== null || this.#stopListening === null) return;
    const look = (): void => {
      this.#forget = null;
      void this.#look();
    };
    this.#forget = this.#clock.soon?.(look) ?? soon(look);
  }

  async #look(): Promise<void> {
    for (const run of await this.#addressed()) {
      const driver = this.#drivers.get(run);
      if (driver !== undefined) await this.hear(driver);
    }
  }

  /** If the list of addressed runs cannot be read, each run is checked. */
  async #addressed(): Promise<readonly RunId[]> {
    try {
      return await this.#journal.addressed();
    } catch {
      return [...this.#drivers.keys()];
    }
  }

  /** Hands a run its waiting messages. If they cannot be read, the run must not continue: a cancel may be among them. */
  async hear(driver: Driver): Promise<void> {
    try {
      await this.#deliver(driver);
    } catch (error) {
      if (this.#stopListening !== null) driver.fail(error);
    }
  }

  async #deliver(driver: Driver): Promise<void> {
    for (const message of await this.#journal.inbox(driver.run)) this.#hand(driver, message);
  }

  /** Messages were just written. Those to runs driven here are read at once from the journal, which has all in order. */
  deliver(sent: readonly Outgoing[]): void {
    for (const run of new Set(sent.map((one) => one.run))) {
      const driver = this.#drivers.get(run);
      if (driver === undefined) continue;
      const over = driver.looks();
      void this.hear(driver).finally(over);
    }
  }

  #hand(driver: Driver, message: InboxMessage): void {
    // A slow check may show messages that were consumed meanwhile.
    if (driver.heard.has(message.id)) return;
    const event = eventOf(message.body);
    if (event === null) return;
    // A message that could not be delivered is delivered with the next check.
    const delivered = this.#tell(driver, event, message.id).catch(() => {
      driver.heard.delete(message.id);
      this.#lookSoon();
    });
    driver.heard.set(message.id, delivered);
  }

  /** Queued at once if nothing has to be done first, so that a run with a message never counts as quiet. */
  async #tell(driver: Driver, event: Event, message: string): Promise<void> {
    const first = this.#first(event, driver);
    if (first !== null) await first;
    await driver.tell(event, message);
  }
}

export function eventOf(given: Json | InboxBody): Event | null {
  const body = given as Json;
  if (!isJsonObject(body)) return null;
  if (AS_IT_IS.has(body['kind'])) return given as Event;
  const by = text(body['by'], 'unknown');
  switch (body['kind']) {
    case 'answer':
      return answerOf(body, by);
    case 'tell':
      return { kind: 'agent.told', agent: text(body['agent'], ''), text: text(body['text'], ''), by };
    case 'cancel':
      return { kind: 'run.cancel', by, reason: text(body['reason'], '') };
    case 'pause':
      return { kind: 'run.pause', by, reason: text(body['reason'], '') };
    case 'continue':
      return { kind: 'run.continue', by };
    case 'slot':
      return { kind: 'slot.move', to: 'given' };
    default:
      return changeOf(body, by);
  }
}

/** Messages between runs of the same tree: they are void once one of them was rolled back. */
export function isOfRuns(body: Json, parent: RunId | null): boolean {
  if (!isJsonObject(body)) return false;
  const { kind, by } = body;
  return kind === 'slot' || (kind === 'cancel' && by === parent) || (kind !== 'units.offered' && AS_IT_IS.has(kind));
}

/** Of a person, or of another run of the tree. */
export const isPause = (body: Json): boolean => eventOf(body)?.kind === 'run.pause';

/** Only runs send these, and their body is already an event. */
const AS_IT_IS: ReadonlySet<unknown> = new Set([
  'child.settled',
  'child.spent',
  'limit.share',
  'child.slot',
  'child.waits',
  'units.offered',
  'run.pause',
  'run.continue',
]);

function answerOf({ question, answer = null, via, answerId, mark }: JsonObject, by: string): Event {
  const surface = SURFACES.find((one) => one === via) ?? 'library';
  const files = typeof mark === 'string' ? { mark } : {};
  const id = typeof answerId === 'string' ? { answerId } : {};
  return { kind: 'question.answered', question: text(question, ''), answer, by, via: surface, ...id, ...files };
}

/** A change of the run's terms or limits. */
function changeOf({ kind, terms, limit, allowed }: JsonObject, by: string): Event | null {
  if (kind === 'terms' && isJsonObject(terms)) return { kind: 'terms.change', terms, by };
  return kind === 'raise' && isLimit(limit) ? { kind: 'limit.raise', limit, allowed: Number(allowed), by } : null;
}

/** Whether the question was answered already and the run has not taken the answer yet. */
export function isAnswerTo(body: Json, question: string): boolean {
  return isJsonObject(body) && body['kind'] === 'answer' && body['question'] === question;
}

const text = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

const isLimit = (value: unknown): value is LimitName => typeof value === 'string' && Object.hasOwn(LIMIT_CODES, value);
