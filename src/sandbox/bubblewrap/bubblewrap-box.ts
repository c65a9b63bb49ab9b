import { Fault, unreachable } from '../../core/model/fault.ts';
import { boundToParent, type Containment, newMark, STARTER_LIVES, systemProgram } from '../../lib/process-tree.ts';
import { type Identity, settingsFolder } from '../declared/system-paths.ts';
import type { FoundLevel } from '../found-level.ts';
import { cannotEnter, enterSpace } from '../file-space.ts';
import { innerCommand, type Prepare } from '../prepared-sandbox.ts';
import { openLimits, type ProcessLimit } from '../limits/box-limits.ts';
import { dropRoot, ownerMap } from './drop-root.ts';
import { type Layer, openOverlays } from './overlay.ts';
import { type Mount, visiblePaths } from './visible-paths.ts';

/**
 * From the outside in: counted, without root, bound to the life of this process, in the space of files, overlays,
 * namespaces, limits, the program. Only bubblewrap makes a namespace.
 */
export function prepareBubblewrap(features: BubblewrapFeatures): Prepare {
  return async (argv, asked, options) => {
    const { box, args, seen, isEntered } = enterSpace(asked);
    const isMapped = features.identity === 'mapped';
    // The kernel maps owners through most file systems, but not through an overlay.
    if (isEntered && isMapped) throw cannotEnter("as root: it would keep root's user id");
    if (!features.hasOverlay) refuseThrowaway(box.folders);
    const inside = identityInside();
    const mounts = visiblePaths(box, settingsFolder(features.scratch, inside));
    const overlays = await openOverlays(mounts, features.scratch, seen);
    const limits = openLimits(box.limits ?? {}, features.processLimit);
    const map = isMapped ? await neededMap() : null;
    const parts = map === null ? { ...overlays, args: [] } : dropRoot(overlays, map);
    const { network, cwd } = box;
    const namespaces = bubblewrapArgv({ ...features, network, cwd, inside, mounts: parts.mounts });
    const inner = innerCommand(argv, { env: box.env, ...options });
    const isBound = features.containment === 'namespace-bound';
    const outer = [...args, ...outerNamespace(parts.layers, isBound)];
    const bound = boundToParent([...outer, ...namespaces, ...limits.inner, ...inner.argv], isBound);
    return {
      start: {
        // The bond comes after the change of user, which would undo it.
        argv: [...limits.outer, ...parts.args, ...bound],
        env: inner.env,
        level: 'namespace-bound',
        gated: options.gated,
        mark: newMark(),
      },
      cwd: '/',
      dispose: async () => {
        await limits.remove();
        return overlays.dispose();
      },
    };
  };
}

export interface BubblewrapFeatures {
  readonly program: string;
  readonly identity: FoundLevel['identity'];
  readonly canForbidNamespaces: boolean;
  readonly canLimitScratch: boolean;
  readonly hasOverlay: boolean;
  readonly processLimit: ProcessLimit;
  /** Whether a namespace can be put around it all. */
  readonly containment: Containment;
  /** Where throw-away layers are kept; hidden from the program as all that is the engine's. */
  readonly scratch: string;
}

async function neededMap(): Promise<string> {
  const map = await ownerMap();
  if (map !== null) return map;
  throw new Fault('SANDBOX_UNAVAILABLE', "Commands cannot give up root's user id.", {
    hint: 'This needs perl, unshare and Linux 5.12 or later. Run troupe doctor to test the sandbox again.',
  });
}

/**
 * The user's own ids, so that files are shown as owned by the user, which git requires. Root has another id inside, which
 * still owns root's files, and whose files are root's outside: programs that behave differently for root do not.
 */
function identityInside(): Identity {
  const uid = process.getuid?.() ?? ORDINARY;
  return uid === 0 ? { uid: ORDINARY, gid: ORDINARY } : { uid, gid: process.getgid?.() ?? ORDINARY };
}

const ORDINARY = 1000;

export function refuseThrowaway(folders: readonly { readonly path: string; readonly access: string }[]): void {
  const folder = folders.find(({ access }) => access === 'throwaway');
  if (folder === undefined) return;
  throw new Fault(
    'SANDBOX_NO_OVERLAY',
    `The folder ${folder.path} cannot be lent for throwing away: no overlay works here.`,
    {
      hint: 'Overlays need bubblewrap, and a kernel (5.11 or later) that lets users mount overlayfs in a user namespace.',
    },
  );
}

/**
 * The arguments that put a command into its own namespaces. Bubblewrap's environment can be read inside, so it must be
 * started with exactly that of the command.
 */
function bubblewrapArgv(options: BubblewrapOptions): readonly string[] {
  const { uid, gid } = options.inside;
  const hiding = options.mounts.filter(({ kind }) => kind === 'empty-folder');
  const flags = [
    `--unshare-user --uid ${uid} --gid ${gid} --cap-drop ALL`,
    options.canForbidNamespaces ? '--disable-userns' : '',
    '--unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try',
    options.network ? '' : '--unshare-net',
    '--new-session --die-with-parent --dev /dev --proc /proc',
  ].flatMap((text) => text.split(' ').filter((word) => word !== ''));
  const mounts = options.mounts.flatMap((mount) => mountWords(mount, options));
  // Closed last, when the places for what lies below have been made. All of /proc: knobs of the kernel are spread over it.
  const closing = [...hiding.map(({ path }) => path), '/proc', '/'].flatMap((path) => ['--remount-ro', path]);
  return [options.program, ...flags, ...mounts, ...closing, '--chdir', options.cwd, '--'];
}

export interface BubblewrapOptions {
  readonly program: string;
  /** Versions before 0.8 cannot keep a command from making its own user namespaces. */
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

/**
 * Arguments that go before bubblewrap's. They put it into a PID namespace, whose end also ends bubblewrap at any moment:
 * while it is still setting up, a killed bubblewrap leaves the child it has made. They also mount the overlays, for which
 * the versions of today's distributions have no option. Bubblewrap looks up its child in /proc, so /proc has to be the
 * namespace's: the machine's shows a different process under that number, and a container's may show none.
 */
function outerNamespace(layers: readonly Layer[], isBound: boolean): readonly string[] {
  const hasLayers = layers.length > 0;
  if (!hasLayers && !isBound) return [];
  const kinds = [
    hasLayers ? '--map-root-user --mount --propagation private' : '--map-current-user',
    isBound ? '--pid --fork --kill-child --mount-proc' : '',
  ].flatMap((text) => text.split(' ').filter((word) => word !== ''));
  const script = `${isBound ? STARTER_LIVES : ''}${MOUNT_LAYERS}exec "$@"`;
  const pairs = layers.flatMap(({ folder, place }) => [place, folder]);
  const settings = [systemProgram('mount'), String(layers.length), ...pairs];
  return [systemProgram('unshare'), '--user', ...kinds, '--', '/bin/sh', '-c', script, 'sh', ...settings];
}

/** All is named relative to the layer's place: a comma or colon in a path would be read as part of an option. */
const MOUNT_LAYERS = `
  mount=$1; count=$2; shift 2
  while [ "$count" -gt 0 ]; do
    cd -- "$1" && "$mount" --rbind -- "$2" lower \\
      && "$mount" -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work,userxattr merged || exit 125
    shift 2; count=$((count - 1))
  done
  cd / || exit 125
  `;
