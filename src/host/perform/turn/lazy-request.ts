import type { CallRequest, OwedReply } from '../../../actors/port.ts';
import type { SeenMessage } from '../../../core/look/view.ts';

/** Built as one object of one form, whatever the request has. */
export type RequestHead = Omit<CallRequest, 'messages' | 'introduction' | 'owed'> & {
  readonly introduction: string | undefined;
  readonly owed: OwedReply | undefined;
};

/**
 * A request whose conversation is built on demand: an agent with its own session needs none of it.
 *
 * A class on purpose. A getter in an object literal gives every object its own hidden class, which V8 keeps in the old
 * generation, with everything the getter closes over, until a full collection.
 */
export class LazyRequest implements CallRequest {
  readonly run: CallRequest['run'];
  readonly agent: string;
  readonly role: CallRequest['role'];
  readonly state: string;
  readonly visit: number;
  readonly call: number;
  readonly attempt: number;
  readonly idempotencyKey: string;
  readonly shared: string;
  readonly tools: CallRequest['tools'];
  declare readonly introduction?: string;
  declare readonly owed?: OwedReply;
  readonly #build: () => readonly SeenMessage[];
  #messages: readonly SeenMessage[] | null = null;

  constructor(head: RequestHead, build: () => readonly SeenMessage[]) {
    this.run = head.run;
    this.agent = head.agent;
    this.role = head.role;
    this.state = head.state;
    this.visit = head.visit;
    this.call = head.call;
    this.attempt = head.attempt;
    this.idempotencyKey = head.idempotencyKey;
    this.shared = head.shared;
    this.tools = head.tools;
    if (head.introduction !== undefined) this.introduction = head.introduction;
    if (head.owed !== undefined) this.owed = head.owed;
    this.#build = build;
  }

  get messages(): readonly SeenMessage[] {
    this.#messages ??= this.#build();
    return this.#messages;
  }
}
