import { isFault } from '../../core/fault.ts';
import type { StreamBatch } from '../../protocol/web/stream.ts';

/** Why a run is followed no more, as it is told. */
export function lossOf(run: string, error: unknown): StreamBatch['lost'][number] {
  const message = error instanceof Error ? error.message : String(error);
  return { run, code: isFault(error) ? error.code : 'INTERNAL', message };
}
