import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { systemProgram } from '../../lib/process-tree.ts';
import { announceSpace } from '../../sandbox/file-space.ts';
import { Fault, isFault } from '../../core/model/fault.ts';
import { makeFolder } from '../../lib/make-folder.ts';

/**
 * Mounts an overlay in new namespaces, which needs no privileges. The mounting program ends at once; the mount lives as long
 * as this process holds the namespaces open, so nothing has to be watched or cleaned up, even after a crash.
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
  /** Removing the folder where it is mounted also removes the mount. */
  isThere(): Promise<boolean>;
  close(): void;
}

/** Removes leftovers of an earlier mount, with which a new one would fail. */
async function clearWork({ cwd, upper }: Layers): Promise<void> {
  if (upper === null) return;
  const work = join(cwd, upper.work);
  await openWork(work);
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true, mode: 0o700 });
}

/** The kernel denies all access to its work folder, and removing the workspace would fail on it. */
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

/** Tries an overlay out where the workspaces are to be; throws a fault that says what does not work. */
export async function checkOverlay(folder: string): Promise<void> {
  if (process.platform !== 'linux') throw overlayFault('they need Linux');
  if (process.getuid?.() === 0) throw overlayFault("commands of root would keep root's user id in them");
  if (systemProgram('nsenter') === '') throw overlayFault('nsenter is not installed');
  try {
    makeFolder(folder, 0o700);
    const probe = await mkdtemp(join(folder, 'probe-'));
    try {
      await tryOut(probe);
    } finally {
      await rm(probe, { recursive: true, force: true });
    }
  } catch (error) {
    throw isFault(error) ? error : overlayFault(error instanceof Error ? error.message : String(error), error);
  }
}

/** All that changes take: a copy from below, something that is no more, a folder that hides the one below. */
async function tryOut(probe: string): Promise<void> {
  await Promise.all(['lower/folder', 'upper'].map((path) => mkdir(join(probe, path), { recursive: true })));
  const before = ['changed', 'removed', 'folder/in'];
  await Promise.all(before.map((name) => writeFile(join(probe, 'lower', name), 'before')));
  const upper = { files: 'upper', work: 'work' };
  const view = await mountView({ cwd: probe, lower: ['lower'], upper, folder: join(probe, 'upper') });
  try {
    const at = (name: string): string => join(view.folder, name);
    await writeFile(at('changed'), 'after');
    await Promise.all(['removed', 'folder'].map((name) => rm(at(name), { recursive: true })));
    await mkdir(at('folder'));
    const [names, below] = await Promise.all([
      readdir(view.folder, { recursive: true }),
      readdir(join(probe, 'lower')),
    ]);
    const isRight = names.sort().join() === 'changed,folder' && below.sort().join() === 'changed,folder,removed';
    const [after, kept] = await Promise.all(
      [at('changed'), join(probe, 'lower/changed')].map((path) => readFile(path)),
    );
    if (!isRight || after?.toString() !== 'after' || kept?.toString() !== 'before')
      throw overlayFault('a test of one failed');
  } finally {
    view.close();
  }
}

/** Never falls back to a copy silently: a missing overlay is reported with its reason. */
function overlayFault(why: string, cause?: unknown): Fault {
  return new Fault('WORKSPACE_NO_OVERLAY', `Overlay workspaces do not work here: ${why.replace(/\.$/, '')}.`, {
    hint: 'Set workspaces.method to copy. Overlays need an ordinary user, Linux 5.11 or later, user namespaces, unshare, nsenter and mount, and a home on a disk such as ext4, xfs, btrfs or tmpfs.',
    ...(cause === undefined ? {} : { cause }),
  });
}
