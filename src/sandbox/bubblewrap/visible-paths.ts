import { realpathSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { Fault } from '../../core/fault.ts';
import type { Box, LentFolder } from '../port.ts';

/**
 * What a program in the box sees: the system read-only, all homes and other private places empty, then the lent folders.
 * Of two paths the deeper one decides, so mounts are made from the shallow to the deep; what is hidden is not lent to be read.
 */
export function visiblePaths(box: Box): readonly Mount[] {
  const folders = box.folders.map((folder) => ({ ...folder, path: resolve(folder.path) }));
  const masks = hiddenPaths(box)
    .map(mask)
    .filter((mount) => mount !== null);
  const isHidden = new Set(masks.map(({ path }) => path));
  // What is hidden can be lent to work in, but not by the way: a folder of programs may turn out to be just that place.
  const lent = folders
    .flatMap((folder) => lentMounts(folder, folders))
    .filter(({ kind, source }) => kind !== 'read' || !isHidden.has(source));
  const needed = [...SYSTEM_PARTS, ...(box.network ? ['/etc/resolv.conf'] : [])];
  const kept = needed
    .flatMap((path) => realPath(path) ?? [])
    .map((path): Mount => ({ kind: 'read', path, source: path }));
  const all = [...masks, ...kept, ...lent].toSorted((a, b) => depthOf(a.path) - depthOf(b.path));
  return all.filter((mount, index) => !isSuperfluous(mount, all.slice(0, index)));
}

export interface Mount {
  /** `empty-folder` and `empty-file` hide what is there; `scratch` does as well, and can be written. */
  readonly kind: LentFolder['access'] | 'empty-folder' | 'empty-file' | 'scratch';
  /** Without links. */
  readonly path: string;
  readonly source: string;
}

/** Where users, services and other programs keep what is theirs. */
const PRIVATE = ['/home', '/root', '/run', '/mnt', '/media'];
const SCRATCH = ['/tmp', '/var/tmp'];
/** Root owns these and so may read them even without its powers. */
const OF_ROOT = [
  ['shadow', 'shadow-', 'gshadow', 'gshadow-', 'ssl/private', 'ssh', 'wireguard', 'letsencrypt', 'kubernetes'],
  ['NetworkManager/system-connections', 'docker', 'rancher'],
]
  .flat()
  .map((name) => `/etc/${name}`);
/** Parts of the system that live in a private place on some distributions. */
const SYSTEM_PARTS = ['/run/current-system'];

function hiddenPaths(box: Box): readonly string[] {
  const homes = [homedir(), userInfo().homedir];
  return [
    ...new Set([
      ...PRIVATE,
      ...SCRATCH,
      ...(process.getuid?.() === 0 ? [...OF_ROOT, '/var/log', '/var/spool'] : []),
      ...homes,
      ...box.hidden,
    ]),
  ];
}

/** Null when there is nothing to hide. */
function mask(path: string): Mount | null {
  const real = isAbsolute(path) ? realPath(path) : null;
  if (real === null || real === '/') return null;
  if (SCRATCH.includes(path)) return { kind: 'scratch', path: real, source: '' };
  return { kind: statSync(real).isDirectory() ? 'empty-folder' : 'empty-file', path: real, source: '' };
}

function lentMounts(folder: LentFolder, all: readonly LentFolder[]): readonly Mount[] {
  const real = realPath(folder.path);
  if (real === null || real === '/') {
    if (real === null && folder.access === 'read') return [];
    throw new Fault('SANDBOX_FOLDER', `The folder ${folder.path} cannot be lent: ${real ?? 'there is none'}.`);
  }
  refuseMoved(folder, real, all);
  const place: Mount = { kind: folder.access, path: real, source: real };
  // A link on the way may lie in a place that is hidden, and would be missed there.
  return folder.path === real ? [place] : [place, { ...place, path: folder.path }];
}

/** Inside a folder that the program may write, a link is the program's own work and must not choose what is lent. */
function refuseMoved(folder: LentFolder, real: string, all: readonly LentFolder[]): void {
  const moved = all
    .filter((outer) => outer.access !== 'read' && isBelow(folder.path, outer.path))
    .some((outer) => join(realPath(outer.path) ?? '', relative(outer.path, folder.path)) !== real);
  if (moved) throw new Fault('SANDBOX_FOLDER', `The folder ${folder.path} cannot be lent: there is a link on its way.`);
}

/** Hidden already by what lies above, or a second name that leads to the first by itself. */
function isSuperfluous(mount: Mount, earlier: readonly Mount[]): boolean {
  const above = earlier.findLast((each) => each.path === mount.path || isBelow(mount.path, each.path));
  const isCovered = above !== undefined && isMask(above) && above.path !== mount.path;
  if (isMask(mount)) return isCovered;
  return mount.path !== mount.source && !isCovered;
}

const isMask = (mount: Mount): boolean => ['empty-folder', 'empty-file', 'scratch'].includes(mount.kind);

export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}

const depthOf = (path: string): number => path.split('/').length;

function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}
