import { copyFileSync, existsSync, mkdirSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { scratchFolder } from '../scratch-folders.ts';
import { SETTINGS, systemPaths } from './system-paths.ts';
import type { SystemPath } from './system-paths.ts';

/**
 * The `/etc` of a box: copies of the plain files, empty folders where real ones are mounted, and users of its own. One folder
 * instead of a mount for each file, since each mount costs a quarter of a millisecond. Built once in each process.
 */
export function settingsFolder(scratch: string, identity: Identity, paths = systemPaths()): SettingsFolder {
  const parts = paths.filter(({ path }) => path.startsWith(`${SETTINGS}/`));
  const seen = parts.map((part) => ({ ...part, stats: statSync(part.real) }));
  const folders = seen.filter(({ link, stats }) => link === null && stats.isDirectory());
  const stamps = seen.map(({ path, link, stats }) => [path, link, stats.ino, stats.mtimeMs, stats.size, stats.mode]);
  const users = usersOf(identity);
  const key = JSON.stringify([scratch, stamps, users]);
  const kept = built.get(key);
  const folder = kept !== undefined && existsSync(kept) ? kept : scratchFolder(scratch, 'etc');
  if (folder !== kept) build(folder, seen, users);
  built.set(key, folder);
  return { folder, mounted: folders };
}

export interface SettingsFolder {
  readonly folder: string;
  /** What has to be mounted into it. */
  readonly mounted: readonly SystemPath[];
}

/** As whom the program sees itself. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

type Part = SystemPath & { readonly stats: { readonly mode: number; isDirectory(): boolean } };

/** Root can read every file, and its commands may not. */
const FOR_EVERYBODY = 0o004;

/** One for each state of the system's settings. */
const built = new Map<string, string>();

function build(folder: string, parts: readonly Part[], users: Users): void {
  for (const part of parts) {
    const place = join(folder, relative(SETTINGS, part.path));
    mkdirSync(dirname(place), { recursive: true });
    if (part.link !== null) symlinkSync(readlinkSync(part.path), place);
    else if (part.stats.isDirectory()) mkdirSync(place);
    else if ((part.stats.mode & FOR_EVERYBODY) !== 0) copyReadable(part.real, place);
  }
  for (const [name, text] of Object.entries(users)) writeFileSync(join(folder, name), text);
}

function copyReadable(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch {
    // A file that this user cannot read is none of the command's either.
  }
}

type Users = Readonly<Record<'passwd' | 'group', string>>;

/** The names of other users are not shown. Programs look up the user's own and stop when it is missing. */
function usersOf({ uid, gid }: Identity): Users {
  const name = process.getuid?.() === 0 ? 'agent' : ownName();
  return {
    passwd: `root:x:0:0:root:/root:/bin/sh\n${name}:x:${uid}:${gid}::/tmp:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n`,
    group: `root:x:0:\n${name}:x:${gid}:\nnogroup:x:65534:\n`,
  };
}

function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'agent';
  }
}
