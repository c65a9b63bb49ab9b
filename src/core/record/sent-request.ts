import type { BodyHash } from '../model/ids.ts';

/**
 * A request as it was sent, stored so that it can be read back byte for byte, whatever Troupe, the project or the settings
 * say later. Long texts that the journal already holds are referenced.
 */
export interface SentRequest {
  /** Identifies the request, and proves that it was read back exactly. */
  readonly digest: string;
  /** Whose wire format it has; null for a client, which gets texts and tools. */
  readonly provider: string | null;
  /** Estimated before it left. */
  readonly tokens: number;
  /** Tokens that the model takes, by what was known then; null where that was not known. */
  readonly window: number | null;
  /** An earlier request of the same run with the same beginning and end, and how many characters they share. */
  readonly like?: { readonly digest: string; readonly start: number; readonly end: number };
  /** Cache markers, and where they stand in the text without them. */
  readonly marks?: { readonly text: string; readonly places: readonly number[] };
  /** The text, or the part between the beginning and the end of the earlier one. */
  readonly parts: readonly SentPart[];
}

/** Text of the request, or the name of a longer one. */
export type SentPart = string | NamedText;

export interface NamedText {
  /** A text of a record of the same run. */
  readonly text?: string;
  /** A text in the journal's store. */
  readonly body?: BodyHash;
  /** How often it is written as a JSON string inside another one; once by default. */
  readonly quoted?: number;
}
