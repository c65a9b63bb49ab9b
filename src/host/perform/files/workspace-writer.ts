import { filesIn } from '../../../core/fold/apply-files.ts';
import { Fault } from '../../../core/model/fault.ts';
import type { FilesChanged, OpenConflicts, RedactedFile, RefusedFiles } from '../../../core/record/files-fact.ts';
import { lastingRefusal } from '../../../core/record/file-doubts.ts';
import { rootRunId, taskId, type TaskId, type TreeId } from '../../../core/model/ids.ts';
import { newOverlaps, type UnmergedFiles } from '../../../core/record/unmerged-files.ts';
import type { WorkspaceFiles } from '../../../core/fold/snapshot.ts';
import { redactTree, type RedactedTree } from '../../../workspace/changes/redact-tree.ts';
import type { Workspace } from '../../../workspace/port.ts';
import type { TreeStore } from '../../../workspace/store/port.ts';
import { faultToFix } from '../../../workspace/store/store-fault.ts';
import type { KnownFiles, MergeLog } from './merge-log.ts';
import { mergeTarget, type JointTarget, unmergedFiles } from './merge-target.ts';
import type { PlaceUser } from './place-user.ts';
import type { WriterQueue } from '../writer-queue.ts';

/** A workspace that is open here. */
export class OpenWorkspace {
  readonly workspace: Workspace;
  readonly known: Map<string, WorkspaceFiles>;
  readonly log: MergeLog;
  /** Shared by all openings of the same workspace. */
  readonly turns: WriterQueue;
  /** The task for which the files were last read. */
  lookedAtBy: TaskId | null = null;
  /** Its folder cannot be trusted: it has to be opened again. */
  isBroken = false;
  /** Where its files will be merged, once requested. */
  target: Promise<JointTarget | null> | undefined;
  /** Trees that were only read. */
  readonly #seen = new Set<TreeId>();

  constructor(workspace: Workspace, { files, log }: KnownFiles, turns: WriterQueue) {
    this.workspace = workspace;
    this.known = files;
    this.log = log;
    this.turns = turns;
  }

  /** Its current tree. Nothing refers to that tree, so secrets in it are removed with it. */
  async treeNow(): Promise<TreeId> {
    const tree = await this.workspace.record();
    if (tree !== this.known.get(this.workspace.name)?.tree) this.#seen.add(tree);
    return tree;
  }

  takeSeen(): readonly TreeId[] {
    const seen = [...this.#seen];
    this.#seen.clear();
    return seen;
  }

  async isSound(): Promise<boolean> {
    return !this.isBroken && (await this.workspace.isThere());
  }
}

/** Which workspace, and for which task. */
export interface WorkspaceRequest {
  readonly name: string;
  /** The workspace it is created from, if it does not exist yet. */
  readonly from?: string;
  readonly task: TaskId;
  readonly toolCall?: string;
  /** A client is about to work there by itself: its creation is recorded first, so that a crash loses nothing of it. */
  readonly isForClient?: true;
}

/** The task of changes from outside the run. */
export const OUTSIDE_TASK = taskId('outside');

/** The workspace while one writer has it. */
export class WorkspaceWriter {
  /** The work was started before, and its folder was deleted meanwhile, with everything it wrote. */
  readonly isAgain: boolean;
  readonly #place: OpenWorkspace;
  readonly #context: PlaceUser;
  readonly #request: WorkspaceRequest;
  #changed: readonly string[] | undefined;
  #isUntouched = false;

  constructor(
    place: OpenWorkspace,
    context: PlaceUser,
    use: { readonly request: WorkspaceRequest; readonly isAgain?: boolean },
  ) {
    this.#place = place;
    this.#context = context;
    this.#request = use.request;
    this.isAgain = use.isAgain ?? false;
  }

  get workspace(): Workspace {
    return this.#place.workspace;
  }

  get files(): WorkspaceFiles {
    const files = this.#place.known.get(this.#request.name);
    if (files === undefined) throw new Fault('INTERNAL', `Nothing is known of the workspace ${this.#request.name}.`);
    return files;
  }

  /** Only these paths were touched, so nothing else needs to be read. */
  touched(changed: readonly string[] | undefined): void {
    this.#changed = changed;
    this.#isUntouched = changed?.length === 0;
  }

  /** Once per task: changes from outside since the last one are not this agent's work. */
  async recordOutsideChanges(): Promise<void> {
    if (this.#place.lookedAtBy === this.#request.task) return;
    await this.name('outside');
    this.#place.lookedAtBy = this.#request.task;
  }

  async name(why: FilesChanged['why']): Promise<void> {
    if (this.#isUntouched && why === 'work') return;
    const tree = await this.workspace.record(why === 'work' ? this.#changed : undefined);
    if (tree !== this.files.tree) await this.keep(tree, why);
  }

  /** The folder holds this tree; new secrets in it are removed before it is recorded. */
  async keep(tree: TreeId, why: FilesChanged['why']): Promise<void> {
    const clean = await this.#withoutSecrets(tree);
    if (clean === null) return await this.#keepAs({ tree, why });
    await this.workspace.restore(clean.tree);
    // Only now: before, a crash would leave a folder whose recorded files are gone.
    const store = await this.#store();
    for (const dirty of new Set([tree, ...this.#place.takeSeen()])) if (dirty !== clean.tree) await store.forget(dirty);
    if (clean.tree !== this.files.tree) await this.#keepAs({ tree: clean.tree, why, redacted: clean.files });
  }

  /** Records it with the files that wait for a merge now. */
  async #keepAs(change: WrittenChange): Promise<void> {
    const { tree, why, base = this.files.base } = change;
    const target = this.#context.world.workspaces.keepsFiles ? await this.#mergesInto() : null;
    if (target === null || tree === base) return this.recordChange(change);
    const before = base === this.files.base && why !== 'rollback' ? this.files.tree : null;
    const { unmerged } = await unmergedFiles(await this.#store(), target.into, { tree, base, before });
    if (unmerged === undefined) return this.recordChange(change);
    const reportsOverlaps = target.merge.reportsOverlap === true && why === 'work';
    this.recordChange({
      ...change,
      unmerged: reportsOverlaps ? await this.#withOverlaps(unmerged, before !== null) : unmerged,
    });
  }

  #mergesInto(): Promise<JointTarget | null> {
    return (this.#place.target ??= mergeTarget(this.#context, this.#request.name));
  }

  async #withOverlaps(unmerged: UnmergedFiles, goesOn: boolean): Promise<UnmergedFiles> {
    const { world, run, places } = this.#context;
    if (world.worker !== undefined) await places.learn(rootRunId(run));
    const own = goesOn ? this.files.unmerged : undefined;
    const overlaps = newOverlaps(this.#place.known, { name: this.#request.name, own, unmerged });
    return overlaps.length === 0 ? unmerged : { ...unmerged, overlaps };
  }

  async #withoutSecrets(tree: TreeId): Promise<RedactedTree | null> {
    const { secrets, workspaces } = this.#context.world;
    if (secrets === undefined || secrets.isEmpty || !workspaces.keepsFiles) return null;
    const { tree: since, base } = this.files;
    return await redactTree(await this.#store(), secrets, { tree, since, base });
  }

  #store(): Promise<TreeStore> {
    const { world, snapshot } = this.#context;
    return world.workspaces.store(snapshot.project);
  }

  /** Replaces the files. */
  async restoreTree(tree: TreeId, change: Omit<WrittenChange, 'tree'>): Promise<void> {
    await this.workspace.restore(tree);
    await this.#keepAs({ tree, ...change });
  }

  recordChange(change: WrittenChange): void {
    const { tree, base = this.files.base, why, open = this.files.open ?? null } = change;
    const { refused = lastingRefusal(this.files.refused, tree) } = change;
    const { name: workspace, task, toolCall } = this.#request;
    const { files } = this;
    const version = files.version + 1;
    const unrecorded = this.#unrecorded();
    const doubts = { ...(open === null ? {} : { open }), ...(refused === null ? {} : { refused }) };
    const fact: FilesChanged = {
      kind: 'files.changed',
      workspace,
      tree,
      version,
      ...unrecorded,
      base,
      why,
      task: task === OUTSIDE_TASK ? null : task,
      ...(toolCall === undefined ? {} : { toolCall }),
      ...broughtIn(change),
      ...doubts,
    };
    this.#place.known.set(workspace, filesIn(fact, files));
    this.#place.log.add(fact);
    this.#context.note(fact);
  }

  #unrecorded(): Pick<FilesChanged, 'before'> {
    const { tree: before, base } = this.files;
    const recorded = this.#context.snapshot.workspaces[this.#request.name]?.tree ?? base;
    return before === recorded ? {} : { before };
  }
}

type BroughtIn = Pick<WrittenChange, 'from' | 'author' | 'passed' | 'redacted' | 'unmerged'>;

function broughtIn({ from, author, passed, redacted, unmerged }: WrittenChange): BroughtIn {
  return {
    ...(unmerged === undefined ? {} : { unmerged }),
    ...(redacted === undefined ? {} : { redacted }),
    ...(from === undefined ? {} : { from }),
    ...(author === undefined ? {} : { author }),
    ...(passed === undefined || passed.length === 0 ? {} : { passed }),
  };
}

export interface WrittenChange extends Pick<FilesChanged, 'author' | 'passed' | 'unmerged'> {
  readonly tree: TreeId;
  readonly base?: TreeId;
  readonly why: FilesChanged['why'];
  readonly from?: string;
  /** Conflicts that the author still has to resolve; undefined keeps them, null clears them. */
  readonly open?: OpenConflicts | null;
  readonly redacted?: readonly RedactedFile[];
  /** Why the files are no result; undefined keeps it, null makes them a result again. */
  readonly refused?: RefusedFiles | null;
}

export type WritingWork<T> = (place: WorkspaceWriter) => Promise<T>;

/** Interrupted work is not recorded: changes are recorded only if the work came to its end. */
export async function doAndRecord<T>(writing: WorkspaceWriter, work: WritingWork<T>): Promise<T> {
  const value = await work(writing).catch(async (error: unknown) => {
    if (faultToFix(error, writing.workspace.folder) === null) await writing.name('work');
    throw error;
  });
  await writing.name('work');
  return value;
}
