import { Fault, isFault } from '../../core/model/fault.ts';
import type { StreamBatch } from '../../protocol/web/stream.ts';
import { faultToFix } from '../../workspace/store/store-fault.ts';

/** The message that says why a run is no longer followed. */
export function lossOf(run: string, error: unknown): StreamBatch['lost'][number] {
  const fault = isFault(error) ? error : faultToFix(error, 'the disk');
  const message = error instanceof Error ? error.message : String(error);
  return { run, code: fault?.code ?? 'INTERNAL', message: fault?.message ?? message };
}

/** A client has more records than the journal: it was restored from a copy, or replaced. */
export const shorter = (run: string, seq: number, known: number): Fault =>
  new Fault('RUN_SHORTER', `${run} has ${seq} records; ${known} were known of it.`);
