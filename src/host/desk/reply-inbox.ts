import { jsonEqual } from '../../core/model/json-equal.ts';
import type { Json } from '../../core/model/json.ts';
import type { ToolCall } from '../../core/model/message.ts';
import { readSignal } from '../../core/model/signal.ts';
import { WriterQueue } from '../perform/writer-queue.ts';
import type { DeskOrder } from './port.ts';

/** The answer to the agent. */
export interface Said {
  readonly text: string;
  readonly isError: boolean;
}

/** The replies of one turn, over any transport. Keeps [DK2] to [DK5]. */
export class ReplyInbox {
  readonly accepted: ToolCall[] = [];
  readonly #order: DeskOrder;
  readonly #turns = new WriterQueue();
  readonly #closing = new AbortController();
  readonly #holds: (() => () => void)[] = [];
  readonly #ends: (() => void)[] = [];
  #count = 0;
  #receipt: { readonly call: ToolCall; readonly text: string } | null = null;
  /** The error that kept the engine from checking, unless a later reply was accepted. */
  #fault: { readonly error: unknown } | null = null;

  constructor(order: DeskOrder) {
    this.#order = order;
  }

  async hand(name: string, given: Json): Promise<Said> {
    const { signal } = this.#closing;
    const call = readSignal({ id: `desk-${(this.#count += 1)}`, name, arguments: given });
    try {
      return await this.#turns.take(signal, () => this.#take(call));
    } catch (error) {
      if (signal.aborted) return OVER;
      this.#fault = { error };
      return UNCHECKED;
    }
  }

  async #take(call: ToolCall): Promise<Said> {
    if (this.#receipt !== null) return again(this.#receipt, call);
    if (!this.#order.tools.some(({ name }) => name === call.name)) return unknown(call, this.#order);
    const releases = this.#holds.map((hold) => hold());
    const taken = await this.#order
      .take(call, { signal: this.#closing.signal })
      .finally(() => releases.forEach((release) => release()));
    if (!taken.isAccepted) return { text: taken.text, isError: taken.isAnswered !== true };
    this.#receipt = { call, text: taken.text };
    this.#fault = null;
    this.accepted.push(call);
    for (const end of this.#ends) end();
    return { text: taken.text, isError: false };
  }

  onCheck(hold: () => () => void): void {
    this.#holds.push(hold);
  }

  onAccepted(end: () => void): void {
    this.#ends.push(end);
  }

  /** Resolves when every reply received so far was processed. */
  async settled(): Promise<void> {
    await this.#turns.take(new AbortController().signal, () => Promise.resolve());
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.settled();
    if (this.#fault !== null) throw this.#fault.error;
  }
}

const OVER: Said = { text: 'This step is over. Nothing more is taken: end your turn.', isError: true };

const UNCHECKED: Said = {
  text: 'The engine could not check this, and has noted why. It is nothing you can fix: end your turn.',
  isError: true,
};

function again(receipt: { readonly call: ToolCall; readonly text: string }, call: ToolCall): Said {
  const { name, arguments: given } = receipt.call;
  if (name === call.name && jsonEqual(given, call.arguments)) return { text: receipt.text, isError: false };
  const text = `This step is over: it ended with the ${name} that was accepted. Nothing more is taken: end your turn.`;
  return { text, isError: true };
}

function unknown({ name }: ToolCall, { tools }: DeskOrder): Said {
  const names = tools.map((tool) => tool.name).join(', ');
  return { text: `There is no tool ${JSON.stringify(name)} here. There is ${names}.`, isError: true };
}
