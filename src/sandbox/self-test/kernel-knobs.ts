import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Files by which the kernel is steered and that somebody may write, found from outside: inside, a folder may not be listed and
 * its files be open all the same. Those of the tracing system are left out, since even closing one has an effect.
 */
export function kernelKnobs(): readonly string[] {
  const inProc = readdirSync('/proc').filter((name) => !/^(?:\d+|self|thread-self)$/.test(name));
  const folders = [...inProc.map((name) => join('/proc', name)), ...IN_SYS];
  return folders.flatMap((path) => writableIn(path, MAX_DEPTH));
}

const IN_SYS = ['kernel/mm', 'kernel/uevent_helper', 'power', 'module', 'fs/cgroup', 'devices/system/cpu'].map((name) =>
  join('/sys', name),
);
const MAX_DEPTH = 8;

function writableIn(path: string, depth: number): readonly string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() === true) return (stats.mode & 0o222) === 0 ? [] : [path];
  if (stats?.isDirectory() !== true || depth === 0) return [];
  return namesIn(path).flatMap((name) => writableIn(join(path, name), depth - 1));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
