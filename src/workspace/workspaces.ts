import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { RunId, TreeId } from '../core/model/ids.ts';
import { makeFolder } from '../lib/make-folder.ts';
import { InTurn } from '../lib/in-turn.ts';
import { provideFolder, type FolderRequest } from './make-workspace.ts';
import { openWorkspace, treeOnDisk } from './open-workspace.ts';
import { isMadeAsOverlay } from './overlay/bases.ts';
import { WorkspaceOverlays, type Provided } from './overlay/overlays.ts';
import type { OpenRequest, ProjectState, Workspace, Workspaces, WorkspaceSettings, WorkspacesOptions } from './port.ts';
import { borrowedObjects } from './private-git/make-private-git.ts';
import { type GitFacts, RunFacts } from './private-git/git-facts.ts';
import { recordProject } from './project-state.ts';
import { createResources, HeldLeases } from './resources/resources.ts';
import { runPlace, workspacePlace, type WorkspacePlace } from './run-place.ts';
import { runRules, type RunRules } from './run-rules.ts';
import { MadePaths } from './setup/made-paths.ts';
import { setUp, tellUndone } from './setup/set-up.ts';
import type { TreeStore } from './store/port.ts';
import { makeStandIn } from './private-git/stand-in.ts';
import { fetchTree } from './travel/fetch-tree.ts';
import { isProjectId, projectElsewhere } from './travel/project-id.ts';
import { openTreeStore, type StoreOptions } from './store/tree-store.ts';

/** The workspaces of all runs of one user, on this machine's disk. */
export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  return new DiskWorkspaces(options);
}

class DiskWorkspaces implements Workspaces {
  readonly keepsFiles = true;
  readonly setup: string | undefined;
  readonly #options: WorkspacesOptions;
  readonly #settings: WorkspaceSettings;
  readonly #overlays: WorkspaceOverlays;
  readonly #turns = new InTurn();
  readonly #stores = new Map<string, Promise<TreeStore>>();
  readonly #opening = new Map<string, Promise<Workspace>>();
  readonly #facts = new RunFacts();
  readonly #leases: HeldLeases;

  constructor(options: WorkspacesOptions) {
    this.#options = options;
    this.#settings = options.settings ?? {};
    this.setup = options.runSetup === undefined ? undefined : this.#settings.setup;
    this.#overlays = new WorkspaceOverlays(options.home);
    this.#leases = new HeldLeases(createResources({ home: options.home, settings: this.#settings.resources ?? {} }));
  }

  async begin(project: string): Promise<ProjectState> {
    if (isProjectId(project)) throw projectElsewhere(project);
    const store = await this.store(project);
    const index = join(this.#options.home, 'stores', await storeKey(project), INDEX_NAME);
    const request = { project, store, index, home: this.#options.home, settings: this.#settings };
    return await this.#turns.run(index, () => recordProject(request));
  }

  async open(request: OpenRequest): Promise<Workspace> {
    const place = workspacePlace(this.#options.home, request.root, request.name);
    const key = `${request.tree} ${place.folder}`;
    const opening = this.#opening.get(key) ?? this.#turns.run(place.folder, () => this.#openNow(place, request));
    this.#opening.set(key, opening);
    try {
      return await opening;
    } finally {
      if (this.#opening.get(key) === opening) this.#opening.delete(key);
    }
  }

  async look(request: OpenRequest): Promise<TreeId | null> {
    const store = await this.store(request.project);
    const folder = this.folderOf(request.root, request.name);
    return await this.#turns.run(folder, () => treeOnDisk(this.#options.home, store, request));
  }

  async store(project: string): Promise<TreeStore> {
    const key = await storeKey(project);
    const folder = join(this.#options.home, 'stores', key);
    const { shared } = this.#options;
    const bring = shared && ((store: TreeStore, tree: TreeId) => fetchTree(store, shared, tree));
    const opened = this.#stores.get(key) ?? openStore(folder, { maxFileBytes: this.#settings.largestFile, bring });
    this.#stores.set(key, opened);
    // One that failed is tried again.
    opened.catch(() => this.#stores.delete(key));
    return await opened;
  }

  folderOf(root: OpenRequest['root'], name: string): string {
    return workspacePlace(this.#options.home, root, name).folder;
  }

  async release(root: RunId, name?: string): Promise<void> {
    await this.#leases.release({ root, ...(name === undefined ? {} : { workspace: name }) });
    const { home } = this.#options;
    const below = name === undefined ? runPlace(home, root).base : workspacePlace(home, root, name).folder;
    for (const folder of this.#overlays.openBelow(below)) {
      await this.#turns.run(folder, async () => this.#overlays.release(folder));
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#opening.values());
    await this.#leases.release();
    const stores = await Promise.allSettled(this.#stores.values());
    this.#stores.clear();
    await Promise.all(stores.map(async (store) => (store.status === 'fulfilled' ? await store.value.close() : null)));
    this.#overlays.close();
  }

  async #openNow(place: WorkspacePlace, request: OpenRequest): Promise<Workspace> {
    const { tree, signal } = request;
    const store = await this.store(request.project);
    // The repository that the workspace's own one begins with.
    const isElsewhere = isProjectId(request.project);
    const project = isElsewhere ? runPlace(this.#options.home, request.root).standIn : request.project;
    for (const folder of [place.kept, place.home, place.temporary]) makeFolder(folder, 0o700);
    let asking: Promise<GitFacts | null> | undefined;
    const askFacts = (): Promise<GitFacts | null> => (asking ??= this.#facts.of(request.root, project));
    const run = await this.#rulesOf(request, store, askFacts);
    if (isElsewhere) await this.#turns.run(project, () => makeStandIn(project, store, run.rules));
    const facts = run.rules.source === 'git' ? await askFacts() : null;
    const made = await MadePaths.of(place);
    const leaveOut = made.leaveOut(run.leaveOut);
    await made.look(place.folder);
    await made.mind(store, tree);
    const asked = { place, project, facts, tree, store, leaveOut, signal };
    const provided = await this.#provide(asked, run.rules.began);
    await made.reload();
    const lease = await this.#leases.lease({ root: request.root, workspace: request.name });
    const borrowed = facts === null ? [] : await borrowedObjects(facts.objects);
    const workspace = openWorkspace({ place, store, leaveOut, made, turns: this.#turns, lease, borrowed, ...provided });
    await this.#setUp({ place, workspace, store, run, made, beforeLooking: provided.beforeLooking }, request);
    if (!wasHandedOut(place)) writeFileSync(join(place.kept, HANDED_OUT), '');
    return workspace;
  }

  /** The settings decide how one is made; one that is there stays what it is. */
  async #provide(request: FolderRequest, began: TreeId): Promise<Provided> {
    const { home } = this.#options;
    if (await isMadeAsOverlay(request.place, this.#settings.method ?? 'copy')) {
      const bases = join(home, 'bases', await storeKey(request.project));
      return await this.#overlays.provide({ ...request, began, bases });
    }
    return { view: null, found: await provideFolder(request), beforeLooking: async () => undefined };
  }

  #rulesOf(request: OpenRequest, store: TreeStore, facts: () => Promise<GitFacts | null>): Promise<RunRules> {
    const place = runPlace(this.#options.home, request.root);
    const { project, tree, began } = request;
    const asked = { project, store, tree: began ?? tree, ignored: this.#settings.ignored ?? ('skip' as const), facts };
    return this.#turns.run(place.rules, () => runRules(place, asked));
  }

  async #setUp({ place, workspace, store, run, made, beforeLooking }: Fresh, request: OpenRequest): Promise<void> {
    const { runSetup, home } = this.#options;
    const command = this.#settings.setup;
    if (command === undefined || runSetup === undefined) return;
    const { folder, environment, folders } = workspace;
    const { signal, tree } = request;
    // Anything else may be the work of an agent, and setup runs code out of it. So may be what no tree holds: packages, a home.
    const isUsers = tree === run.rules.began && !wasHandedOut(place);
    const done = await setUp({
      home,
      kept: place.kept,
      runSetup,
      leaveOut: run.leaveOut,
      made,
      scope: await storeKey(request.project),
      entries: await store.entries(tree),
      mayCache: isUsers,
      run: {
        command,
        run: request.root,
        network: isUsers,
        folder,
        environment,
        folders,
        ...(signal === undefined ? {} : { signal }),
      },
    });
    if (done === null) return;
    await beforeLooking();
    await made.mind(store, tree);
    const leaveOut = made.leaveOut(run.leaveOut);
    const { before } = await store.restore(tree, folder, { index: place.index, leaveOut, durable: false });
    if (done === 'ran') await tellUndone({ store, command, tell: this.#options.tell }, tree, before);
  }
}

interface Fresh {
  readonly place: WorkspacePlace;
  readonly workspace: Workspace;
  readonly store: TreeStore;
  readonly run: RunRules;
  readonly made: MadePaths;
  readonly beforeLooking: Provided['beforeLooking'];
}

/** Stays when the folder is created again: the home of its commands is still the same. */
const HANDED_OUT = 'handed-out';

const wasHandedOut = ({ kept }: WorkspacePlace): boolean => existsSync(join(kept, HANDED_OUT));

/** What the store remembers of the user's own folder. */
const INDEX_NAME = 'project-index';

async function openStore(folder: string, options: StoreOptions): Promise<TreeStore> {
  makeFolder(folder, 0o700);
  return await openTreeStore(join(folder, 'git'), options);
}

/** One store for one real folder, by whatever path it is named, or for one id; readable for people who look into the home. */
async function storeKey(project: string): Promise<string> {
  const path = isProjectId(project) ? project : await realpath(project).catch(() => resolve(project));
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 16);
  return `${basename(path)
    .replaceAll(/[^A-Za-z0-9._-]/g, '-')
    .slice(0, 40)}-${hash}`;
}
