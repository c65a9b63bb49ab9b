import type { ComputeRun } from '../../../core/model/effect.ts';
import { treeId, type TreeId } from '../../../core/model/ids.ts';
import { fileDiffs } from '../../../host/perform/files/file-diffs.ts';
import { asBytes } from '../../../host/perform/files/text-path.ts';
import { programInput } from '../../../host/perform/commands/program-input.ts';
import type { EngineProgram, EffectContext } from '../../../host/world.ts';
import type { BytePath } from '../../../workspace/byte-path.ts';
import type { TreeEntry, TreeStore } from '../../../workspace/store/port.ts';
import { liveImplementations } from '../rules/ledger.ts';
import { taskIn } from '../rules/review-inputs.ts';
import type { ChangeSize } from '../rules/change-size.ts';
import { touchedFindings } from '../rules/touched-findings.ts';
import { filesOfAgent, inPlaceOf, storeOf, agentWorkspaceRequest } from './agent-place.ts';
import { cutDiffs, MOST_CHARS } from './cut-pack.ts';
import { diffPlaces } from './diff-places.ts';
import { engineDrafts } from './engine-drafts.ts';
import { keepReview, type Gathering } from './keep-review.ts';
import { packText, type PackedImplementation } from './pack-text.ts';
import { lookedAtSchema } from './review-input.ts';

/**
 * `review.pack`: makes the reviewers' reading from the files themselves. All implementations become folders of the reviewers'
 * workspace, as one tree of objects that are in the store already.
 */
export const reviewPack: EngineProgram = keepReview(async (gathering) => {
  const { context, effect, state } = gathering;
  const { agent } = programInput(lookedAtSchema, effect);
  const isRevision = state.revisions > 0;
  const since = isRevision ? state.trees : {};
  const ids = state.units.map(({ id }) => id);
  const packed = await packAll(gathering, ids, since);
  const whole = isRevision ? await packAll(gathering, ids, {}) : packed;
  await fillWorkspace(context, effect, { packed, isRevision, agent });
  const revised = new Map(isRevision ? packed.map(({ id, files }) => [id, files]) : []);
  return {
    kind: 'packed',
    pack: {
      text: packText(packed, { task: taskIn(context.snapshot.data), isRevision }),
      trees: Object.fromEntries(packed.map(({ id, tree }) => [id, tree])),
      diffs: diffPlaces(packed),
      engine: packed.flatMap(engineDrafts),
    },
    sizes: Object.fromEntries(whole.map((one) => [one.id, sizeOf(one)])),
    touched: touchedFindings(state.ledger, revised),
  };
});

/** `review.show`: the whole diffs of all that is judged, also after a revision; the workspace is filled already. */
export const reviewShow: EngineProgram = keepReview(async (gathering) => {
  const { alive, ledger } = gathering.state;
  const ids = liveImplementations(ledger).filter((id) => alive.includes(id));
  const packed = await packAll(gathering, ids, {});
  const task = taskIn(gathering.context.snapshot.data);
  return { kind: 'shown', text: packText(packed, { task, isRevision: false }) };
});

type Packed = PackedImplementation & { readonly tree: TreeId; readonly isEmpty: boolean };

async function packAll(
  { context, effect, state }: Gathering,
  ids: readonly string[],
  since: Readonly<Record<string, string>>,
): Promise<readonly Packed[]> {
  const store = await storeOf(context);
  const room = Math.floor(MOST_CHARS / Math.max(1, ids.length));
  const each = ids.map(async (id): Promise<Packed> => {
    const { tree, base } = await filesOfAgent(context, effect, id);
    const seen = since[id];
    const files = await fileDiffs(store, { before: seen === undefined ? base : treeId(seen), after: tree });
    const isEmpty = (await store.compare(base, tree)).length === 0;
    const evidence = state.evidence[id] ?? null;
    return { id, evidence, tree, files, isEmpty, ...cutDiffs(id, files, room) };
  });
  return await Promise.all(each);
}

function sizeOf({ files }: Packed): ChangeSize {
  const sum = (of: (file: (typeof files)[number]) => number): number =>
    files.reduce((total, file) => total + of(file), 0);
  return {
    files: files.length,
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
    binary: sum(({ isBinary }) => Number(isBinary)),
  };
}

interface Filling {
  readonly packed: readonly Packed[];
  readonly isRevision: boolean;
  readonly agent: string;
}

/** No agent merges from there, so its base is its own content. */
async function fillWorkspace(
  context: EffectContext,
  effect: ComputeRun,
  { packed, isRevision, agent }: Filling,
): Promise<void> {
  const store = await storeOf(context);
  await inPlaceOf(context, agentWorkspaceRequest(context, effect, agent), async (writing) => {
    // Unrevised ones stay as they were.
    const before = isRevision ? await othersIn(store, writing.files.tree, packed) : [];
    const entries = new Map<BytePath, TreeEntry>(before);
    for (const { id, tree } of packed)
      for (const [path, entry] of await store.entries(tree)) entries.set(`${asBytes(id)}/${path}`, entry);
    const tree = await store.write(entries);
    if (tree !== writing.files.tree) await writing.restoreTree(tree, { why: 'work', base: tree });
  });
}

async function othersIn(
  store: TreeStore,
  tree: TreeId,
  packed: readonly Packed[],
): Promise<readonly (readonly [BytePath, TreeEntry])[]> {
  const folders = packed.map(({ id }) => `${asBytes(id)}/`);
  return [...(await store.entries(tree))].filter(([path]) => !folders.some((folder) => path.startsWith(folder)));
}
