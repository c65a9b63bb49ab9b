import type { ComputeRun } from '../../../core/model/effect.ts';
import type { TreeId } from '../../../core/model/ids.ts';
import type { JsonObject } from '../../../core/model/json.ts';
import type { Failure } from '../../../core/model/outcome.ts';
import { shownPath } from '../../../lib/confined-path.ts';
import type { Conflict } from '../../../workspace/changes/conflict.ts';
import { mergeTrees } from '../../../workspace/changes/merge-trees.ts';
import type { TreeStore } from '../../../workspace/store/port.ts';
import type { ProgramAnswer } from '../../../host/world.ts';
import { conflictJson } from '../../../host/perform/files/conflict-json.ts';
import type { EffectContext } from '../../../host/world.ts';
import type { EngineProgram } from '../../../host/world.ts';
import { programInput } from '../../../host/perform/commands/program-input.ts';
import { filesOfAgent, inPlaceOf, storeOf, agentWorkspaceRequest } from './agent-place.ts';
import { chosenPart } from './chosen-part.ts';
import { hybridSchema, type HybridInput } from './review-input.ts';
import { asText } from '../../../host/perform/files/text-path.ts';
import { usersCopies, type Tampered } from '../../../host/perform/commands/users-copies.ts';

/**
 * `review.hybrid`: merges chosen files or lines of several implementations three-way, one after the other, onto their base. Makes
 * nothing on a conflict or a missing part: half of a choice is no choice. Nor if the chosen parts change the files of the command,
 * since the command judges the result.
 */
export const reviewHybrid: EngineProgram = async (context, effect) => {
  const input = programInput(hybridSchema, effect);
  const store = await storeOf(context);
  const mixed = await mix(context, effect, { store, input });
  if (!('tree' in mixed)) return mixed;
  const { command, protect } = input;
  const copies = command === '' ? null : await usersCopies(store, { ...mixed, command, protect });
  if (copies !== null && copies.tampered.length > 0) return tamperedWith(copies.tampered);
  await inPlaceOf(context, agentWorkspaceRequest(context, effect, input.agent), async (writing) => {
    if (writing.files.tree !== mixed.tree) await writing.restoreTree(mixed.tree, { why: 'work' });
  });
  return { output: { tree: mixed.tree, conflicts: [], parts: input.parts.map((part) => ({ ...part })) } };
};

interface Mixing {
  readonly store: TreeStore;
  readonly input: HybridInput;
}

async function mix(
  context: EffectContext,
  effect: ComputeRun,
  { store, input }: Mixing,
): Promise<{ readonly tree: TreeId; readonly base: TreeId } | ProgramAnswer> {
  let tree: TreeId | null = null;
  let base: TreeId | null = null;
  let label = 'base';
  for (const { implementation, paths } of input.parts) {
    const files = await filesOfAgent(context, effect, implementation);
    const part = await chosenPart(store, { implementation, base: files.base, tree: files.tree, paths });
    if (part.unmatched.length > 0) return unmatched(implementation, part.unmatched);
    tree ??= files.base;
    base ??= files.base;
    const labels = { base: 'before', ours: label, theirs: implementation };
    const merged = await mergeTrees(store, { base: files.base, ours: tree, theirs: part.tree, labels });
    if (merged.kind === 'conflict') return inConflict(implementation, merged.conflicts);
    tree = merged.tree;
    label = label === 'base' ? implementation : `${label}+${implementation}`;
  }
  return tree === null || base === null ? unmatched('nobody', ['anything']) : { tree, base };
}

function unmatched(implementation: string, paths: readonly string[]): ProgramAnswer {
  const message = `${implementation} changed nothing that is called ${paths.map((path) => shownPath(path)).join(', ')}.`;
  return failed({ conflicts: [], unmatched: [...paths] }, { code: 'HYBRID_UNMATCHED', message, class: 'logic' });
}

function inConflict(implementation: string, conflicts: readonly Conflict[]): ProgramAnswer {
  const paths = conflicts.slice(0, MOST_NAMED).map(({ path }) => shownPath(asText(path)));
  const message = `What was chosen of ${implementation} is in conflict with the parts before it: ${paths.join(', ')}.`;
  const failure: Failure = { code: 'HYBRID_CONFLICT', message, class: 'logic' };
  return failed({ conflicts: conflicts.map(conflictJson), unmatched: [] }, failure);
}

function tamperedWith(tampered: readonly Tampered[]): ProgramAnswer {
  const paths = tampered.slice(0, MOST_NAMED).map(({ path }) => shownPath(path));
  const message = `What was chosen changes what the command is made of: ${paths.join(', ')}.`;
  return failed({ conflicts: [], unmatched: [] }, { code: 'HYBRID_TAMPERED', message, class: 'logic' });
}

const MOST_NAMED = 10;

const failed = (output: JsonObject, failure: Failure): ProgramAnswer => ({ output, failure });
