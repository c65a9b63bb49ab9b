import type { Json } from '../../core/json.ts';
import type { ScriptedFault, ScriptedUsage } from './rule.ts';

/** What is to be sent: a rule's reply with everything filled in. */
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
