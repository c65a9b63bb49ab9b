import type { JsonObject } from '../core/json.ts';

/** One request to a model or a client, as `troupe prompt trace --json` lists it. */
export interface RequestLine {
  /** Its number in the list of the whole run: `--call`, `--diff` and the page use this one and no other. */
  readonly number: number;
  readonly run: string;
  /** What `logs` calls the run below that made it; null for the run itself. */
  readonly step: string | null;
  /** The run that made it, where this one was forked from it later. */
  readonly inheritedFrom?: string;
  readonly agent: string;
  readonly state: string;
  readonly visit: number;
  readonly call: number;
  /** How often this call was sent, this time included. */
  readonly attempt: number;
  /** It asks for a summary of the conversation, which then takes the conversation's place. */
  readonly isSummary: boolean;
  /** The record that announced it; the one that answered it, if any. */
  readonly seq: number;
  readonly answeredSeq: number | null;
  /** The code of the failure that came back; null where an answer came, or nothing yet. */
  readonly failure: string | null;
  /** What came back, in short: text and tools called; null where a failure came, or nothing yet. */
  readonly answer: string | null;
  readonly actor: 'model' | 'client';
  readonly model: string;
  /** Estimated before it left, by the rule that decides on compaction. */
  readonly tokens: number;
  /** The provider's own count; null where it reported none. */
  readonly countedTokens: number | null;
  /** What the model takes; null where that is not known, and for a client, which keeps its own conversation. */
  readonly window: number | null;
  readonly cache: RequestCache;
  /** What the journal says was taken out of the conversation before it. */
  readonly cut: readonly string[];
}

export interface RequestCache {
  /** Share of the request that a prompt cache should hold, from 0 to 1. */
  readonly predicted: number;
  /** The share that the provider reported; null where it reported no input. */
  readonly reported: number | null;
}

/** The whole request. */
export interface RequestView extends RequestLine {
  /** Everything of the body besides model, tools, system and messages, such as the tool choice. */
  readonly settings: JsonObject;
  readonly blocks: readonly TracedBlock[];
  /** What came back, in full; null where nothing has yet. */
  readonly wholeAnswer: string | null;
  /** Where it first differs from the agent's request before it; null where there is none before it. */
  readonly difference: RequestDifference | null;
  /** What of it is not known, or not what left. */
  readonly notes: readonly string[];
}

export interface TracedBlock {
  readonly section: 'tools' | 'system' | 'messages';
  readonly name: string;
  readonly kind: string;
  /** Where it comes from: the shared text, the role, the order, a record. */
  readonly origin: string;
  readonly text: string;
  /** Its share of the estimate. */
  readonly tokens: number;
  readonly isMarked: boolean;
}

export interface RequestDifference {
  /** The request it is compared with. */
  readonly with: number;
  /** Blocks that are the same from the start. */
  readonly same: number;
  /** The request only goes on from there. */
  readonly isLonger: boolean;
  /** The block in which they differ, and the line of its text. */
  readonly block: string;
  readonly line: number;
  /** That line in each; empty where one of them has no such line. */
  readonly before: string;
  readonly now: string;
}
