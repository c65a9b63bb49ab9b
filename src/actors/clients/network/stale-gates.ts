import { once } from 'node:events';
import { lstat, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';

/** How the folders of gates begin. */
export const GATE_PREFIX = 'troupe-gate-';

/** Removes what engines that were killed left here: our own folders with sockets at which nobody listens any more. */
export async function removeStaleGates(parent: string, now = Date.now()): Promise<void> {
  const names = await readdir(parent).catch((): string[] => []);
  const folders = names.filter((name) => name.startsWith(GATE_PREFIX)).map((name) => join(parent, name));
  for (const folder of folders) {
    if (await isStale(folder, now).catch(() => false)) await rm(folder, { recursive: true, force: true });
  }
}

/** One that is just being opened is not listened to either. */
const YOUNG_MS = 60_000;

async function isStale(folder: string, now: number): Promise<boolean> {
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || now - found.mtimeMs < YOUNG_MS) return false;
  const sockets = await readdir(folder);
  const heard = await Promise.all(sockets.map((name) => isHeard(join(folder, name))));
  return !heard.includes(true);
}

async function isHeard(path: string): Promise<boolean> {
  const caller = connect(path);
  const isThere = await once(caller, 'connect').then(
    () => true,
    () => false,
  );
  caller.destroy();
  return isThere;
}
