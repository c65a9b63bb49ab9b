import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readlinkSync, renameSync, rmSync, statSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { makeFolder } from '../../lib/make-folder.ts';
import { SETTINGS, systemPaths } from './system-paths.ts';
import type { SystemPath } from './system-paths.ts';

/**
 * The `/etc` of a box: copies of the plain files, empty folders where real ones are mounted, and users of its own. One folder
 * instead of a mount for each file, since each mount costs a quarter of a millisecond. Its name changes with its content.
 */
export function settingsFolder(scratch: string, identity: Identity): SettingsFolder {
  const parts = systemPaths().filter(({ path }) => path.startsWith(`${SETTINGS}/`));
  const seen = parts.map((part) => ({ ...part, stats: statSync(part.real) }));
  const folders = seen.filter(({ link, stats }) => link === null && stats.isDirectory());
  const stamps = seen.map(({ path, link, stats }) => [path, link, stats.ino, stats.mtimeMs, stats.size]);
  const users = usersOf(identity);
  const key = createHash('sha256')
    .update(JSON.stringify([stamps, users]))
    .digest('hex')
    .slice(0, 16);
  const folder = join(scratch, `etc-${key}`);
  if (!existsSync(folder)) build(folder, seen, users);
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

type Part = SystemPath & { readonly stats: { isDirectory(): boolean } };

/** In one piece, so that no other process sees half of it. */
function build(folder: string, parts: readonly Part[], users: Users): void {
  makeFolder(dirname(folder), 0o700);
  const draft = mkdtempSync(`${folder}.`);
  for (const part of parts) {
    const place = join(draft, relative(SETTINGS, part.path));
    mkdirSync(dirname(place), { recursive: true });
    if (part.link !== null) symlinkSync(readlinkSync(part.path), place);
    else if (part.stats.isDirectory()) mkdirSync(place);
    else copyReadable(part.real, place);
  }
  for (const [name, text] of Object.entries(users)) writeFileSync(join(draft, name), text);
  try {
    renameSync(draft, folder);
  } catch {
    // Another process was first.
    rmSync(draft, { recursive: true, force: true });
  }
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
