import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';

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
  const names = namesIn(SETTINGS);
  return SETTING_NAMES.flatMap((wanted) => {
    if (!wanted.endsWith('*')) return [join(SETTINGS, wanted)];
    return names.filter((name) => name.startsWith(wanted.slice(0, -1))).map((name) => join(SETTINGS, name));
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

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
