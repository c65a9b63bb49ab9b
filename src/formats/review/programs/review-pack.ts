import type { ComputeRun } from '../../../core/model/effect.ts';
import { treeId, type TreeId } from '../../../core/model/ids.ts';
import type { BytePath } from '../../../workspace/byte-path.ts';
import type { TreeEntry, TreeStore } from '../../../workspace/store/port.ts';
import type { Performance } from '../../../host/world.ts';
import type { EngineProgram } from '../../../host/world.ts';
import { programInput } from '../../../host/perform/programs/program-input.ts';
import { filesOfAgent, inPlaceOf, storeOf, wantedOf } from './agent-place.ts';
import { cutDiffs, MOST_CHARS } from './cut-pack.ts';
import { diffPlaces } from './diff-places.ts';
import { engineFindings } from './engine-findings.ts';
import { fileDiffs } from '../../../host/perform/files/file-diffs.ts';
import { packText, type PackedImplementation } from './pack-text.ts';
import { packSchema, type PackInput } from './review-input.ts';
import { asBytes } from '../../../host/perform/files/text-path.ts';

/**
 * `review.pack`: what reviewers are given, from the files themselves. All implementations become folders of the reviewers'
 * workspace, as one tree made of what is in the store already.
 */
export const reviewPack: EngineProgram = async (performance, effect) => {
  const input = programInput(packSchema, effect);
  const store = await storeOf(performance);
  const room = Math.floor(MOST_CHARS / Math.max(1, input.implementations.length));
  const each = input.implementations.map(async (one): Promise<Packed> => {
    const { tree, base } = await filesOfAgent(performance, effect, one.agent);
    const since = input.since?.[one.id];
    const before = since === undefined ? base : treeId(since);
    const files = await fileDiffs(store, { before, after: tree });
    const isEmpty = (await store.compare(base, tree)).length === 0;
    return { ...one, tree, files, isEmpty, ...cutDiffs(one.id, files, room) };
  });
  const packed = await Promise.all(each);
  if (input.agent !== null) await fillWorkspace(performance, effect, { store, packed, input, agent: input.agent });
  const text = packText(packed, { task: input.task, isRevision: input.since !== null });
  const output = {
    text,
    trees: Object.fromEntries(packed.map(({ id, tree }) => [id, tree])),
    diffs: diffPlaces(packed),
    engine: packed.flatMap(engineFindings).map((one) => ({ ...one })),
    cut: packed.flatMap(({ cut }) => cut.map((one) => ({ ...one }))),
  };
  return { output };
};

type Packed = PackedImplementation & { readonly tree: TreeId; readonly isEmpty: boolean };

interface Filling {
  readonly store: TreeStore;
  readonly packed: readonly Packed[];
  readonly input: PackInput;
  readonly agent: string;
}

/** Nobody merges from there: what it holds is also what it began with. */
async function fillWorkspace(
  performance: Performance,
  effect: ComputeRun,
  { store, packed, input, agent }: Filling,
): Promise<void> {
  await inPlaceOf(performance, wantedOf(performance, effect, agent), async (writing) => {
    const entries = new Map<BytePath, TreeEntry>();
    const folders = packed.map(({ id }) => `${asBytes(id)}/`);
    if (input.since !== null) {
      // Those that were not revised stay as they were.
      for (const [path, entry] of await store.entries(writing.files.tree))
        if (!folders.some((folder) => path.startsWith(folder))) entries.set(path, entry);
    }
    for (const { id, tree } of packed)
      for (const [path, entry] of await store.entries(tree)) entries.set(`${asBytes(id)}/${path}`, entry);
    const tree = await store.write(entries);
    if (tree !== writing.files.tree) await writing.hold(tree, { why: 'work', base: tree });
  });
}
