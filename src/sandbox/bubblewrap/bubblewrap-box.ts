import { Fault } from '../../core/fault.ts';
import { boundToParent, newMark } from '../../lib/process-tree.ts';
import type { Containment } from '../../lib/process-tree.ts';
import { enterSpace } from '../file-space.ts';
import { innerCommand } from '../inner-command.ts';
import { openLimits } from '../limits/box-limits.ts';
import type { ProcessLimit } from '../limits/box-limits.ts';
import type { Prepare } from '../prepared-sandbox.ts';
import { bubblewrapArgv } from './bubblewrap-argv.ts';
import { openOverlays } from './overlay.ts';
import { outerNamespace } from './outer-namespace.ts';
import { visiblePaths } from './visible-paths.ts';

/**
 * From the outside in: bound to our life, counted, in the space of files, overlays, namespaces, limits, the program.
 * Bubblewrap alone makes a namespace.
 */
export function prepareBubblewrap(features: BubblewrapFeatures): Prepare {
  return async (argv, asked, options) => {
    const { box, words, seen } = enterSpace(asked);
    const mounts = visiblePaths(box);
    if (!features.hasOverlay) refuseThrowaway(box.folders);
    const overlays = await openOverlays(mounts, features.scratch, seen);
    const limits = openLimits(box.limits ?? {}, features.processLimit);
    const { network, cwd } = box;
    const namespaces = bubblewrapArgv({ ...features, network, cwd, mounts: overlays.mounts });
    const inner = innerCommand(argv, { env: box.env, ...options });
    const isBound = features.containment === 'namespace-bound';
    const outer = [...limits.outer, ...words, ...outerNamespace(overlays.layers, isBound)];
    return {
      start: {
        argv: boundToParent([...outer, ...namespaces, ...limits.inner, ...inner.argv], isBound),
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
  readonly canForbidNamespaces: boolean;
  readonly canLimitScratch: boolean;
  readonly hasOverlay: boolean;
  readonly processLimit: ProcessLimit;
  /** Whether a namespace can be put around it all. */
  readonly containment: Containment;
  /** Where throw-away layers are kept; hidden from the program as all that is the engine's. */
  readonly scratch: string;
}

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
