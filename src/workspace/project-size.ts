import { lstatSync, readdirSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { Fault } from '../core/fault.ts';
import { shownPath } from '../lib/confined-path.ts';
import type { BytePath } from './byte-path.ts';
import type { WorkspaceSettings } from './port.ts';
import type { LeaveOut } from './store/port.ts';

/** Looks at a project before anything of it is kept: one that is too large would fill the disk. */
export function measureProject(asked: MeasuredProject, settings: WorkspaceSettings): ProjectSize {
  const limits = { maxFiles: settings.maxFiles ?? MAX_FILES, maxBytes: settings.maxBytes ?? MAX_BYTES };
  const size = { files: 0, bytes: 0, hasOddities: false };
  const isListed = asked.paths !== null && !Array.isArray(settings.ignored) && settings.ignored !== 'copy';
  const found = isListed ? listedStats(asked.project, asked.paths) : walkedStats(asked, '');
  for (const stats of found) {
    size.files += 1;
    if (stats.isFile()) size.bytes += stats.size;
    else size.hasOddities = true;
    if (size.files > limits.maxFiles || size.bytes > limits.maxBytes) throw tooLarge(asked.project, limits);
  }
  return size;
}

export interface MeasuredProject {
  readonly project: string;
  /** Null when nobody has listed them. */
  readonly paths: readonly BytePath[] | null;
  readonly leaveOut: LeaveOut;
}

export interface ProjectSize {
  readonly files: number;
  readonly bytes: number;
  /** Something is neither a file nor a folder. */
  readonly hasOddities: boolean;
}

const MAX_FILES = 50_000;
const MAX_BYTES = 2 * 1024 ** 3;

function* listedStats(project: string, paths: readonly BytePath[]): Generator<Stats> {
  for (const path of paths) {
    const stats = lookAt(project, path);
    if (stats !== null && !stats.isDirectory()) yield stats;
  }
}

function* walkedStats(asked: MeasuredProject, folder: BytePath): Generator<Stats> {
  for (const entry of readdirSync(wholePath(asked.project, folder), { withFileTypes: true, encoding: 'buffer' })) {
    const name = entry.name.toString('latin1');
    const path = folder === '' ? name : `${folder}/${name}`;
    const isFolder = entry.isDirectory();
    if (asked.leaveOut(path, isFolder)) continue;
    if (isFolder) yield* walkedStats(asked, path);
    else {
      const stats = lookAt(asked.project, path);
      if (stats !== null) yield stats;
    }
  }
}

/** Null for what is gone meanwhile, or cannot be looked at: recording it tells. */
function lookAt(project: string, path: BytePath): Stats | null {
  try {
    return lstatSync(wholePath(project, path), { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** Plain text where it is, since bytes take twice as long. */
function wholePath(project: string, path: BytePath): string | Buffer {
  // oxlint-disable-next-line no-control-regex
  if (/^[\0-\x7f]*$/.test(path)) return `${project}/${path}`;
  return Buffer.concat([Buffer.from(`${project}/`), Buffer.from(path, 'latin1')]);
}

function tooLarge(project: string, limits: { readonly maxFiles: number; readonly maxBytes: number }): Fault {
  const allowed = `${limits.maxFiles} files and ${Math.floor(limits.maxBytes / 1024 ** 2)} MB`;
  return new Fault('PROJECT_TOO_LARGE', `The project in ${shownPath(project)} is larger than ${allowed}.`, {
    hint: 'Let git ignore what agents do not need, start Troupe in a smaller folder, or raise workspaces.max_files and workspaces.max_bytes.',
    facts: limits,
  });
}
