import type { Json } from '../../../core/model/json.ts';
import { shownPath } from '../../../lib/confined-path.ts';
import type { Conflict, ConflictSide } from '../../../workspace/changes/conflict.ts';

/** A conflict as a workflow and a person see it: the path, what kind, and both sides. */
export function conflictJson({ path, kind, base, ours, theirs }: Conflict): Json {
  return {
    path: shownPath(Buffer.from(path, 'latin1')),
    kind,
    base: sideJson(base),
    ours: sideJson(ours),
    theirs: sideJson(theirs),
  };
}

function sideJson(side: ConflictSide | null): Json {
  if (side === null) return null;
  const { kind, mode, text, isCut } = side;
  return {
    kind,
    mode: mode === null ? null : mode.toString(8),
    ...(text === undefined ? {} : { text }),
    ...(isCut === true ? { isCut } : {}),
  };
}
