import { realpathSync } from 'node:fs';
import { Fault } from '../core/fault.ts';
import { containedStart } from '../lib/process-tree.ts';
import type { Containment } from '../lib/process-tree.ts';
import { refuseThrowaway } from './bubblewrap/bubblewrap-box.ts';
import { cannotEnter, enterSpace } from './file-space.ts';
import { innerCommand } from './inner-command.ts';
import { landlockPrefix } from './landlock/landlock-prefix.ts';
import { openLimits } from './limits/box-limits.ts';
import type { ProcessLimit } from './limits/box-limits.ts';
import { NOTHING_DISCARDED } from './port.ts';
import type { Box } from './port.ts';
import type { Prepare } from './prepared-sandbox.ts';

/** The two weaker levels: the process tree is held together, and Landlock confines it or nothing does. */
export function prepareContained(features: ContainedFeatures): Prepare {
  return async (argv, box, options) => {
    refuseThrowaway(box.folders);
    if (enterSpace(box).isEntered) throw cannotEnter(`with the sandbox ${features.level}`);
    const { readable, writable } = declaredFolders(box);
    if ([...readable, ...writable].includes('/')) throw new Fault('SANDBOX_FOLDER', 'The folder / cannot be lent.');
    const limits = openLimits(box.limits ?? {}, features.processLimit);
    const inner = innerCommand(argv, { env: box.env, gated: false, mergeErrors: false });
    const confined = features.level === 'landlock' ? landlockPrefix({ readable, writable, network: box.network }) : [];
    const start = containedStart([...confined, ...limits.inner, ...inner.argv], {
      level: features.containment,
      env: inner.env,
      ...options,
    });
    return {
      start: { ...start, argv: [...limits.outer, ...start.argv] },
      cwd: box.cwd,
      dispose: () => limits.remove().then(() => NOTHING_DISCARDED),
    };
  };
}

export interface ContainedFeatures {
  readonly level: 'landlock' | 'none';
  readonly containment: Containment;
  readonly processLimit: ProcessLimit;
}

/** What is hidden is not lent to be read, whatever its name. */
function declaredFolders({ folders, hidden }: Box): {
  readonly [access in 'readable' | 'writable']: readonly string[];
} {
  const secret = new Set(hidden.map(realPath));
  const named = (access: string) => folders.filter((each) => each.access === access).map(({ path }) => path);
  return { readable: named('read').filter((path) => !secret.has(realPath(path))), writable: named('write') };
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
