import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { chmod, mkdir, realpath, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { systemProgram } from '../../lib/process-tree.ts';
import { announceSpace } from '../../sandbox/file-space.ts';
import { overlayFault } from './overlay-fault.ts';

/**
 * Mounts an overlay in namespaces of its own, which needs no privileges. The program that does it ends at once: what keeps
 * the mount alive is that this process holds the namespaces open. So nothing has to be watched or cleaned up, and when this
 * process is gone, however it went, so is the mount.
 */
export async function mountView(layers: Layers): Promise<MountedView> {
  await clearWork(layers);
  // A link on the way would lead from the view back to where nothing is mounted.
  const folder = await realpath(layers.folder);
  const helper = startHelper({ ...layers, folder });
  try {
    await mounted(helper);
    const view = holdSpace(helper.pid ?? 0, folder);
    if (layers.upper !== null) await openWork(join(layers.cwd, layers.upper.work));
    const { dev } = await stat(view.folder);
    const isThere = async (): Promise<boolean> => (await stat(view.folder).catch(() => null))?.dev === dev;
    return { ...view, isThere };
  } finally {
    helper.stdin?.destroy();
  }
}

/** All but the folder is relative to `cwd`, in plain letters: a comma or colon would be read as part of an option. */
export interface Layers {
  readonly cwd: string;
  /** The upper one before the lower. */
  readonly lower: readonly string[];
  /** Null for a view that can only be looked at. `work` is the kernel's own, on the same disk. */
  readonly upper: { readonly files: string; readonly work: string } | null;
  /** Where it is mounted. */
  readonly folder: string;
}

export interface MountedView {
  /** By which this process reaches the files; see `FileSpace`. */
  readonly folder: string;
  /** Whoever removes the folder where it is mounted takes the mount away as well. */
  isThere(): Promise<boolean>;
  close(): void;
}

/** What a mount left there is of no use to the next one, which would refuse to begin. */
async function clearWork({ cwd, upper }: Layers): Promise<void> {
  if (upper === null) return;
  const work = join(cwd, upper.work);
  await openWork(work);
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true, mode: 0o700 });
}

/** The kernel closes what it makes there to everybody, and whoever removes the workspace would stumble over it. */
async function openWork(work: string): Promise<void> {
  for (const name of ['work', 'work/incompat', 'work/incompat/volatile']) {
    await chmod(join(work, name), 0o700).catch(() => undefined);
  }
}

function startHelper(layers: Layers): ChildProcess {
  const [unshare, mount] = [systemProgram('unshare'), systemProgram('mount')];
  if (unshare === '' || mount === '') throw overlayFault('unshare or mount is not installed');
  const script = 'cd -- "$1" && "$0" -t overlay overlay -o "$2" -- "$3" && echo mounted && read -r end';
  const words = ['--user', '--map-root-user', '--mount', '--propagation', 'slave', '--', '/bin/sh', '-c', script];
  const child = spawn(unshare, [...words, mount, resolve(layers.cwd), optionsOf(layers), layers.folder], {
    cwd: '/',
    env: { LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined);
  return child;
}

/** `volatile`: nothing waits for the disk, since after a crash the files are put back to a tree anyway. */
function optionsOf({ lower, upper }: Layers): string {
  const layers = [`lowerdir=${lower.join(':')}`, 'userxattr'];
  const written = upper === null ? [] : [`upperdir=${upper.files}`, `workdir=${upper.work}`, 'volatile'];
  return [...layers, ...written].join(',');
}

async function mounted(helper: ChildProcess): Promise<void> {
  let said = '';
  helper.stderr?.on('data', (text: Buffer) => (said += text.toString('utf8')));
  const ended = once(helper, 'close').then(() => false);
  const isMounted = await Promise.race([once(helper.stdout ?? helper, 'data').then(() => true), ended]);
  if (!isMounted) throw overlayFault(said.trim().split('\n').at(-1) ?? 'it could not be mounted');
}

function holdSpace(pid: number, folder: string): Omit<MountedView, 'isThere'> {
  const held: number[] = [];
  const hold = (name: string): string => {
    held.push(openSync(`/proc/${pid}/${name}`, 'r'));
    return `/proc/${process.pid}/fd/${held.at(-1)}`;
  };
  const letGo = (): void => held.splice(0).forEach((each) => closeSync(each));
  try {
    const space = { root: hold('root'), user: hold('ns/user'), mount: hold('ns/mnt') };
    const forget = announceSpace(space);
    return {
      folder: `${space.root}${folder}`,
      close: () => {
        forget();
        letGo();
      },
    };
  } catch (cause) {
    letGo();
    throw overlayFault('its namespaces cannot be held open', cause);
  }
}
