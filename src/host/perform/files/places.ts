import { isFault } from '../../../core/model/fault.ts';
import { isRunWithin, rootRunId, type RunId, type TreeId } from '../../../core/model/ids.ts';
import type { Snapshot, WorkspaceFiles } from '../../../core/fold/snapshot.ts';
import { MAIN_WORKSPACE, workspaceScope } from '../../../core/model/workspace-name.ts';
import type { BytePath } from '../../../workspace/byte-path.ts';
import { faultToFix } from '../../../workspace/store/store-fault.ts';
import type { Workspace } from '../../../workspace/port.ts';
import { leftOpen, type LeftOpen, type TurnOf } from './left-open.ts';
import { KnownTrees, runBeginning, learnRecords, runTreeOf } from './known-files.ts';
import type { MergeLog } from './merge-log.ts';
import { isMade, noteMade, noteResources } from './note-made.ts';
import type { PlaceUser, PlaceWorld, RunBeginning } from './place-user.ts';
import { WriterQueue } from '../writer-queue.ts';
import { doAndRecord, OUTSIDE_TASK, OpenWorkspace, WorkspaceWriter } from './workspace-writer.ts';
import type { WorkspaceRequest, WritingWork } from './workspace-writer.ts';

/**
 * The workspaces of the runs driven here, and the files of each.
 *
 * [W1] The newest tree that a journal names is what a workspace holds, except for a call in progress: a new process that
 * opens it gets exactly that, and redoes open work from there. Only a client's turn continues instead: what it wrote so far
 * stays.
 * [W2] One writer at a time; every change is named in the journal together with the result that came with it.
 * [W3] Work that a full disk or a deleted folder interrupted is never recorded. The workspace is opened again before its
 * next use: restored, or created again, to what the journal names.
 */
export class Places {
  readonly #world: PlaceWorld;
  readonly #known: KnownTrees;
  /** Work in progress when a run was taken over, until its workspace is open. */
  readonly #left = new Map<RunId, LeftOpen>();
  readonly #open = new Map<string, Promise<OpenWorkspace>>();
  /** Workspaces that may hold a partial write, until they are opened again. */
  readonly #broken = new Set<string>();
  readonly #turns = new Map<string, WriterQueue>();
  readonly #copyTurns = new WriterQueue();
  readonly #beginnings = new Map<RunId, Promise<RunBeginning>>();

  constructor(world: PlaceWorld) {
    this.#world = world;
    this.#known = new KnownTrees(world);
  }

  /** For reading only: others may write meanwhile. */
  async look(context: PlaceUser, request: WorkspaceRequest): Promise<Workspace> {
    const place = await this.#place(context, request);
    if (await place.isSound()) return place.workspace;
    // Not while a writer uses the old folder.
    return await place.turns.take(context.signal, async () => (await this.#soundPlace(context, request)).workspace);
  }

  /**
   * The current files of the workspace, or those it would start with. Changes by a person are recorded as theirs, so that an
   * approval delivers them; while an agent works, they are only read. A closed workspace that matches the journal stays
   * closed: opening takes time, and resources that others may need.
   */
  async now(context: PlaceUser, request: WorkspaceRequest): Promise<TreeId> {
    const recorded = await this.unchanged(context, request);
    if (recorded !== null) return recorded;
    await this.look(context, request);
    const place = await this.#place(context, request);
    const tree = await place.treeNow();
    if (tree === place.known.get(request.name)?.tree || !place.turns.isFree) return tree;
    return await place.turns.take(context.signal, async () => {
      const sound = await this.#soundPlace(context, request);
      const writing = new WorkspaceWriter(sound, context, { request: { name: request.name, task: OUTSIDE_TASK } });
      await writing.name('outside');
      return writing.files.tree;
    });
  }

  /** The tree of a workspace according to the journal; null if it is open, or its folder differs. */
  async unchanged(of: RunAtMoment, request: WorkspaceRequest): Promise<TreeId | null> {
    const { name } = request;
    const root = rootOf(of.run);
    const known = await this.known(root);
    const files = known.get(name);
    if (!isMade(files)) return await this.#beginsWith(of, request, known);
    const key = keyOf(of, request);
    if (this.#open.has(key) || this.#broken.has(key)) return null;
    const { tree } = files;
    const began = await this.began(of);
    const found = await of.world.workspaces.look({ root, name, project: of.snapshot.project, tree, began });
    return found === null || found === tree ? tree : null;
  }

  /**
   * Exclusive access to the workspace; changes are recorded when the work ends, whatever its result. Work whose folder was
   * deleted meanwhile is repeated; it sees that by `isAgain`, and may refuse.
   */
  async write<T>(context: PlaceUser, request: WorkspaceRequest, work: WritingWork<T>): Promise<T> {
    return await this.#turnsOf(keyOf(context, request)).take(context.signal, async () => {
      if (!(await context.reserve(request.name))) return await this.#writeAlone(context, request, work);
      const root = rootOf(context.run);
      await this.learn(root);
      const version = async () => (await this.known(root)).get(request.name)?.version;
      const before = await version();
      const value = await this.#writeAlone(context, request, work);
      // A call that only read several workspaces, in any order, keeps none of them reserved, so that no two wait for
      // each other.
      if ((await version()) === before) await context.unreserve(request.name);
      return value;
    });
  }

  async #writeAlone<T>(context: PlaceUser, request: WorkspaceRequest, work: WritingWork<T>): Promise<T> {
    let isAgain = false;
    for (let tries = 1; ; tries += 1) {
      const place = await this.#soundPlace(context, request);
      const writing = new WorkspaceWriter(place, context, { request, isAgain });
      try {
        await writing.recordOutsideChanges();
        isAgain = true;
        return await doAndRecord(writing, work);
      } catch (error) {
        if (faultToFix(error, place.workspace.folder) === null) throw error;
        place.isBroken = true;
        this.#broken.add(keyOf(context, request));
        if (!isGone(error, request) || tries === MAX_TRIES || context.signal.aborted) throw error;
      }
    }
  }

  /** Works on a copy of the workspace's last recorded tree and reports the changes there. The copy is discarded. */
  async onCopy<T>(
    context: PlaceUser,
    request: WorkspaceRequest,
    work: (copy: Workspace) => Promise<T>,
  ): Promise<OnCopy<T>> {
    const { workspaces } = context.world;
    const { project } = context.snapshot;
    const root = rootOf(context.run);
    await this.#place(context, request);
    const tree = (await this.known(root)).get(request.name)?.tree ?? (await this.began(context));
    return await this.#copyTurns.take(context.signal, async () => {
      const began = await this.began(context);
      const copy = await workspaces.open({ root, name: COPY, project, tree, began });
      const value = await work(copy);
      const changes = await (await workspaces.store(project)).compare(tree, await copy.record());
      return { value, changed: changes.map(({ path }) => path) };
    });
  }

  /** All that a tree of runs has recorded about its workspaces: the newest of each. */
  async known(root: RunId): Promise<Map<string, WorkspaceFiles>> {
    return (await this.#known.of(root)).files;
  }

  /** The merges into the workspaces of a tree of runs. */
  async mergeLog(root: RunId): Promise<MergeLog> {
    return (await this.#known.of(root)).log;
  }

  /** Facts about these workspaces were never recorded: the next use follows the journal. */
  drop(root: RunId, names: readonly string[]): void {
    this.#known.drop(root, names);
    for (const name of names) this.#distrust(`${root} ${name}`);
  }

  /**
   * Called before a run is driven again: work in progress when it was released may have written half of its files. `worker`
   * drove it last: if that was another one, the folders here are outdated.
   */
  async takeOver(run: RunId, worker?: string): Promise<void> {
    const root = rootOf(run);
    if (worker !== this.#world.worker) return await this.learn(root);
    const tree = (await runTreeOf(this.#world, root)).map(({ snapshot }) => snapshot);
    const isLeft = (one: Snapshot): boolean => isRunWithin(one.run, run);
    const left = await leftOpen(this.#world.journal, tree, isLeft);
    const known = this.#left.get(root);
    if (known === undefined) this.#left.set(root, left);
    else known.add(left);
    for (const name of [...left.half, ...left.going.keys()]) this.#distrust(`${root} ${name}`);
    await this.learn(root);
  }

  /** Reads what other processes have recorded since the last call. */
  async learn(root: RunId): Promise<void> {
    const isNew = !this.#known.has(root);
    const known = await this.#known.of(root);
    if (isNew) return;
    const changed = learnRecords(known, await this.#world.journal.tree(root, known.commit));
    for (const name of changed) this.#distrust(`${root} ${name}`);
  }

  /** The folder cannot be trusted: it is opened again before its next use. */
  #distrust(key: string): void {
    this.#open.get(key)?.then(
      (place) => {
        place.isBroken = true;
      },
      () => undefined,
    );
  }

  /**
   * A run is released, perhaps in the middle of its work, while others of its tree stay: the next use of its workspaces
   * opens them again. `lent`: one of the run above, in which it worked. Returns the names of those that are not in use.
   */
  leave(run: RunId, lent: string | null = null): readonly string[] {
    const scope = `${rootOf(run)} ${workspaceScope(run)}`;
    const isOwn = (key: string): boolean => key.startsWith(scope) || key === `${rootOf(run)} ${lent}`;
    const free = [...this.#open.keys()].filter((key) => isOwn(key) && this.#turnsOf(key).isFree);
    for (const key of free) this.#distrust(key);
    return free.map((key) => key.slice(key.indexOf(' ') + 1));
  }

  /** The run is released: its next driver reads everything again. */
  forget(root: RunId): void {
    this.#left.delete(root);
    this.#known.forget(root);
    for (const keyed of [this.#open, this.#broken, this.#turns])
      for (const key of keyed.keys()) if (key.startsWith(`${root} `)) keyed.delete(key);
    for (const run of this.#beginnings.keys()) if (rootOf(run) === root) this.#beginnings.delete(run);
  }

  /** Opens it again if its folder is gone or may hold a partial write. Only for the holder of the turn. */
  async #soundPlace(context: PlaceUser, request: WorkspaceRequest): Promise<OpenWorkspace> {
    const place = await this.#place(context, request);
    if (await place.isSound()) return place;
    return await this.#openAs(keyOf(context, request), () => this.#openPlace(context, request, place));
  }

  #place(context: PlaceUser, request: WorkspaceRequest): Promise<OpenWorkspace> {
    const key = keyOf(context, request);
    return this.#open.get(key) ?? this.#openAs(key, () => this.#openPlace(context, request, null));
  }

  #openAs(key: string, open: () => Promise<OpenWorkspace>): Promise<OpenWorkspace> {
    const opening = open();
    this.#open.set(key, opening);
    opening.then(
      () => this.#broken.delete(key),
      () => {
        this.#open.delete(key);
        // It may be half restored.
        this.#broken.add(key);
      },
    );
    return opening;
  }

  async #openPlace(
    context: PlaceUser,
    request: WorkspaceRequest,
    before: OpenWorkspace | null,
  ): Promise<OpenWorkspace> {
    const { name } = request;
    const root = rootOf(context.run);
    const all = await this.#known.of(root);
    const known = all.files;
    const { project } = context.snapshot;
    const began = await this.began(context);
    const files = known.get(name);
    const made = isMade(files) ? files : null;
    const tree = made?.tree ?? (await this.#beginsWith(context, request, known));
    const workspace = await context.world.workspaces.open({ root, name, project, tree, began });
    noteResources(context, workspace);
    const place = new OpenWorkspace(workspace, all, this.#turnsOf(keyOf(context, request)));
    if (made === null) await this.#madeNow(place, context, { request, tree });
    else await this.#foundAs(place, context, { request, made, before });
    this.#left.get(root)?.forget(name);
    return place;
  }

  /** The first tree of a new workspace; that of a child run is its caller's current tree. */
  async #beginsWith(of: RunAtMoment, request: WorkspaceRequest, known: Known): Promise<TreeId> {
    const { snapshot } = of;
    const { name, from = MAIN_WORKSPACE } = request;
    let found = from === name ? undefined : known.get(from);
    for (let run = snapshot.parent; run !== null && found === undefined;) {
      const caller = await this.beginning(run);
      found = known.get(caller.workspace);
      run = caller.parent;
    }
    return found?.tree ?? (await this.began(of));
  }

  async #madeNow(
    place: OpenWorkspace,
    context: PlaceUser,
    { request, tree }: { readonly request: WorkspaceRequest; readonly tree: TreeId },
  ): Promise<void> {
    const { name, isForClient } = request;
    const isUrgent = isForClient === true && this.#world.workspaces.keepsFiles;
    await noteMade(context, place.known, { name, tree, isUrgent });
    // Its folder existed, with a client's work that the journal did not record yet.
    if (this.#goingIn(context, name) !== undefined) await this.#minded(place, context, request);
  }

  /** The client that was in mid-turn in the workspace when the run was released. */
  #goingIn({ run }: PlaceUser, name: string): TurnOf | undefined {
    return this.#left.get(rootOf(run))?.going.get(name);
  }

  async #foundAs(place: OpenWorkspace, context: PlaceUser, { request, made, before }: Found): Promise<void> {
    const { name } = request;
    const { tree, base } = made;
    if (this.#wasLost(place.workspace, context, before)) await noteMade(context, place.known, { name, tree, base });
    await this.#minded(place, context, request);
  }

  #turnsOf(key: string): WriterQueue {
    const turns = this.#turns.get(key) ?? new WriterQueue();
    this.#turns.set(key, turns);
    return turns;
  }

  /**
   * The folder differs from the journal. A partial write is recorded and undone; a client's work in the turn that it
   * continues stays, and so does a person's work while the run rested.
   */
  async #minded(place: OpenWorkspace, context: PlaceUser, request: WorkspaceRequest): Promise<void> {
    const { name } = request;
    const { found } = place.workspace;
    const files = place.known.get(name);
    if (found === undefined || files === undefined || found === files.tree) return;
    const going = this.#goingIn(context, name);
    if (this.#isOutdated(going)) return;
    const task = going?.run === context.run ? going.task : OUTSIDE_TASK;
    const writing = new WorkspaceWriter(place, context, { request: { name, task } });
    const why = going === undefined ? 'outside' : 'work';
    if (going === undefined && this.#isHalf(context, request)) {
      await writing.keep(found, why);
      return await writing.restoreTree(files.tree, { why: 'rollback' });
    }
    await place.workspace.restore(found);
    await writing.keep(found, why);
  }

  /** If machines share the journal, people do not work in these folders: their files are older than what the journal names. */
  #isOutdated(going: TurnOf | undefined): boolean {
    return this.#world.worker !== undefined && going === undefined;
  }

  #isHalf(context: PlaceUser, request: WorkspaceRequest): boolean {
    const left = this.#left.get(rootOf(context.run));
    return left?.half.has(request.name) === true || this.#broken.has(keyOf(context, request));
  }

  /** It was created before and is missing now. A fork's workspaces belonged to another run until now. */
  #wasLost({ found }: Workspace, { snapshot }: PlaceUser, before: OpenWorkspace | null): boolean {
    if (!this.#world.workspaces.keepsFiles || found !== undefined) return false;
    return before !== null || snapshot.forkedFrom === null;
  }

  /** The project's files when the tree of runs began. */
  async began({ run, snapshot }: RunAtMoment): Promise<TreeId> {
    const root = rootOf(run);
    const own = run === root ? snapshot.files : (await this.beginning(root)).files;
    return own?.tree ?? (await this.#world.workspaces.begin(snapshot.project)).tree;
  }

  /** It never changes, and the journal of a pool grows with every unit, so it is read once. */
  beginning(run: RunId): Promise<RunBeginning> {
    const known = this.#beginnings.get(run) ?? runBeginning(this.#world, run);
    this.#beginnings.set(run, known);
    known.catch(() => this.#beginnings.delete(run));
    return known;
  }
}

export type RunAtMoment = Pick<PlaceUser, 'world' | 'run' | 'snapshot'>;

type Known = ReadonlyMap<string, WorkspaceFiles>;

interface Found {
  readonly request: WorkspaceRequest;
  readonly made: WorkspaceFiles;
  readonly before: OpenWorkspace | null;
}

/** The workspace for commands whose changes are discarded, if there is no overlay. */
const COPY = 'throwaway';

export interface OnCopy<T> {
  readonly value: T;
  readonly changed: readonly BytePath[];
}

/** If the folder is deleted as often as it is created, waiting does not help. */
const MAX_TRIES = 3;

const keyOf = ({ run }: RunAtMoment, { name }: Pick<WorkspaceRequest, 'name'>): string => `${rootOf(run)} ${name}`;

const isGone = (error: unknown, { name }: WorkspaceRequest): boolean =>
  isFault(error) && error.code === 'WORKSPACE_MISSING' && error.facts['name'] === name;

/** The run at the top of the tree, which owns all its workspaces. */
export const rootOf = rootRunId;
