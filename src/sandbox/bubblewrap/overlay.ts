import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../lib/make-folder.ts';
import { runProcess } from '../../lib/run-process.ts';
import type { Discarded } from '../port.ts';
import { listDiscarded } from './discarded.ts';
import type { Mount } from './visible-paths.ts';

/**
 * Lends folders so that what is written on them goes elsewhere: a layer of the kernel's overlay file system over each, made
 * in a user namespace, which needs no privileges (see `outerNamespace`).
 */
export async function openOverlays(mounts: readonly Mount[], scratch: string, seen: Seen): Promise<Overlays> {
  const lower = [...new Set(mounts.filter(({ kind }) => kind === 'throwaway').map(({ source }) => source))];
  if (lower.length > 0) await removeForgotten(scratch);
  const layers = await Promise.all(lower.map(async (folder) => ({ folder, place: await newLayer(scratch) })));
  const merged = new Map(layers.map(({ folder, place }) => [folder, join(place, 'merged')]));
  return {
    layers,
    mounts: mounts.map((mount) =>
      mount.kind === 'throwaway' ? { ...mount, source: merged.get(mount.source) ?? '' } : mount,
    ),
    dispose: async () => {
      const written = layers.map(({ folder, place }) => ({ folder, lower: seen(folder), upper: join(place, 'upper') }));
      const found = await listDiscarded(written);
      await Promise.all(layers.map(({ place }) => removeLayer(place)));
      return found;
    },
  };
}

/** How this process reaches a folder that the program knows by another path. */
type Seen = (folder: string) => string;

export interface Overlays {
  readonly layers: readonly Layer[];
  readonly mounts: readonly Mount[];
  /** When everything that could write has ended. */
  readonly dispose: () => Promise<Discarded>;
}

export interface Layer {
  /** What is lent. */
  readonly folder: string;
  /** Holds the mount points and what is written. */
  readonly place: string;
}

async function newLayer(scratch: string): Promise<string> {
  makeFolder(scratch, 0o700);
  const place = await mkdtemp(join(scratch, `${PREFIX}${process.pid}-`));
  await Promise.all(['lower', 'upper', 'work', 'merged'].map((name) => mkdir(join(place, name))));
  return place;
}

const PREFIX = 'overlay-';
const DAY_MS = 86_400_000;
let isSwept = false;

/** Left by a process that was killed. A day's grace, since its number tells nothing in a namespace of processes. */
async function removeForgotten(scratch: string): Promise<void> {
  if (isSwept) return;
  isSwept = true;
  const names = (await readdir(scratch).catch(() => [])).filter((name) => name.startsWith(PREFIX));
  for (const name of names) {
    const stats = await stat(join(scratch, name)).catch(() => null);
    const isOwned = existsSync(`/proc/${name.slice(PREFIX.length).split('-')[0]}`);
    if (!isOwned && stats !== null && stats.mtimeMs < Date.now() - DAY_MS) await removeLayer(join(scratch, name));
  }
}

/** The kernel leaves folders that nobody may enter, and the command may have made deeper ones than a path can name. */
async function removeLayer(place: string): Promise<void> {
  const script = 'chmod -R u+rwX "$0" 2>/dev/null; rm -rf -- "$0"';
  await rm(place, { recursive: true, force: true }).catch(() =>
    runProcess(['/bin/sh', '-c', script, place], { cwd: '/', env: { PATH: '/usr/bin:/bin' }, containment: 'group' }),
  );
}
