import { Fault, isFault } from '../../core/fault.ts';
import type { StreamBatch } from '../../protocol/web/stream.ts';

/** Why a run is followed no more, as it is told. */
export function lossOf(run: string, error: unknown): StreamBatch['lost'][number] {
  const message = error instanceof Error ? error.message : String(error);
  return { run, code: isFault(error) ? error.code : 'INTERNAL', message };
}

/** Somebody knows more of it than there is: it was put back from a copy, or is another one. */
export const shorter = (run: string, seq: number, known: number): Fault =>
  new Fault('RUN_SHORTER', `${run} has ${seq} records; ${known} were known of it.`);
