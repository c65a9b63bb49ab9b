import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A limit on the number of processes for root, to whom the ordinary one does not apply: a control group of the kernel.
 * Null where none may be made.
 */
export function openControlGroup(maxProcesses: number): ControlGroup | null {
  const root = controlGroupRoot();
  if (root === null) return null;
  removeOrphans(root);
  const folder = join(root, `${PREFIX}${process.pid}-${(count += 1)}`);
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, 'pids.max'), String(maxProcesses));
  } catch {
    removeQuietly(folder);
    return null;
  }
  return { prefix: joining(join(folder, 'cgroup.procs')), remove: () => removeWhenEmpty(folder) };
}

export interface ControlGroup {
  /** Words that go before the command. */
  readonly prefix: readonly string[];
  readonly remove: () => Promise<void>;
}

let count = 0;
const PREFIX = 'troupe-';

const joining = (file: string): readonly string[] => ['/bin/sh', '-c', 'echo $$ > "$0" || exit 125; exec "$@"', file];

/** The older kind has a tree for each controller, the newer one tree for all. */
function controlGroupRoot(): string | null {
  const isThere = (file: string, word = '') => readQuietly(file)?.split(/\s/).includes(word) === true;
  if (isThere('/sys/fs/cgroup/cgroup.subtree_control', 'pids')) return '/sys/fs/cgroup';
  return readQuietly('/sys/fs/cgroup/pids/cgroup.procs') === null ? null : '/sys/fs/cgroup/pids';
}

/** The kernel needs a moment after the last process is gone. */
async function removeWhenEmpty(folder: string): Promise<void> {
  for (let tries = 0; tries < 20 && !removeQuietly(folder); tries += 1) await delay(10);
}

/** Left by a process that was killed. A group with processes in it cannot be removed, so nothing living is hurt. */
function removeOrphans(root: string): void {
  const names = readdirSync(root).filter((name) => name.startsWith(PREFIX));
  for (const name of names) {
    const pid = name.slice(PREFIX.length).split('-')[0] ?? '';
    if (readQuietly(`/proc/${pid}/stat`) === null) removeQuietly(join(root, name));
  }
}

function removeQuietly(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

function readQuietly(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
