import { Fault } from '../../core/fault.ts';
import type { FilesChanged } from '../../core/files-fact.ts';
import { foldRecords } from '../../core/fold.ts';
import { runId, taskId, type RunId, type TaskId, type TreeId } from '../../core/ids.ts';
import type { Snapshot, WorkspaceFiles } from '../../core/snapshot.ts';
import { MAIN_WORKSPACE } from '../../core/workspace-name.ts';
import type { BytePath } from '../../workspace/byte-path.ts';
import type { Workspace } from '../../workspace/port.ts';
import type { World } from '../port.ts';
import type { Performance } from './performance.ts';
import { Turns } from './turns.ts';

/**
 * The workspaces of the runs driven here, and what each holds.
 *
 * [W1] The newest tree that a journal names is what a workspace holds, save for a call that is under way: whoever opens it in
 *      a new process gets exactly that, and redoes what was open from there.
 * [W2] One writer at a time; every change is named in the journal together with the result that came with it.
 */
export class Places {
  readonly #world: World;
  readonly #known = new Map<RunId, Promise<Map<string, WorkspaceFiles>>>();
  /** Runs that were taken over while something wrote: their folders may hold half of it. */
  readonly #interrupted = new Set<RunId>();
  readonly #open = new Map<string, Promise<Place>>();
  readonly #copyTurns = new Turns();

  constructor(world: World) {
    this.#world = world;
  }

  /** For looking only: others may write meanwhile. */
  async look(performance: Performance, wanted: Wanted): Promise<Workspace> {
    return (await this.#place(performance, wanted)).workspace;
  }

  /** Alone in the workspace; what was changed is noted when the work is over, however it came out. */
  async write<T>(performance: Performance, wanted: Wanted, work: (place: Writing) => Promise<T>): Promise<T> {
    const place = await this.#place(performance, wanted);
    return await place.turns.take(performance.signal, async () => {
      const writing = new Writing(place, performance, wanted);
      await writing.lookFirst();
      try {
        return await work(writing);
      } finally {
        await writing.name('work');
      }
    });
  }

  /** On a copy of what the workspace held when it was last named; says what was changed there. The copy is nobody's. */
  async onCopy<T>(performance: Performance, wanted: Wanted, work: (copy: Workspace) => Promise<T>): Promise<OnCopy<T>> {
    const { workspaces } = this.#world;
    const { project } = performance.snapshot;
    const root = rootOf(performance.run);
    await this.#place(performance, wanted);
    const tree = (await this.known(root)).get(wanted.name)?.tree ?? (await this.#began(performance, root));
    return await this.#copyTurns.take(performance.signal, async () => {
      const began = await this.#began(performance, root);
      const copy = await workspaces.open({ root, name: COPY, project, tree, began });
      const value = await work(copy);
      const changes = await (await workspaces.store(project)).compare(tree, await copy.record());
      return { value, changed: changes.map(({ path }) => path) };
    });
  }

  /** Everything a tree of runs has written down about its workspaces: the newest of each. */
  known(root: RunId): Promise<Map<string, WorkspaceFiles>> {
    const found = this.#known.get(root);
    if (found !== undefined) return found;
    const loading = newestOf(this.#world, root);
    this.#known.set(root, loading);
    loading.catch(() => this.#known.delete(root));
    return loading;
  }

  /** Called before a run is driven on: what was under way when it was left may have written half of its files. */
  async takeOver(root: RunId): Promise<void> {
    const runs = await treeOf(this.#world, root, NOW);
    if (runs.some(({ snapshot }) => isWriting(snapshot))) this.#interrupted.add(root);
    else this.#interrupted.delete(root);
    await this.known(root);
  }

  /** The run is let go: the next one to drive it reads anew. */
  forget(root: RunId): void {
    this.#interrupted.delete(root);
    this.#known.delete(root);
    for (const key of this.#open.keys()) if (key.startsWith(`${root} `)) this.#open.delete(key);
  }

  #place(performance: Performance, wanted: Wanted): Promise<Place> {
    const key = `${rootOf(performance.run)} ${wanted.name}`;
    const found = this.#open.get(key);
    if (found !== undefined) return found;
    const opening = this.#openPlace(performance, wanted);
    this.#open.set(key, opening);
    opening.catch(() => this.#open.delete(key));
    return opening;
  }

  async #openPlace(performance: Performance, { name, from }: Wanted): Promise<Place> {
    const root = rootOf(performance.run);
    const known = await this.known(root);
    const { project } = performance.snapshot;
    const began = await this.#began(performance, root);
    const files = known.get(name);
    const made = isMade(files) ? files : null;
    const tree = made?.tree ?? known.get(from ?? MAIN_WORKSPACE)?.tree ?? began;
    const workspace = await this.#world.workspaces.open({ root, name, project, tree, began });
    if (made === null) noteMade(performance, known, { name, tree });
    noteResources(performance, workspace);
    const place = new Place(workspace, known);
    if (made !== null) await this.#minded(place, performance, { name, root });
    return place;
  }

  /**
   * The folder held something else than the journal says. Half of what was under way is written down and undone; what a
   * person did while the run rested is theirs, and stays.
   */
  async #minded(place: Place, performance: Performance, { name, root }: { name: string; root: RunId }): Promise<void> {
    const { found } = place.workspace;
    const files = place.known.get(name);
    if (found === undefined || files === undefined || found === files.tree) return;
    const writing = new Writing(place, performance, { name, task: NOBODY });
    writing.is({ tree: found, why: 'outside' });
    if (this.#interrupted.has(root)) writing.is({ tree: files.tree, why: 'rollback' });
    else await place.workspace.restore(found);
  }

  /** What the project was when the run began. A run from before files were kept begins with what is there now. */
  async #began({ run, snapshot }: Performance, root: RunId): Promise<TreeId> {
    const own = run === root ? snapshot.files : (await rootSnapshot(this.#world, root)).files;
    return own?.tree ?? (await this.#world.workspaces.begin(snapshot.project)).tree;
  }
}

/** The workspace in which commands run whose changes are thrown away, where no overlay does it. */
const COPY = 'throwaway';

export interface OnCopy<T> {
  readonly value: T;
  readonly changed: readonly BytePath[];
}

/** Which workspace, and for what. */
export interface Wanted {
  readonly name: string;
  /** The workspace it is made from where there is none yet. */
  readonly from?: string;
  readonly task: TaskId;
  readonly toolCall?: string;
}

class Place {
  readonly workspace: Workspace;
  readonly known: Map<string, WorkspaceFiles>;
  readonly turns = new Turns();
  /** The task whose work the files were last looked at for. */
  lookedAtBy: TaskId | null = null;

  constructor(workspace: Workspace, known: Map<string, WorkspaceFiles>) {
    this.workspace = workspace;
    this.known = known;
  }
}

/** The workspace while one writer has it. */
export class Writing {
  readonly #place: Place;
  readonly #performance: Performance;
  readonly #wanted: Wanted;
  #changed: readonly string[] | undefined;
  #isUntouched = false;

  constructor(place: Place, performance: Performance, wanted: Wanted) {
    this.#place = place;
    this.#performance = performance;
    this.#wanted = wanted;
  }

  get workspace(): Workspace {
    return this.#place.workspace;
  }

  get files(): WorkspaceFiles {
    const files = this.#place.known.get(this.#wanted.name);
    if (files === undefined) throw new Fault('INTERNAL', `Nothing is known of the workspace ${this.#wanted.name}.`);
    return files;
  }

  /** Nothing but these was touched, so nothing else need be looked at. */
  touched(changed: readonly string[] | undefined): void {
    this.#changed = changed;
    this.#isUntouched = changed?.length === 0;
  }

  /** Once a task: what somebody else did to the folder since is not this agent's work. */
  async lookFirst(): Promise<void> {
    if (this.#place.lookedAtBy === this.#wanted.task) return;
    await this.name('outside');
    this.#place.lookedAtBy = this.#wanted.task;
  }

  async name(why: FilesChanged['why']): Promise<void> {
    if (this.#isUntouched && why === 'work') return;
    const tree = await this.workspace.record(why === 'work' ? this.#changed : undefined);
    if (tree !== this.files.tree) this.is({ tree, why });
  }

  /** Puts other files in. */
  async hold(tree: TreeId, change: Omit<FileChange, 'tree'>): Promise<void> {
    await this.workspace.restore(tree);
    this.is({ tree, ...change });
  }

  is({ tree, base = this.files.base, why, from }: FileChange): void {
    const { name: workspace, task, toolCall } = this.#wanted;
    const version = this.files.version + 1;
    this.#place.known.set(workspace, { tree, version, base });
    this.#performance.note({
      kind: 'files.changed',
      workspace,
      tree,
      version,
      base,
      why,
      task: task === NOBODY ? null : task,
      ...(toolCall === undefined ? {} : { toolCall }),
      ...(from === undefined ? {} : { from }),
    });
  }
}

export interface FileChange {
  readonly tree: TreeId;
  readonly base?: TreeId;
  readonly why: FilesChanged['why'];
  readonly from?: string;
}

function noteMade(
  { note }: Performance,
  known: Map<string, WorkspaceFiles>,
  made: { name: string; tree: TreeId },
): void {
  const { name, tree } = made;
  const version = (known.get(name)?.version ?? 0) + 1;
  known.set(name, { tree, version, base: tree });
  note({ kind: 'workspace.made', workspace: name, tree, version });
}

const isMade = (files: WorkspaceFiles | undefined): files is WorkspaceFiles =>
  files !== undefined && files.isGone !== true;

function noteResources({ note }: Performance, { name, resources = {} }: Workspace): void {
  if (Object.keys(resources).length > 0) note({ kind: 'resource.leased', workspace: name, values: resources });
}

const NOBODY = taskId('outside');
const NOW: Moment = { seq: Infinity, at: Infinity };

/** A tool or a command was announced and not answered; one that waits for a person's word has not begun. */
function isWriting({ status, tasks }: Snapshot): boolean {
  if (status === 'settled') return false;
  return Object.values(tasks).some(({ work, turn }) => {
    if (work.kind === 'command' || work.kind === 'merge') return true;
    return turn !== null && turn.openTools.some(({ id }) => !turn.asking.includes(id));
  });
}

/** A record of the root, and the time it was written: the journals of child runs are cut by that. */
export interface Moment {
  readonly seq: number;
  readonly at: number;
}

/** A run and all below it, as they stood at a moment. */
async function treeOf(world: World, root: RunId, until: Moment): Promise<readonly { readonly snapshot: Snapshot }[]> {
  const found: { snapshot: Snapshot }[] = [];
  const runs = [root];
  for (let run = runs.shift(); run !== undefined; run = runs.shift()) {
    const all = await world.journal.read(run);
    const records = run === root ? all.slice(0, until.seq) : all.filter(({ at }) => at <= until.at);
    if (records.length === 0) continue;
    found.push({ snapshot: foldRecords(records) });
    runs.push(...(await world.journal.runs({ parent: run })).map((info) => info.run));
  }
  return found;
}

/** The newest trees that the journals of a run and of all below it name, by workspace. */
export async function newestOf(world: World, root: RunId, until: Moment = NOW): Promise<Map<string, WorkspaceFiles>> {
  const newest = new Map<string, WorkspaceFiles>();
  for (const { snapshot } of await treeOf(world, root, until)) {
    for (const [name, files] of Object.entries(snapshot.workspaces)) {
      if (files.version > (newest.get(name)?.version ?? 0)) newest.set(name, files);
    }
  }
  return newest;
}

const rootSnapshot = async (world: World, root: RunId): Promise<Snapshot> =>
  foldRecords(await world.journal.read(root));

/** The run at the top of the tree: the workspaces are all its own. */
export function rootOf(run: RunId): RunId {
  return runId(run.split('/', 1)[0] ?? run);
}
