import { STARTER_LIVES, systemProgram } from '../../lib/process-tree.ts';
import type { Layer } from './overlay.ts';

/**
 * Words that go before bubblewrap's. They put it into a PID namespace, whose end takes it along at any moment of its life:
 * while it is still setting up, a killed bubblewrap leaves the child it has made. And they mount the overlays, for which the
 * versions of today's distributions have no option.
 */
export function outerNamespace(layers: readonly Layer[], isBound: boolean): readonly string[] {
  const hasLayers = layers.length > 0;
  if (!hasLayers && !isBound) return [];
  const kinds = [
    hasLayers ? '--map-root-user --mount --propagation private' : '--map-current-user',
    isBound ? '--pid --fork --kill-child' : '',
  ].flatMap((words) => words.split(' ').filter((word) => word !== ''));
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
