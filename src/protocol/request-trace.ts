import type { JsonObject } from '../core/json.ts';

/** One request to a model or a client, as `troupe prompt trace --json` lists it. Tokens are estimates unless they are reported. */
export interface RequestLine {
  /** Its number in the run, and among the requests of its agent in that run or a run below. */
  readonly number: number;
  readonly ofAgent: number;
  readonly run: string;
  /** The run that made it, where this one was forked from it later. */
  readonly inheritedFrom?: string;
  readonly agent: string;
  readonly state: string;
  readonly visit: number;
  readonly call: number;
  readonly attempt: number;
  /** The record that announced it; the one that answered it, if any. */
  readonly seq: number;
  readonly answeredSeq: number | null;
  readonly actor: 'model' | 'client';
  readonly model: string;
  readonly tokens: number;
  /** What the model takes; null for a client, which keeps its own. */
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
  /** Everything of the body besides tools, system and messages, such as the tool choice. */
  readonly settings: JsonObject;
  readonly blocks: readonly TracedBlock[];
  /** Where it first differs from the agent's request before it; null where there is none before it. */
  readonly difference: RequestDifference | null;
}

export interface TracedBlock {
  readonly section: 'tools' | 'system' | 'messages';
  readonly name: string;
  readonly kind: string;
  /** Where it comes from: the shared text, the role, the order, a record. */
  readonly origin: string;
  readonly text: string;
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
  /** What stands there in each, where both have something. */
  readonly before: string;
  readonly now: string;
}
