import type { RecordLine } from './record-page.ts';
import type { RunCard } from './run-card.ts';

/**
 * `POST /api/stream`: what a browser wants to hear of. The answer is a stream of server-sent events (`event: batch`), one stream
 * for all tabs. Whoever reconnects says again how far it has come, so nothing is missed and nothing needed twice.
 */
export interface StreamRequest {
  /** Cards of the board that change. */
  readonly cards: boolean;
  /** Runs to follow, with all runs below them: by run (root or child), the newest record that is known of it. */
  readonly after: Readonly<Record<string, number>>;
}

/** What came in a moment, in order. */
export interface StreamBatch {
  readonly records: readonly RecordLine[];
  readonly cards: readonly RunCard[];
  /** Words of models as they come; gone when the record with the whole answer is there. */
  readonly texts: readonly TextDelta[];
  /** Runs that cannot be followed any more. */
  readonly lost: readonly { readonly run: string; readonly code: string; readonly message: string }[];
}

export interface TextDelta {
  readonly run: string;
  readonly task: string;
  readonly agent: string;
  /** Where in the present answer it belongs: 0 begins a new one. */
  readonly offset: number;
  readonly text: string;
}
