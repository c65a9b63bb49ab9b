import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import { orElse } from '../../lib/or-else.ts';
import {
  PRIVATE_SETTINGS,
  SETTINGS,
  type SettingsFolder,
  type SystemPath,
  systemPaths,
} from '../declared/system-paths.ts';
import type { Box, LentFolder } from '../port.ts';

/**
 * What a program in the box sees: parts of the system, empty temporary folders, and what is lent. Nothing else is there.
 * Of two paths the deeper one decides, so mounts are made from the shallow to the deep; what is hidden is not lent to be read.
 */
export function visiblePaths(box: Box, settings: SettingsFolder): readonly Mount[] {
  const folders = box.folders.map((folder) => ({ ...folder, path: resolve(folder.path) }));
  const masks = [...PRIVATE_SETTINGS, ...box.hidden].map(mask).filter((mount) => mount !== null);
  const isHidden = new Set(masks.map(({ path }) => path));
  // A hidden folder can be lent for work explicitly, but not by accident: a folder of programs may turn out to be that
  // folder.
  const shown = [...systemMounts(settings), ...folders.flatMap((folder) => lentMounts(folder, folders))];
  const lent = shown.filter(({ kind, source }) => kind !== 'read' || !isHidden.has(source));
  const all = [...masks, ...SCRATCH, ...lent].toSorted((a, b) => depthOf(a.path) - depthOf(b.path));
  const needed: Mount[] = [];
  for (const mount of all) if (!isSuperfluous(mount, needed)) needed.push(mount);
  return needed;
}

export interface Mount {
  /** `empty-folder` and `empty-file` hide what is there; `scratch` is empty and can be written; `link` leads to `source`. */
  readonly kind: LentFolder['access'] | 'empty-folder' | 'empty-file' | 'scratch' | 'link';
  /** Without links. */
  readonly path: string;
  readonly source: string;
}

const SCRATCH = ['/tmp', '/var/tmp'].map((path): Mount => ({ kind: 'scratch', path, source: '' }));

function systemMounts({ folder, mounted }: SettingsFolder): readonly Mount[] {
  const programs = systemPaths().filter(({ path }) => !path.startsWith(`${SETTINGS}/`));
  return [...programs, { path: SETTINGS, real: folder, link: null }, ...mounted].map(systemMount);
}

const systemMount = ({ path, real, link }: SystemPath): Mount =>
  link === null ? { kind: 'read', path, source: real } : { kind: 'link', path, source: link };

/** Null when there is nothing to hide. */
function mask(path: string): Mount | null {
  const real = isAbsolute(path) ? realPath(path) : null;
  if (real === null || real === '/') return null;
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
  // A link on the way may lie in a place that is not shown, and would be missed there.
  return folder.path === real ? [place] : [place, { ...place, path: folder.path }];
}

/** Inside a folder that the program may write, a link is the program's own work and must not choose what is lent. */
function refuseMoved(folder: LentFolder, real: string, all: readonly LentFolder[]): void {
  const moved = all
    .filter((outer) => outer.access !== 'read' && isBelow(folder.path, outer.path))
    .some((outer) => join(realPath(outer.path) ?? '', relative(outer.path, folder.path)) !== real);
  if (moved) throw new Fault('SANDBOX_FOLDER', `The folder ${folder.path} cannot be lent: there is a link on its way.`);
}

/** Not shown anyway, shown already, or a second name that leads to the first by itself. */
function isSuperfluous(mount: Mount, earlier: readonly Mount[]): boolean {
  const above = earlier.findLast((each) => each.path === mount.path || isBelow(mount.path, each.path));
  const isShown = above !== undefined && SHOWING.has(above.kind);
  if (HIDING.has(mount.kind)) return !isShown;
  return isShown && SHOWING.has(mount.kind) && mount.kind !== 'link' && isShownBy(above, mount);
}

function isShownBy(above: Mount, mount: Mount): boolean {
  if (mount.kind === 'read' && above.kind === 'read' && sourceIn(above, mount.path) === mount.source) return true;
  return mount.path !== mount.source && above.path !== mount.path && above.path !== SETTINGS;
}

const HIDING: ReadonlySet<Mount['kind']> = new Set(['empty-folder', 'empty-file']);
const SHOWING: ReadonlySet<Mount['kind']> = new Set(['read', 'write', 'throwaway', 'link']);

/** The path that the upper mount already shows here. */
const sourceIn = (above: Mount, path: string): string => join(above.source, relative(above.path, path));

export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}

const depthOf = (path: string): number => path.split('/').length;

function realPath(path: string): string | null {
  return orElse(() => realpathSync.native(path), null);
}
