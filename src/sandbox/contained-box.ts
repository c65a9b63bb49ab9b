import { Fault } from '../core/fault.ts';
import { containedStart } from '../lib/process-tree.ts';
import type { Containment } from '../lib/process-tree.ts';
import { refuseThrowaway } from './bubblewrap/bubblewrap-box.ts';
import { enterSpace } from './file-space.ts';
import { innerCommand } from './inner-command.ts';
import { landlockPrefix } from './landlock/landlock-prefix.ts';
import { openLimits } from './limits/box-limits.ts';
import type { ProcessLimit } from './limits/box-limits.ts';
import { NOTHING_DISCARDED } from './port.ts';
import type { Prepare } from './prepared-sandbox.ts';

/** The two weaker levels: the process tree is held together, and Landlock confines it or nothing does. */
export function prepareContained(features: ContainedFeatures): Prepare {
  return async (argv, box, options) => {
    refuseThrowaway(box.folders);
    if (enterSpace(box).isEntered) throw cannotEnter(features.level);
    const writable = box.folders.filter(({ access }) => access === 'write').map(({ path }) => path);
    if (writable.some((path) => path === '/')) throw new Fault('SANDBOX_FOLDER', 'The folder / cannot be lent.');
    const limits = openLimits(box.limits ?? {}, features.processLimit);
    const inner = innerCommand(argv, { env: box.env, gated: false, mergeErrors: false });
    const confined = features.level === 'landlock' ? landlockPrefix(writable, box.network) : [];
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

function cannotEnter(level: ContainedFeatures['level']): Fault {
  return new Fault('SANDBOX_NO_SPACE', `With the sandbox ${level} no command can run in an overlay workspace.`, {
    hint: 'Set workspaces.method to copy for new runs, or use the sandbox bubblewrap.',
    facts: { level },
  });
}
