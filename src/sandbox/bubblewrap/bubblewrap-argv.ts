import { unreachable } from '../../core/fault.ts';
import type { Mount } from './visible-paths.ts';

/**
 * The words that put a command into namespaces of its own. Bubblewrap's own environment can be read inside, so it must be
 * started with that of the command and no other.
 */
export function bubblewrapArgv(options: BubblewrapOptions): readonly string[] {
  const { uid, gid } = identityInside();
  const hiding = options.mounts.filter(({ kind }) => kind === 'empty-folder');
  const flags = [
    `--unshare-user --uid ${uid} --gid ${gid} --cap-drop ALL`,
    options.canForbidNamespaces ? '--disable-userns' : '',
    '--unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try',
    options.network ? '' : '--unshare-net',
    '--new-session --die-with-parent --ro-bind / / --dev /dev --proc /proc',
  ].flatMap((words) => words.split(' ').filter((word) => word !== ''));
  const mounts = options.mounts.flatMap((mount) => mountWords(mount, options));
  // What hides something is closed last, when the places for what lies below it have been made.
  const closing = hiding.flatMap(({ path }) => ['--remount-ro', path]);
  return [options.program, ...flags, ...mounts, ...closing, '--chdir', options.cwd, '--'];
}

export interface BubblewrapOptions {
  readonly program: string;
  /** Versions before 0.8 cannot keep a command from making user namespaces of its own. */
  readonly canForbidNamespaces: boolean;
  /** Versions before 0.7 cannot limit a memory file system. */
  readonly canLimitScratch: boolean;
  readonly network: boolean;
  readonly cwd: string;
  readonly mounts: readonly Mount[];
}

/**
 * The user's own numbers, so that files look and are owned by oneself; git asks for that. Root is somebody else inside, who
 * still owns root's files, and whose files are root's outside: programs that behave differently for root do not.
 */
function identityInside(): { readonly uid: number; readonly gid: number } {
  const uid = process.getuid?.() ?? ORDINARY;
  return uid === 0 ? { uid: ORDINARY, gid: ORDINARY } : { uid, gid: process.getgid?.() ?? ORDINARY };
}

const ORDINARY = 1000;
const SCRATCH_BYTES = 2 ** 30;

function mountWords(mount: Mount, options: BubblewrapOptions): readonly string[] {
  switch (mount.kind) {
    case 'empty-folder':
      return ['--tmpfs', mount.path];
    case 'empty-file':
      return ['--ro-bind', '/dev/null', mount.path];
    case 'scratch':
      return [...(options.canLimitScratch ? ['--size', String(SCRATCH_BYTES)] : []), '--tmpfs', mount.path];
    case 'read':
      return ['--ro-bind', mount.source, mount.path];
    case 'write':
    case 'throwaway':
      return ['--bind', mount.source, mount.path];
    default:
      return unreachable(mount.kind);
  }
}
