import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../lib/make-folder.ts';
import { isAlive, ownIdentity } from '../lib/process-identity.ts';
import { rm } from 'node:fs/promises';
import { orElse } from '../lib/or-else.ts';
import { runProcess } from '../lib/run-process.ts';

/**
 * A new folder for what this process makes for its boxes, removed at the latest when this process exits. Its name says which
 * process made it, so that the next one removes what a killed one left.
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

/** As soon as it is no longer needed. */
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
  for (const folder of made) orElse(() => rmSync(folder, { recursive: true, force: true }), undefined);
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

/** Removes a folder with all that is in it, folders that are closed to their owner included. */
export async function removeWhole(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch {
    const script = 'chmod -R u+rwX -- "$0"; rm -rf -- "$0"';
    const env = { PATH: '/usr/bin:/bin' };
    await runProcess(['/bin/sh', '-c', script, folder], { cwd: '/', env, containment: 'group' });
  }
}
