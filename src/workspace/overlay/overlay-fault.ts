import { Fault } from '../../core/fault.ts';

/** Never copied in silence: who asked for an overlay is told why there is none. */
export function overlayFault(why: string, cause?: unknown): Fault {
  return new Fault('WORKSPACE_NO_OVERLAY', `Overlay workspaces do not work here: ${why.replace(/\.$/, '')}.`, {
    hint: 'Set workspaces.method to copy. Overlays need an ordinary user, Linux 5.11 or later, user namespaces, unshare, nsenter and mount, and a home on a disk such as ext4, xfs, btrfs or tmpfs.',
    ...(cause === undefined ? {} : { cause }),
  });
}
