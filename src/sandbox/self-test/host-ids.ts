import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * The user ids, as this process sees them, of all processes whose arguments carry the mark: taken when the test program has
 * made its first file, which then goes on.
 */
export async function hostIds(mark: string, files: Handshake): Promise<readonly number[]> {
  while (!files.signal.aborted && !existsSync(files.ready)) await delay(5);
  const ids = readdirSync('/proc').flatMap((pid) => {
    if (!readProc(pid, 'cmdline').includes(mark)) return [];
    return Number(/^Uid:\s+(\d+)/m.exec(readProc(pid, 'status'))?.[1] ?? 'NaN');
  });
  if (!files.signal.aborted) writeFileSync(files.goOn, '');
  return [...new Set(ids)];
}

export interface Handshake {
  readonly ready: string;
  readonly goOn: string;
  /** The test program has ended. */
  readonly signal: AbortSignal;
}

export function readProc(pid: string, file: string): string {
  try {
    return /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/${file}`, 'latin1') : '';
  } catch {
    return '';
  }
}
