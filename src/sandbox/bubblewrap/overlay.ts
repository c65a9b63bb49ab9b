import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Discarded } from '../port.ts';
import { removeScratch, scratchFolder } from '../scratch-folders.ts';
import { listDiscarded } from './discarded.ts';
import type { Mount } from './visible-paths.ts';

/**
 * Lends folders so that what is written on them goes elsewhere: a layer of the kernel's overlay file system over each, made
 * in a user namespace, which needs no privileges (see `outerNamespace`).
 */
export async function openOverlays(mounts: readonly Mount[], scratch: string, seen: Seen): Promise<Overlays> {
  const lower = [...new Set(mounts.filter(({ kind }) => kind === 'throwaway').map(({ source }) => source))];
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
      await Promise.all(layers.map(({ place }) => removeScratch(place)));
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
  const place = scratchFolder(scratch, 'overlay');
  await Promise.all(['lower', 'upper', 'work', 'merged'].map((name) => mkdir(join(place, name))));
  return place;
}
