import { Fault } from '../../core/fault.ts';
import { boundToParent, newMark } from '../../lib/process-tree.ts';
import type { Containment } from '../../lib/process-tree.ts';
import { settingsFolder } from '../declared/settings-folder.ts';
import type { Identity } from '../declared/settings-folder.ts';
import type { FoundLevel } from '../found-level.ts';
import { cannotEnter, enterSpace } from '../file-space.ts';
import { innerCommand } from '../inner-command.ts';
import { openLimits } from '../limits/box-limits.ts';
import type { ProcessLimit } from '../limits/box-limits.ts';
import type { Prepare } from '../prepared-sandbox.ts';
import { bubblewrapArgv } from './bubblewrap-argv.ts';
import { dropRoot } from './drop-root.ts';
import { openOverlays } from './overlay.ts';
import { ownerMap } from './owner-map.ts';
import { outerNamespace } from './outer-namespace.ts';
import { visiblePaths } from './visible-paths.ts';

/**
 * From the outside in: counted, no longer root, bound to our life, in the space of files, overlays, namespaces, limits, the
 * program. Bubblewrap alone makes a namespace.
 */
export function prepareBubblewrap(features: BubblewrapFeatures): Prepare {
  return async (argv, asked, options) => {
    const { box, words, seen, isEntered } = enterSpace(asked);
    const isMapped = features.identity === 'mapped';
    // The kernel maps owners through most file systems, but not through an overlay.
    if (isEntered && isMapped) throw cannotEnter("as root: it would keep root's user id");
    if (!features.hasOverlay) refuseThrowaway(box.folders);
    const inside = identityInside();
    const mounts = visiblePaths(box, settingsFolder(features.scratch, inside));
    const overlays = await openOverlays(mounts, features.scratch, seen);
    const limits = openLimits(box.limits ?? {}, features.processLimit);
    const map = isMapped ? await neededMap() : null;
    const parts = map === null ? { ...overlays, words: [] } : dropRoot(overlays, map);
    const { network, cwd } = box;
    const namespaces = bubblewrapArgv({ ...features, network, cwd, inside, mounts: parts.mounts });
    const inner = innerCommand(argv, { env: box.env, ...options });
    const isBound = features.containment === 'namespace-bound';
    const outer = [...words, ...outerNamespace(parts.layers, isBound)];
    const bound = boundToParent([...outer, ...namespaces, ...limits.inner, ...inner.argv], isBound);
    return {
      start: {
        // The bond comes after the change of user, which would undo it.
        argv: [...limits.outer, ...parts.words, ...bound],
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
 * The user's own numbers, so that files look and are owned by oneself; git asks for that. Root is somebody else inside, who
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
