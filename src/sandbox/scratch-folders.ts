import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../lib/make-folder.ts';
import { isAlive, ownIdentity } from '../lib/process-identity.ts';
import { removeWhole } from './remove-whole.ts';

/**
 * A new folder for what this process makes for its boxes. It is removed when this process exits at the latest. Its name says
 * which process made it, so the next one removes what a killed one left.
 */
export function scratchFolder(scratch: string, kind: 'etc' | 'overlay'): string {
  makeFolder(scratch, 0o700);
  removeForgotten(scratch);
  if (!isHooked) process.once('exit', removeMade);
  isHooked = true;
  const { pid, startedAt } = ownIdentity();
  const folder = mkdtempSync(join(scratch, `${kind}-${pidNamespace()}-${pid}-${startedAt ?? 0}-`));
  made.add(folder);
  return folder;
}

/** As soon as it is of no more use. */
export async function removeScratch(folder: string): Promise<void> {
  await removeWhole(folder);
  made.delete(folder);
}

let isHooked = false;
const made = new Set<string>();
const swept = new Set<string>();
const NAME = /^(?:etc|overlay)-(\d+)-(\d+)-(\d+)-/;
const DAY_MS = 86_400_000;

/** A folder that cannot be removed now is removed by the next process. */
function removeMade(): void {
  for (const folder of made) {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // As above.
    }
  }
}

function removeForgotten(scratch: string): void {
  if (swept.has(scratch)) return;
  swept.add(scratch);
  for (const name of readdirSync(scratch)) if (isForgotten(scratch, name)) void removeWhole(join(scratch, name));
}

/** A folder of another PID namespace is kept for a day, since its process cannot be looked up. */
function isForgotten(scratch: string, name: string): boolean {
  const [, namespace, pid, startedAt = null] = NAME.exec(name) ?? [];
  if (pid === undefined) return false;
  if (namespace === pidNamespace()) return !isAlive({ pid: Number(pid), startedAt, bootId: null });
  const stats = statSync(join(scratch, name), { throwIfNoEntry: false });
  return stats !== undefined && stats.mtimeMs < Date.now() - DAY_MS;
}

const pidNamespace = (): string => /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
