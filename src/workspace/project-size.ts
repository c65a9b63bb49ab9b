import { lstatSync, readdirSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { Fault } from '../core/fault.ts';
import { shownPath } from '../lib/confined-path.ts';
import type { BytePath } from './byte-path.ts';
import type { WorkspaceSettings } from './port.ts';
import type { FolderSize, LeaveOut } from './store/port.ts';
import { LARGEST_FILE_BYTES } from './store/record-folder.ts';

/** Looks at a project before anything of it is kept: one that is too large would fill the disk. */
export function measureProject(asked: MeasuredProject, settings: WorkspaceSettings): FolderSize {
  const size = { files: 0, bytes: 0 };
  const largest = settings.largestFile ?? LARGEST_FILE_BYTES;
  for (const stats of walkedStats(asked, '')) {
    size.files += 1;
    if (stats.isFile()) size.bytes += stats.size > largest ? 0 : stats.size;
    checkSize(asked.project, size, settings);
  }
  return size;
}

/** Ends in a fault when there is more than the settings allow. */
export function checkSize(
  project: string,
  size: Pick<FolderSize, 'files' | 'bytes'>,
  settings: WorkspaceSettings,
): void {
  const limits = { maxFiles: settings.maxFiles ?? MAX_FILES, maxBytes: settings.maxBytes ?? MAX_BYTES };
  if (size.files > limits.maxFiles || size.bytes > limits.maxBytes) throw tooLarge(project, limits);
}

export interface MeasuredProject {
  readonly project: string;
  readonly leaveOut: LeaveOut;
}

const MAX_FILES = 50_000;
const MAX_BYTES = 2 * 1024 ** 3;

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
    hint: 'Let git ignore what agents do not need, start Troupe in a smaller folder, raise workspaces.max_files and workspaces.max_bytes, or leave large files out with workspaces.largest_file.',
    facts: limits,
  });
}
