import type { TreeId } from '../../core/model/ids.ts';
import type { BytePath } from '../byte-path.ts';
import type { EntryMap, TreeChange, TreeStore } from '../store/port.ts';
import { branchChanges } from './branch-changes.ts';
import { type Conflict, type ConflictKind, newRepositories, toConflict } from './conflict.ts';
import { allPaths, isSameEntry } from '../store/entries.ts';
import { type LeftOut, mergeEntries } from './merge-entries.ts';
import { presentEntry } from './check-step.ts';
import { type ScratchRepository, storedForm } from './scratch-repository.ts';
import type { UserRepository } from './user-repository.ts';

/**
 * What the commit that is checked out would be with a run's changes, and nothing but these: what the user has not committed and
 * the run did not touch stays out. Where a change builds on work that is not committed, it may have no place there.
 */
export async function branchTree(scratch: ScratchRepository, source: BranchSource): Promise<BranchTree> {
  const { user, store } = source;
  const sorted = await branchChanges(await store.compare(source.base, source.tree), user);
  const forms = await bothForms(scratch, source, sorted.taken);
  const head = await scratch.headEntries();
  const labels = { base: 'before the run', ours: 'HEAD', theirs: 'the run' };
  const merged = await mergeEntries(
    { base: overlay(head, forms.base, forms), ours: head, theirs: overlay(head, forms.theirs, forms), labels },
    scratch,
  );
  const conflicts = await Promise.all([
    ...merged.conflicts.map((conflict) => explain(conflict, source)),
    ...forms.outside.map((path) => bare(path, 'filter')),
    ...sorted.nested.map((path) => bare(path, 'submodule')),
    ...newRepositories(head, merged.entries).map((path) => bare(path === '' ? 'HEAD' : path, 'repository')),
  ]);
  return { head, entries: merged.entries, conflicts, leftOut: sorted.leftOut };
}

/** The run's own result, whatever the user did since: what it found at the paths it changed, and what it made of them. */
export async function ownTrees(scratch: ScratchRepository, source: BranchSource): Promise<OwnTrees> {
  const sorted = await branchChanges(await source.store.compare(source.base, source.tree), source.user);
  const forms = await bothForms(scratch, source, sorted.taken);
  const head = await scratch.headEntries();
  const [began, entries] = [overlay(head, forms.base, forms), overlay(head, forms.theirs, forms)];
  return { head, began, entries, leftOut: sorted.leftOut };
}

export interface OwnTrees {
  /** The commit that was checked out when the run began. */
  readonly head: EntryMap;
  /** The same with the work that was not committed then, as far as the run continued with it. */
  readonly began: EntryMap;
  readonly entries: EntryMap;
  readonly leftOut: readonly LeftOut[];
}

export interface BranchSource {
  readonly user: UserRepository;
  readonly store: TreeStore;
  readonly base: TreeId;
  readonly tree: TreeId;
  readonly filters: ReadonlySet<string>;
}

export interface BranchTree {
  readonly head: EntryMap;
  readonly entries: EntryMap;
  readonly conflicts: readonly BranchConflict[];
  readonly leftOut: readonly LeftOut[];
}

export type BranchConflict = Omit<Conflict, 'kind'> & { readonly kind: BranchConflictKind };

export type BranchConflictKind =
  | ConflictKind
  /** The change builds on work of the user that is in no commit. */
  | 'uncommitted'
  /** An outside program, or a recoding, decides in what form git keeps this file; no such program is run. */
  | 'filter'
  /** The file belongs to a repository inside the repository. */
  | 'submodule';

interface BothForms {
  readonly base: EntryMap;
  readonly theirs: EntryMap;
  /** Paths in the repository that the run changed and that git can take. */
  readonly paths: readonly BytePath[];
  readonly outside: readonly BytePath[];
}

async function bothForms(
  scratch: ScratchRepository,
  { store, user, base, tree, filters }: BranchSource,
  changes: readonly TreeChange[],
): Promise<BothForms> {
  const paths = changes.map(({ path }) => user.prefix + path);
  const form = async (name: string, id: TreeId) => {
    const own = await store.entries(id);
    const entries = new Map([...own].map(([path, entry]) => [user.prefix + path, entry]));
    return storedForm(scratch, { store, name, entries, paths, filters });
  };
  const before = await form('base', base);
  const after = await form('theirs', tree);
  const outside = new Set([...before.outside, ...after.outside]);
  return {
    base: before.entries,
    theirs: after.entries,
    paths: paths.filter((path) => !outside.has(path)),
    outside: [...outside].sort(),
  };
}

/** The commit's tree with the changed paths as one side has them. */
function overlay(head: EntryMap, form: EntryMap, { paths }: BothForms): EntryMap {
  const all = new Map(head);
  for (const path of paths) {
    const entry = form.get(path);
    if (entry === undefined) all.delete(path);
    else all.set(path, entry);
  }
  return all;
}

async function bare(path: BytePath, kind: BranchConflictKind): Promise<BranchConflict> {
  return { ...(await toConflict(path, { kind: 'unkept', three: NOTHING }, NO_BLOBS)), kind };
}

const NOTHING = { base: null, ours: null, theirs: null };
const NO_BLOBS = { read: () => Promise.resolve(Buffer.alloc(0)), sizeOf: () => Promise.resolve(0) };

/** While the project still holds what the run began with, and the commit does not, that is uncommitted work. */
async function explain(conflict: Conflict, context: BranchSource): Promise<BranchConflict> {
  const path = conflict.path.slice(context.user.prefix.length);
  const began = (await context.store.entries(context.base)).get(path);
  if (began === undefined) return conflict;
  const present = await presentEntry(context.user.project, path);
  return isSameEntry(present, began) ? { ...conflict, kind: 'uncommitted' } : conflict;
}

/** The changes that turn an index of the commit into the new tree: removals first, then additions. */
export function indexLines({ head, entries }: Pick<BranchTree, 'head' | 'entries'>, zeroId: string): Buffer {
  const changed = allPaths(head, entries).filter(
    (path) => !isSameEntry(head.get(path) ?? null, entries.get(path) ?? null),
  );
  const lineOf = (path: BytePath) => {
    const entry = entries.get(path);
    if (entry?.kind === 'file') return `100${entry.mode.toString(8)} ${entry.blob}\t${path}\0`;
    return entry?.kind === 'link' ? `120000 ${entry.blob}\t${path}\0` : '';
  };
  const gone = changed.filter((path) => head.has(path)).map((path) => `0 ${zeroId}\t${path}\0`);
  return Buffer.from([...gone, ...changed.map(lineOf)].join(''), 'latin1');
}
