import type { Json } from '../../core/model/json.ts';

/** The answers of the scripted model. The first rule that fits a request and is not used up wins. */
export interface Scenario {
  readonly rules: readonly Rule[];
  /** Tokens that it takes; a larger request is refused in the words of the vendor. Without it every request is taken. */
  readonly window?: number;
}

export const EMPTY_SCENARIO: Scenario = { rules: [] };

export interface Rule {
  readonly when: Condition;
  readonly answer:
    | { readonly kind: 'reply'; readonly reply: Reply }
    /** One reply a round of tool results: the first before any, the second after the first round, … */
    | { readonly kind: 'steps'; readonly steps: readonly Reply[] };
  /** How often the rule may be used at all; null is without end. */
  readonly times: number | null;
}

/** Every field given must fit; a list fits when one of its entries does. */
export interface Condition {
  readonly role?: readonly string[];
  readonly agent?: readonly string[];
  readonly state?: readonly string[];
  readonly model?: readonly string[];
  readonly visit?: readonly number[];
  readonly call?: readonly number[];
  readonly attempt?: readonly number[];
  /** Looked for in the newest message; for a rule with steps in what the user said last, which all of them answer. */
  readonly contains?: string | RegExp;
}

export type Reply = Say | BadArguments | FaultReply;

export interface Say {
  readonly kind: 'say';
  readonly text: string;
  /** Reasoning that comes before the text, signed as its vendor signs it. */
  readonly think: string;
  readonly tools: readonly ScriptedTool[];
  /** Null counts characters. */
  readonly usage: ScriptedUsage | null;
  readonly delayMs: number;
  /** Between the pieces of the stream. */
  readonly paceMs: number;
  /** Characters a piece of the stream; null is a built-in size. */
  readonly chunk: number | null;
  readonly finish: 'done' | 'length' | 'filtered';
}

export interface ScriptedTool {
  readonly name: string;
  readonly arguments: Json;
  /** The arguments as any text, sent unchanged. */
  readonly raw: string | null;
}

/** `input` counts all of the prompt, cached or not. */
export interface ScriptedUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export const SILENCE: Say = {
  kind: 'say',
  text: '',
  think: '',
  tools: [],
  usage: null,
  delayMs: 0,
  paceMs: 0,
  chunk: null,
  finish: 'done',
};

/** A tool call that is no JSON (`text`) or does not fit its schema (`schema`). */
export interface BadArguments {
  readonly kind: 'bad-arguments';
  readonly how: 'text' | 'schema';
  /** Null takes the parsing tool, or else the first tool offered. */
  readonly tool: string | null;
  readonly times: number | null;
  readonly afterwards: Reply | null;
}

/** Something goes wrong: always, or the first `times` tries. */
export interface FaultReply {
  readonly kind: 'fault';
  readonly fault: ScriptedFault;
  readonly times: number | null;
  /** Null answers as if no rule had fitted. */
  readonly afterwards: Reply | null;
}

export type ScriptedFault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter: number | null;
      /** The endpoint's word for it, such as `insufficient_quota`. */
      readonly error: string | null;
      readonly message: string | null;
    }
  | { readonly kind: 'overloaded' }
  /** The request is larger than the scenario's window. */
  | { readonly kind: 'overflow'; readonly tokens: number; readonly window: number }
  /** An error event inside a stream that began well. */
  | { readonly kind: 'stream-error'; readonly error: string }
  | { readonly kind: 'cut'; readonly text: string }
  | { readonly kind: 'hang' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'empty' };

/** A rule's reply with everything filled in. */
export type ScriptedOutcome = ScriptedAnswer | { readonly kind: 'fault'; readonly fault: ScriptedFault };

export interface ScriptedAnswer {
  readonly kind: 'answer';
  /** Part of every id the wire format makes up. */
  readonly id: string;
  readonly text: string;
  readonly think: string;
  readonly calls: readonly ScriptedCall[];
  readonly usage: ScriptedUsage;
  readonly delayMs: number;
  readonly paceMs: number;
  readonly chunk: number | null;
  readonly finish: 'done' | 'length' | 'filtered';
}

export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  /** Text where it does not parse. */
  readonly arguments: Json;
  /** Sent instead of `arguments` when not null. */
  readonly raw: string | null;
}

export const argumentsText = (call: ScriptedCall): string => call.raw ?? JSON.stringify(call.arguments);
