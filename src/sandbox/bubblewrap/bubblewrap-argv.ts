import { unreachable } from '../../core/fault.ts';
import type { Identity } from '../declared/settings-folder.ts';
import type { Mount } from './visible-paths.ts';

/**
 * The words that put a command into namespaces of its own. Bubblewrap's own environment can be read inside, so it must be
 * started with that of the command and no other.
 */
export function bubblewrapArgv(options: BubblewrapOptions): readonly string[] {
  const { uid, gid } = options.inside;
  const hiding = options.mounts.filter(({ kind }) => kind === 'empty-folder');
  const flags = [
    `--unshare-user --uid ${uid} --gid ${gid} --cap-drop ALL`,
    options.canForbidNamespaces ? '--disable-userns' : '',
    '--unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try',
    options.network ? '' : '--unshare-net',
    '--new-session --die-with-parent --dev /dev --proc /proc',
  ].flatMap((words) => words.split(' ').filter((word) => word !== ''));
  const mounts = options.mounts.flatMap((mount) => mountWords(mount, options));
  // Closed last, when the places for what lies below have been made. All of /proc: knobs of the kernel are spread over it.
  const closing = [...hiding.map(({ path }) => path), '/proc', '/'].flatMap((path) => ['--remount-ro', path]);
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
  /** As whom the program sees itself. */
  readonly inside: Identity;
  readonly mounts: readonly Mount[];
}

const SCRATCH_BYTES = 2 ** 30;

function mountWords(mount: Mount, options: BubblewrapOptions): readonly string[] {
  switch (mount.kind) {
    case 'empty-folder':
      return ['--tmpfs', mount.path];
    case 'empty-file':
      return ['--ro-bind', '/dev/null', mount.path];
    case 'scratch':
      return [...(options.canLimitScratch ? ['--size', String(SCRATCH_BYTES)] : []), '--tmpfs', mount.path];
    case 'link':
      return ['--symlink', mount.source, mount.path];
    case 'read':
      return ['--ro-bind', mount.source, mount.path];
    case 'write':
    case 'throwaway':
      return ['--bind', mount.source, mount.path];
    default:
      return unreachable(mount.kind);
  }
}
