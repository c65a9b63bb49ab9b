import { chmod, lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Discarded } from '../port.ts';
import { removeScratch, scratchFolder } from '../scratch-folders.ts';
import type { Mount } from './visible-paths.ts';
import { constants, type Stats } from 'node:fs';

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
  /** The lent folder. */
  readonly folder: string;
  /** Holds the mount points and what is written. */
  readonly place: string;
}

async function newLayer(scratch: string): Promise<string> {
  const place = scratchFolder(scratch, 'overlay');
  await Promise.all(['lower', 'upper', 'work', 'merged'].map((name) => mkdir(join(place, name))));
  return place;
}

/** The files that a command wrote on throw-away folders, read from the layers that took them. */
export async function listDiscarded(layers: readonly WrittenLayer[]): Promise<Discarded> {
  const paths: string[] = [];
  for (const layer of layers) {
    const lower = layer.lower ?? layer.folder;
    const top = { upper: Buffer.from(layer.upper), lower: Buffer.from(lower) };
    await collect(top, (path) =>
      paths.push(`${display(Buffer.from(layer.folder))}${display(path.subarray(top.lower.length))}`),
    );
  }
  const sorted = paths.toSorted();
  return { discarded: sorted.slice(0, MAX_NAMED), discardedMore: Math.max(0, sorted.length - MAX_NAMED) };
}

export interface WrittenLayer {
  /** The folder as it was lent, and still is. */
  readonly folder: string;
  /** The path by which this process reaches the folder, if it differs. */
  readonly lower?: string;
  /** The layer that took what was written. */
  readonly upper: string;
}

const MAX_NAMED = 1000;

interface Place {
  readonly upper: Buffer;
  readonly lower: Buffer;
}

/** Names are bytes: they need not be text. What lies deeper than a path can name is left out. */
async function collect(place: Place, found: (path: Buffer) => void): Promise<void> {
  for (const name of await namesIn(place.upper)) {
    const below = { upper: joinBytes(place.upper, name), lower: joinBytes(place.lower, name) };
    const [after, before] = await Promise.all([below.upper, below.lower].map((path) => lstat(path).catch(() => null)));
    if (isChange(after ?? null, before ?? null)) found(below.lower);
    if (after?.isDirectory() === true) await collect(below, found);
  }
}

/** The command may have closed a folder to its owner. */
async function namesIn(folder: Buffer): Promise<readonly Buffer[]> {
  const read = () => readdir(folder, { encoding: 'buffer' });
  return read().catch(() => chmod(folder, 0o700).then(read, () => []));
}

/** A folder is in the layer already when something below it was written; it counts when it is new or looks different. */
function isChange(after: Stats | null, before: Stats | null): boolean {
  if (after?.isDirectory() !== true) return true;
  return before === null || !before.isDirectory() || (before.mode & PERMISSIONS) !== (after.mode & PERMISSIONS);
}

const PERMISSIONS = constants.S_IRWXU | constants.S_IRWXG | constants.S_IRWXO;

const joinBytes = (folder: Buffer, name: Buffer): Buffer => Buffer.concat([folder, Buffer.from('/'), name]);

/** Control characters, those that turn the direction of writing, and bytes that are not text are shown by number. */
export function display(path: Buffer): string {
  const text = path.toString('utf8');
  const isText = Buffer.from(text).equals(path);
  return (isText ? text : path.toString('latin1')).replaceAll(isText ? UNPRINTABLE : NOT_ASCII, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return isText ? `\\u{${code}}` : `\\x${code.padStart(2, '0')}`;
  });
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\]/gu;
const NOT_ASCII = /[^\x20-\x5b\x5d-\x7e]/g;
