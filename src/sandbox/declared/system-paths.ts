import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { userInfo } from 'node:os';
import { orElse } from '../../lib/or-else.ts';
import { scratchFolder } from '../scratch-folders.ts';

/**
 * The parts of the machine that every box shows, to be read only: programs, their libraries, and the settings of the system
 * that hold no secrets. Anything else has to be lent.
 */
export function systemPaths(): readonly SystemPath[] {
  const programs = PROGRAMS.flatMap((path) => systemPath(path));
  return [...programs, ...systemSettings().flatMap((path) => systemPath(path, programs))];
}

export interface SystemPath {
  readonly path: string;
  /** The file or folder itself, without links. */
  readonly real: string;
  /** The text of a link that leads to something shown anyway; null for everything else. */
  readonly link: string | null;
}

/** Where distributions install programs. The last ones are read by programs: gems, fonts, the number of processors. */
export const PROGRAMS: readonly string[] = [
  ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store', '/run/current-system'],
  ['/var/lib/gems', '/var/lib/texmf', '/var/cache/fontconfig', '/sys/devices/system/cpu'],
].flat();

export const SETTINGS = '/etc';

/** Names in `/etc`. A star stands for any rest of a name. */
const SETTING_NAMES: readonly string[] = [
  'alternatives bash.bashrc ca-certificates crypto-policies debian_version default/locale fonts gai.conf group host.conf',
  'hosts inputrc java* ld.so.cache ld.so.conf ld.so.conf.d locale.alias locale.conf localtime lsb-release magic magic.mime',
  'mailcap maven mime.types networks nsswitch.conf os-release passwd perl php pki profile profile.d protocols python3*',
  'redhat-release resolv.conf rpc services sgml shells ssl static terminfo texmf timezone xml',
].flatMap((line) => line.split(' '));

/** Inside of the folders above. */
export const PRIVATE_SETTINGS: readonly string[] = ['ssl/private', 'pki/tls/private', 'pki/rpm-gpg-private'].map(
  (name) => join(SETTINGS, name),
);

export function systemSettings(): readonly string[] {
  const names = folderNames(SETTINGS);
  return SETTING_NAMES.flatMap((pattern) => {
    if (!pattern.endsWith('*')) return [join(SETTINGS, pattern)];
    return names.filter((name) => name.startsWith(pattern.slice(0, -1))).map((name) => join(SETTINGS, name));
  });
}

/** Empty when there is none. */
function systemPath(path: string, shown: readonly SystemPath[] = []): readonly SystemPath[] {
  try {
    const real = realpathSync.native(path);
    const isLink = lstatSync(path).isSymbolicLink();
    const isShown = shown.length === 0 || shown.some((above) => isAtOrBelow(real, above.real));
    return [{ path, real, link: isLink && isShown ? readlinkSync(path) : null }];
  } catch {
    return [];
  }
}

/** Below the folder, or the folder itself. */
export function isAtOrBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}

export function folderNames(folder: string): readonly string[] {
  return orElse(() => readdirSync(folder), []);
}

/**
 * The `/etc` of a box: copies of the plain files, empty folders where real ones are mounted, and its own users. One folder
 * instead of a mount for each file, since each mount costs a quarter of a millisecond. Built once per process.
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
    else if ((part.stats.mode & FOR_EVERYBODY) !== 0) {
      // A file that this user cannot read is hidden from the command too.
      orElse(() => copyFileSync(part.real, place), undefined);
    }
  }
  for (const [name, text] of Object.entries(users)) writeFileSync(join(folder, name), text);
}

type Users = Readonly<Record<'passwd' | 'group', string>>;

/** The names of other users are not shown. Programs look up the user's name and stop if it is missing. */
function usersOf({ uid, gid }: Identity): Users {
  const name = process.getuid?.() === 0 ? 'agent' : ownName();
  return {
    passwd: `root:x:0:0:root:/root:/bin/sh\n${name}:x:${uid}:${gid}::/tmp:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n`,
    group: `root:x:0:\n${name}:x:${gid}:\nnogroup:x:65534:\n`,
  };
}

function ownName(): string {
  return orElse(() => userInfo().username, 'agent');
}
