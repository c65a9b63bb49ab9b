import { Fault, isFault } from '../../../core/model/fault.ts';
import { changeViews } from '../../../host/deliver/change-view.ts';
import type { CompareView, DiffSize } from '../views/compare-view.ts';
import { foldCompare } from '../views/fold-compare.ts';
import { createWorkspaces } from '../../../workspace/workspaces.ts';
import type { Looking, Store } from '../../../app/world/store.ts';
import { wirePatch } from '../../../app/views/changes-of.ts';
import type { JournalRecord } from '../../../core/record/fact.ts';
import { foldRecords } from '../../../core/fold/fold.ts';
import { bodyHash, type RunId, type TreeId } from '../../../core/model/ids.ts';
import type { Definition } from '../../../core/model/definition.ts';
import type { Journal, RunInfo } from '../../../journal/port.ts';
import { findRun } from '../../../app/runs/find-run.ts';
import { workspaceOf } from '../../../core/model/workspace-name.ts';
import { nameHint } from '../../../source/closest-name.ts';
import { diffTrees, type TreeDiff } from '../../../workspace/changes/diff-trees.ts';
import type { TreeStore } from '../../../workspace/store/port.ts';
import { findFiles, madeFrom, type RunFiles, treeOf } from '../../../host/deliver/find-files.ts';
import { requireTrees } from '../../../host/deliver/kept-trees.ts';
import { familyOf } from '../../families.ts';

export interface FoundReview {
  readonly info: RunInfo;
  readonly records: readonly JournalRecord[];
}

/** The review that a person means. For any other run the error names the reviews below it. */
export async function findReview(journal: Journal, named: string, folder: string): Promise<FoundReview> {
  const info = await findRun(journal, named, folder);
  const records = await journal.read(info.run);
  if (await isReview(journal, records)) return { info, records };
  const below = await reviewsBelow(journal, info.run);
  const [first] = below;
  throw new Fault('REVIEW_NONE', `Run ${info.run} is not a review: it has no reviewers and no debate.`, {
    hint: first === undefined ? `See what it is: troupe show ${info.run}` : `There is one below it: ${first}`,
    facts: { run: info.run, reviews: below },
  });
}

async function isReview(journal: Journal, records: readonly JournalRecord[]): Promise<boolean> {
  try {
    const { workflow } = (await journal.getBody(bodyHash(foldRecords(records).definition))) as unknown as Definition;
    return familyOf(workflow).takesBest === true;
  } catch (error) {
    if (isFault(error)) return false;
    throw error;
  }
}

async function reviewsBelow(journal: Journal, run: RunId): Promise<readonly RunId[]> {
  const found: RunId[] = [];
  for (const { run: child } of await journal.runs({ parent: run })) {
    if (await isReview(journal, await journal.read(child))) found.push(child);
    else found.push(...(await reviewsBelow(journal, child)));
  }
  return found;
}

/** The files of the implementations of one run, each in its own workspace. */
class ImplementationFiles {
  readonly #files: RunFiles;
  readonly #trees: TreeStore;
  readonly #workspaceOf: (id: string) => string;

  constructor(files: RunFiles, trees: TreeStore, found: FoundReview) {
    const { run, workspace } = foldRecords(found.records);
    this.#files = files;
    this.#trees = trees;
    this.#workspaceOf = (name) =>
      workspaceOf({ run, workspace }, { name, role: name, context: name, side: 'assistant', workspace: 'own' });
  }

  /** Null where the run has no files at all. */
  static async open({ journal }: Store, trees: TreeStore, found: FoundReview): Promise<ImplementationFiles | null> {
    try {
      return new ImplementationFiles(await findFiles(journal, found.info.run), trees, found);
    } catch (error) {
      if (isFault(error) && error.code === 'FILES_NONE') return null;
      throw error;
    }
  }

  /** Compared with each base. An implementation without work, or with pruned files, is left out. */
  async sizes(ids: readonly string[]): Promise<ReadonlyMap<string, DiffSize>> {
    const sizes = new Map<string, DiffSize>();
    for (const id of ids) {
      const workspace = this.#workspaceOf(id);
      if (!this.#files.workspaces.has(workspace)) continue;
      const [before, after] = [madeFrom(this.#files, workspace), treeOf(this.#files, workspace)];
      if (!(await this.#trees.has(before)) || !(await this.#trees.has(after))) continue;
      const { stat, changes } = await diffTrees(this.#trees, { before, after }, { patch: false });
      const { files, added, removed } = stat;
      const binary = files.filter(({ isBinary }) => isBinary).length;
      sizes.set(id, { files: Math.max(files.length, changes.length === 0 ? 0 : 1), added, removed, binary, of: 'now' });
    }
    return sizes;
  }

  async between(one: string, other: string, known: readonly string[]): Promise<BetweenTwo> {
    const [before, after] = [this.#treeOf(one, known), this.#treeOf(other, known)];
    await requireTrees(this.#trees, this.#files.root, [before, after]);
    return { before, after, ...(await diffTrees(this.#trees, { before, after })) };
  }

  #treeOf(id: string, known: readonly string[]): TreeId {
    if (!known.includes(id)) {
      throw new Fault('IMPLEMENTATION_UNKNOWN', `There is no implementation "${id}" in this run.`, {
        hint: nameHint(id, known) ?? 'There is none yet.',
        facts: { implementations: known },
      });
    }
    return treeOf(this.#files, this.#workspaceOf(id));
  }
}

interface BetweenTwo extends TreeDiff {
  readonly before: TreeId;
  readonly after: TreeId;
}

export type Pair = readonly [one: string, other: string];

/** Implementations of a review side by side. */
export async function compareRun(looking: Looking, named: string): Promise<CompareView> {
  return await withFiles(looking, named, async ({ records, info }, files) => {
    const ids = foldCompare(records, info).implementations.map(({ id }) => id);
    return foldCompare(records, { ...info, sizes: await files?.sizes(ids) });
  });
}

export interface ComparedPair {
  readonly run: string;
  readonly pair: Pair;
  readonly diff: BetweenTwo;
}

/** The differences between two of them. */
export async function comparePair(looking: Looking, named: string, pair: Pair): Promise<ComparedPair> {
  return await withFiles(looking, named, async ({ records, info }, files) => {
    if (files === null) throw new Fault('FILES_NONE', `Run ${info.run} has no files.`);
    const view = foldCompare(records, info);
    const ids = view.implementations.map(({ id }) => id);
    return { run: view.run, pair, diff: await files.between(...pair, ids) };
  });
}

/** For programs. */
export function pairLine({ run, pair: [from, to], diff }: ComparedPair) {
  const { before, after, changes, stat, patch } = diff;
  const { added, removed } = stat;
  const files = changeViews(changes, stat);
  return { kind: 'compare-diff', run, from, to, before, after, files, added, removed, ...wirePatch(patch) } as const;
}

async function withFiles<Result>(
  { store, caller }: Looking,
  named: string,
  work: (found: FoundReview, files: ImplementationFiles | null) => Promise<Result>,
): Promise<Result> {
  const found = await findReview(store.journal, named, caller.folder);
  const workspaces = createWorkspaces({ home: store.home, shared: store.files });
  try {
    const trees = await workspaces.store(found.info.project);
    return await work(found, await ImplementationFiles.open(store, trees, found));
  } finally {
    await workspaces.close();
  }
}
