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
import { Turns } from '../turns.ts';
import { doAndRecord, NOBODY, OpenWorkspace, type WritingWork, Writing, type WorkspaceRequest } from './writing.ts';

/**
 * The workspaces of the runs driven here, and what each holds.
 *
 * [W1] The newest tree that a journal names is what a workspace holds, save for a call that is under way: whoever opens it in
 *      a new process gets exactly that, and redoes what was open from there. Only a client's turn is not redone but goes on:
 *      what it wrote until then stays.
 * [W2] One writer at a time; every change is named in the journal together with the result that came with it.
 * [W3] What a full disk or a deleted folder interrupted is never named. The workspace is opened again before it is used again:
 *      put back, or made anew, to what the journal names.
 */
export class Places {
  readonly #world: PlaceWorld;
  readonly #known: KnownTrees;
  /** What was under way when a run was taken over, until the workspace it happened in is open. */
  readonly #left = new Map<RunId, LeftOpen>();
  readonly #open = new Map<string, Promise<OpenWorkspace>>();
  /** Workspaces that may hold half of something, until they are opened again. */
  readonly #broken = new Set<string>();
  readonly #turns = new Map<string, Turns>();
  readonly #copyTurns = new Turns();
  readonly #beginnings = new Map<RunId, Promise<RunBeginning>>();

  constructor(world: PlaceWorld) {
    this.#world = world;
    this.#known = new KnownTrees(world);
  }

  /** For looking only: others may write meanwhile. */
  async look(performance: PlaceUser, wanted: WorkspaceRequest): Promise<Workspace> {
    const place = await this.#place(performance, wanted);
    if (await place.isSound()) return place.workspace;
    // Not while somebody writes in what is left of it.
    return await place.turns.take(
      performance.signal,
      async () => (await this.#soundPlace(performance, wanted)).workspace,
    );
  }

  /**
   * What the workspace holds now, or would begin with. What a person did there is recorded as theirs, so that it is what a yes
   * delivers; in the middle of somebody's work it is only looked at. A workspace that is not open and holds what the journal says
   * stays closed: opening it takes time, and resources that others may need.
   */
  async now(performance: PlaceUser, wanted: WorkspaceRequest): Promise<TreeId> {
    const recorded = await this.unchanged(performance, wanted);
    if (recorded !== null) return recorded;
    await this.look(performance, wanted);
    const place = await this.#place(performance, wanted);
    const tree = await place.treeNow();
    if (tree === place.known.get(wanted.name)?.tree || !place.turns.isFree) return tree;
    return await place.turns.take(performance.signal, async () => {
      const sound = await this.#soundPlace(performance, wanted);
      const writing = new Writing(sound, performance, { wanted: { name: wanted.name, task: NOBODY } });
      await writing.name('outside');
      return writing.files.tree;
    });
  }

  /** The tree that a workspace holds by the journal; null where it is open, or its folder holds something else. */
  async unchanged(of: RunAtMoment, wanted: WorkspaceRequest): Promise<TreeId | null> {
    const { name } = wanted;
    const root = rootOf(of.run);
    const known = await this.known(root);
    const files = known.get(name);
    if (!isMade(files)) return await this.#beginsWith(of, wanted, known);
    const key = keyOf(of, wanted);
    if (this.#open.has(key) || this.#broken.has(key)) return null;
    const { tree } = files;
    const began = await this.began(of);
    const found = await of.world.workspaces.look({ root, name, project: of.snapshot.project, tree, began });
    return found === null || found === tree ? tree : null;
  }

  /**
   * Alone in the workspace; what was changed is noted when the work is over, however it came out. Work whose folder was
   * deleted meanwhile is asked for again; it sees by `isAgain` that it is, and may refuse.
   */
  async write<T>(performance: PlaceUser, wanted: WorkspaceRequest, work: WritingWork<T>): Promise<T> {
    return await this.#turnsOf(keyOf(performance, wanted)).take(performance.signal, async () => {
      if (!(await performance.reserve(wanted.name))) return await this.#writeAlone(performance, wanted, work);
      const root = rootOf(performance.run);
      await this.learn(root);
      const version = async () => (await this.known(root)).get(wanted.name)?.version;
      const before = await version();
      const value = await this.#writeAlone(performance, wanted, work);
      // A call that only looked into several workspaces, in whatever order, keeps none of them: no two wait for each other.
      if ((await version()) === before) await performance.unreserve(wanted.name);
      return value;
    });
  }

  async #writeAlone<T>(performance: PlaceUser, wanted: WorkspaceRequest, work: WritingWork<T>): Promise<T> {
    let isAgain = false;
    for (let tries = 1; ; tries += 1) {
      const place = await this.#soundPlace(performance, wanted);
      const writing = new Writing(place, performance, { wanted, isAgain });
      try {
        await writing.lookFirst();
        isAgain = true;
        return await doAndRecord(writing, work);
      } catch (error) {
        if (faultToFix(error, place.workspace.folder) === null) throw error;
        place.isBroken = true;
        this.#broken.add(keyOf(performance, wanted));
        if (!isGone(error, wanted) || tries === MAX_TRIES || performance.signal.aborted) throw error;
      }
    }
  }

  /** On a copy of what the workspace held when it was last named; says what was changed there. The copy is nobody's. */
  async onCopy<T>(
    performance: PlaceUser,
    wanted: WorkspaceRequest,
    work: (copy: Workspace) => Promise<T>,
  ): Promise<OnCopy<T>> {
    const { workspaces } = performance.world;
    const { project } = performance.snapshot;
    const root = rootOf(performance.run);
    await this.#place(performance, wanted);
    const tree = (await this.known(root)).get(wanted.name)?.tree ?? (await this.began(performance));
    return await this.#copyTurns.take(performance.signal, async () => {
      const began = await this.began(performance);
      const copy = await workspaces.open({ root, name: COPY, project, tree, began });
      const value = await work(copy);
      const changes = await (await workspaces.store(project)).compare(tree, await copy.record());
      return { value, changed: changes.map(({ path }) => path) };
    });
  }

  /** Everything a tree of runs has written down about its workspaces: the newest of each. */
  async known(root: RunId): Promise<Map<string, WorkspaceFiles>> {
    return (await this.#known.of(root)).files;
  }

  /** The merges into the workspaces of a tree of runs. */
  async mergeLog(root: RunId): Promise<MergeLog> {
    return (await this.#known.of(root)).log;
  }

  /** What was noted of these workspaces was never written down: the next use goes by the journal. */
  drop(root: RunId, names: readonly string[]): void {
    this.#known.drop(root, names);
    for (const name of names) this.#distrust(`${root} ${name}`);
  }

  /**
   * Called before a run is driven on: what was under way when it was left may have written half of its files. `worker` is who
   * drove it last: what is in the folders here is worth nothing where that was another one.
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

  /** What other processes have written down since this one last looked. */
  async learn(root: RunId): Promise<void> {
    const isNew = !this.#known.has(root);
    const known = await this.#known.of(root);
    if (isNew) return;
    const changed = learnRecords(known, await this.#world.journal.tree(root, known.commit));
    for (const name of changed) this.#distrust(`${root} ${name}`);
  }

  /** What its folder holds is not to be relied upon: it is opened again before it is used again. */
  #distrust(key: string): void {
    this.#open.get(key)?.then(
      (place) => {
        place.isBroken = true;
      },
      () => undefined,
    );
  }

  /**
   * A run is let go, perhaps in the middle of its work, and others of its tree are not: the next use of its workspaces opens them again.
   * Returns the names of those that are not in use.
   */
  leave(run: RunId): readonly string[] {
    const scope = `${rootOf(run)} ${workspaceScope(run)}`;
    const free = [...this.#open.keys()].filter((key) => key.startsWith(scope) && this.#turnsOf(key).isFree);
    for (const key of free) this.#distrust(key);
    return free.map((key) => key.slice(key.indexOf(' ') + 1));
  }

  /** The run is let go: the next one to drive it reads anew. */
  forget(root: RunId): void {
    this.#left.delete(root);
    this.#known.forget(root);
    for (const keyed of [this.#open, this.#broken, this.#turns])
      for (const key of keyed.keys()) if (key.startsWith(`${root} `)) keyed.delete(key);
    for (const run of this.#beginnings.keys()) if (rootOf(run) === root) this.#beginnings.delete(run);
  }

  /** Opened again where its folder is gone or may hold half of something. Only for whoever has the turn. */
  async #soundPlace(performance: PlaceUser, wanted: WorkspaceRequest): Promise<OpenWorkspace> {
    const place = await this.#place(performance, wanted);
    if (await place.isSound()) return place;
    return await this.#openAs(keyOf(performance, wanted), () => this.#openPlace(performance, wanted, place));
  }

  #place(performance: PlaceUser, wanted: WorkspaceRequest): Promise<OpenWorkspace> {
    const key = keyOf(performance, wanted);
    return this.#open.get(key) ?? this.#openAs(key, () => this.#openPlace(performance, wanted, null));
  }

  #openAs(key: string, open: () => Promise<OpenWorkspace>): Promise<OpenWorkspace> {
    const opening = open();
    this.#open.set(key, opening);
    opening.then(
      () => this.#broken.delete(key),
      () => {
        this.#open.delete(key);
        // It may have been put back by half.
        this.#broken.add(key);
      },
    );
    return opening;
  }

  async #openPlace(
    performance: PlaceUser,
    wanted: WorkspaceRequest,
    before: OpenWorkspace | null,
  ): Promise<OpenWorkspace> {
    const { name } = wanted;
    const root = rootOf(performance.run);
    const all = await this.#known.of(root);
    const known = all.files;
    const { project } = performance.snapshot;
    const began = await this.began(performance);
    const files = known.get(name);
    const made = isMade(files) ? files : null;
    const tree = made?.tree ?? (await this.#beginsWith(performance, wanted, known));
    const workspace = await performance.world.workspaces.open({ root, name, project, tree, began });
    noteResources(performance, workspace);
    const place = new OpenWorkspace(workspace, all, this.#turnsOf(keyOf(performance, wanted)));
    if (made === null) await this.#madeNow(place, performance, { wanted, tree });
    else await this.#foundAs(place, performance, { wanted, made, before });
    this.#left.get(root)?.isOpen(name);
    return place;
  }

  /** What a new workspace is made from; that of a child run from the workspace of its caller, as it is now. */
  async #beginsWith(of: RunAtMoment, wanted: WorkspaceRequest, known: Known): Promise<TreeId> {
    const { snapshot } = of;
    const { name, from = MAIN_WORKSPACE } = wanted;
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
    performance: PlaceUser,
    { wanted, tree }: { readonly wanted: WorkspaceRequest; readonly tree: TreeId },
  ): Promise<void> {
    const { name, isForClient } = wanted;
    const isUrgent = isForClient === true && this.#world.workspaces.keepsFiles;
    await noteMade(performance, place.known, { name, tree, isUrgent });
    // Its folder was there all the same, with what a client did before the journal could tell of it.
    if (this.#goingIn(performance, name) !== undefined) await this.#minded(place, performance, wanted);
  }

  /** The client that was in mid-turn in the workspace when the run was left. */
  #goingIn({ run }: PlaceUser, name: string): TurnOf | undefined {
    return this.#left.get(rootOf(run))?.going.get(name);
  }

  async #foundAs(place: OpenWorkspace, performance: PlaceUser, { wanted, made, before }: Found): Promise<void> {
    const { name } = wanted;
    const { tree, base } = made;
    if (this.#wasLost(place.workspace, performance, before))
      await noteMade(performance, place.known, { name, tree, base });
    await this.#minded(place, performance, wanted);
  }

  #turnsOf(key: string): Turns {
    const turns = this.#turns.get(key) ?? new Turns();
    this.#turns.set(key, turns);
    return turns;
  }

  /**
   * The folder held something else than the journal says. Half of what was under way is written down and undone; what a
   * client did in the turn it goes on with is its work, and what a person did while the run rested is theirs: both stay.
   */
  async #minded(place: OpenWorkspace, performance: PlaceUser, wanted: WorkspaceRequest): Promise<void> {
    const { name } = wanted;
    const { found } = place.workspace;
    const files = place.known.get(name);
    if (found === undefined || files === undefined || found === files.tree) return;
    const going = this.#goingIn(performance, name);
    if (this.#isOutdated(going)) return;
    const task = going?.run === performance.run ? going.task : NOBODY;
    const writing = new Writing(place, performance, { wanted: { name, task } });
    const why = going === undefined ? 'outside' : 'work';
    if (going === undefined && this.#isHalf(performance, wanted)) {
      await writing.keep(found, why);
      return await writing.hold(files.tree, { why: 'rollback' });
    }
    await place.workspace.restore(found);
    await writing.keep(found, why);
  }

  /** Where machines share the journal, people do not work in these folders: what is there is older than what the journal names. */
  #isOutdated(going: TurnOf | undefined): boolean {
    return this.#world.worker !== undefined && going === undefined;
  }

  #isHalf(performance: PlaceUser, wanted: WorkspaceRequest): boolean {
    const left = this.#left.get(rootOf(performance.run));
    return left?.half.has(wanted.name) === true || this.#broken.has(keyOf(performance, wanted));
  }

  /** It had been made, and was not there any more. A fork's were those of another run until now. */
  #wasLost({ found }: Workspace, { snapshot }: PlaceUser, before: OpenWorkspace | null): boolean {
    if (!this.#world.workspaces.keepsFiles || found !== undefined) return false;
    return before !== null || snapshot.forkedFrom === null;
  }

  /** What the project was when the tree of runs began. */
  async began({ run, snapshot }: RunAtMoment): Promise<TreeId> {
    const root = rootOf(run);
    const own = run === root ? snapshot.files : (await this.beginning(root)).files;
    return own?.tree ?? (await this.#world.workspaces.begin(snapshot.project)).tree;
  }

  /** It never changes, and the journal of a pool grows with every unit: it is read once. */
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
  readonly wanted: WorkspaceRequest;
  readonly made: WorkspaceFiles;
  readonly before: OpenWorkspace | null;
}

/** The workspace in which commands run whose changes are thrown away, where no overlay does it. */
const COPY = 'throwaway';

export interface OnCopy<T> {
  readonly value: T;
  readonly changed: readonly BytePath[];
}

/** Where somebody deletes a folder as often as it is made, there is nothing to wait for. */
const MAX_TRIES = 3;

const keyOf = ({ run }: RunAtMoment, { name }: Pick<WorkspaceRequest, 'name'>): string => `${rootOf(run)} ${name}`;

const isGone = (error: unknown, { name }: WorkspaceRequest): boolean =>
  isFault(error) && error.code === 'WORKSPACE_MISSING' && error.facts['name'] === name;

/** The run at the top of the tree: the workspaces are all its own. */
export const rootOf = rootRunId;
