import { Fault, isFault } from '../../core/model/fault.ts';
import type { StreamBatch } from '../../protocol/web/stream.ts';
import { faultToFix } from '../../workspace/store/store-fault.ts';

/** Why a run is followed no more, as it is told. */
export function lossOf(run: string, error: unknown): StreamBatch['lost'][number] {
  const fault = isFault(error) ? error : faultToFix(error, 'the disk');
  const message = error instanceof Error ? error.message : String(error);
  return { run, code: fault?.code ?? 'INTERNAL', message: fault?.message ?? message };
}

/** Somebody knows more of it than there is: it was put back from a copy, or is another one. */
export const shorter = (run: string, seq: number, known: number): Fault =>
  new Fault('RUN_SHORTER', `${run} has ${seq} records; ${known} were known of it.`);
