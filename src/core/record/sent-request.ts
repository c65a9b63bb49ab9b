import type { BodyHash } from '../model/ids.ts';

/**
 * A request as it left, written so that it can be read again byte for byte: whatever Troupe, the project or the settings say
 * by then. Long texts that the journal holds anyway are named instead of repeated.
 */
export interface SentRequest {
  /** Names the request, and proves that it was read again as it was. */
  readonly digest: string;
  /** Whose wire format it has; null for a client, which gets texts and tools. */
  readonly provider: string | null;
  /** Estimated before it left. */
  readonly tokens: number;
  /** Tokens that the model takes, by what was known then; null where that was not known. */
  readonly window: number | null;
  /** An earlier request of the same run that begins and ends alike, and for how many characters. */
  readonly like?: { readonly digest: string; readonly start: number; readonly end: number };
  /** What marks places for a cache, and where it stands in the text without it. */
  readonly marks?: { readonly text: string; readonly places: readonly number[] };
  /** The text, or what stands between the beginning and the end of the earlier one. */
  readonly parts: readonly SentPart[];
}

/** Text as it stands in the request, or the name of a longer one. */
export type SentPart = string | NamedText;

export interface NamedText {
  /** A text of a record of the same run. */
  readonly text?: string;
  /** A text in the journal's store. */
  readonly body?: BodyHash;
  /** How often it is written as a JSON string inside another one; once by default. */
  readonly quoted?: number;
}
