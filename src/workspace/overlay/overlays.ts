import { randomBytes } from 'node:crypto';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { TreeId } from '../../core/model/ids.ts';
import { type OverlayRequest, isFolder, isThere, removeUnfinished, UNFINISHED } from '../make-workspace.ts';
import { makePrivateGit } from '../private-git/make-private-git.ts';
import type { WorkspacePlace } from '../run-place.ts';
import { SETUP_MARK } from '../setup/made-paths.ts';
import {
  type BaseFolder,
  baseOf,
  chooseBase,
  provideBase,
  readMark,
  removeMark,
  stampsOf,
  writeMark,
} from './bases.ts';
import { checkOverlay, type MountedView, mountView } from './mount-view.ts';
import { removeWhole } from '../../sandbox/scratch-folders.ts';

/**
 * Workspaces that are a layer over files shared with others: made in the time of a mount, whatever the size of the project.
 * On disk, its folder holds only the differences from the layer below; only this process and the commands that it starts
 * see the whole, through the view.
 */
export class WorkspaceOverlays {
  readonly #home: string;
  readonly #views = new Map<string, MountedView>();
  readonly #unknown = new Map<string, () => Promise<void>>();
  #checked: Promise<void> | null = null;

  constructor(home: string) {
    this.#home = home;
  }

  /** As `provideFolder`. */
  async provide(request: OverlayRequest): Promise<Provided> {
    const { place, store, tree, leaveOut, signal } = request;
    await removeUnfinished(place.kept);
    const base = await this.#baseOfExisting(request);
    if (base === null) return await this.#make(request);
    const view = await this.#view(place, base);
    const beforeLooking = (): Promise<void> => this.#remember(place);
    // Not recorded before, but the layer below is known.
    if (!(await isThere(place.index))) this.#unknown.set(place.folder, () => remember({ view, base }, request));
    await beforeLooking();
    const options = { index: place.index, leaveOut, durable: false };
    const { before } = await store.restore(tree, view.folder, signal === undefined ? options : { ...options, signal });
    if (!(await isThere(join(view.folder, '.git')))) await addGit({ view, base }, request);
    return { view, found: before, beforeLooking };
  }

  /** The folders of those that are open: this one, and what lies below it. */
  openBelow(path: string): readonly string[] {
    return [...this.#views.keys()].filter((folder) => folder === path || folder.startsWith(`${path}/`));
  }

  /** To be opened again before it is used again. */
  release(folder: string): void {
    this.#unknown.delete(folder);
    this.#views.get(folder)?.close();
    this.#views.delete(folder);
  }

  close(): void {
    for (const view of this.#views.values()) view.close();
    this.#views.clear();
  }

  /** Null where there is no workspace, or one that was not finished, or one that nothing can be put below any more. */
  async #baseOfExisting({ place, bases, store, project }: OverlayRequest): Promise<BaseFolder | null> {
    const mark = await readMark(place);
    if (mark?.isWhole !== true || !(await isFolder(place.folder))) return null;
    const base = baseOf(bases, mark.base);
    if (!(await isFolder(base.files)) && !(await store.has(mark.base))) return null;
    return await provideBase({ bases, tree: mark.base, store, project });
  }

  async #make(request: OverlayRequest): Promise<Provided> {
    const { place } = request;
    this.#checked ??= checkOverlay(dirname(request.bases));
    await this.#checked;
    const chosen = await chooseBase(request);
    const mark = { scope: basename(request.bases), base: chosen };
    await writeMark(place, { ...mark, isWhole: false });
    await this.#remove(place);
    try {
      const base = await provideBase({ ...request, tree: chosen });
      const view = await this.#lay(base, request);
      await writeMark(place, { ...mark, isWhole: true });
      return { view, found: null, beforeLooking: () => this.#remember(place) };
    } catch (error) {
      // Nothing half made stays, so the next time may go another way.
      await this.#remove(place);
      await removeMark(place);
      throw error;
    }
  }

  async #remove(place: WorkspacePlace): Promise<void> {
    this.release(place.folder);
    await removeWhole(place.folder);
    await rm(join(place.kept, SETUP_MARK), { force: true });
  }

  async #lay(base: BaseFolder, request: OverlayRequest): Promise<MountedView> {
    const { place, store, tree, leaveOut } = request;
    await mkdir(dirname(place.folder), { recursive: true, mode: 0o700 });
    await mkdir(place.folder);
    const view = await this.#view(place, base);
    this.#unknown.set(place.folder, () => remember({ view, base }, request));
    if (base.tree !== tree) {
      await this.#remember(place);
      await store.restore(tree, view.folder, { index: place.index, leaveOut, durable: false });
    }
    await addGit({ view, base }, request);
    return view;
  }

  /** One mount for one folder: two over the same would get in each other's way. */
  async #view(place: WorkspacePlace, base: BaseFolder): Promise<MountedView> {
    const open = this.#views.get(place.folder);
    if (open !== undefined && (await open.isThere())) return open;
    this.release(place.folder);
    const inHome = (path: string): string => relative(this.#home, path);
    const upper = { files: inHome(place.folder), work: inHome(join(place.kept, 'work')) };
    const view = await mountView({ cwd: this.#home, lower: [inHome(base.files)], upper, folder: place.folder });
    this.#views.set(place.folder, view);
    return view;
  }

  /** Left until somebody records the files, since it takes as long as all the rest, and who only reads never needs it. */
  async #remember({ folder }: WorkspacePlace): Promise<void> {
    const remembering = this.#unknown.get(folder);
    this.#unknown.delete(folder);
    await remembering?.();
  }
}

export interface Provided {
  /** Null for a folder that is a plain copy. */
  readonly view: MountedView | null;
  /** The earlier content of an existing workspace. */
  readonly found: TreeId | null;
  /** To be done before its files are recorded. */
  readonly beforeLooking: () => Promise<void>;
}

/** The files below are known by their stamps already, so that the first record reads none of them. */
async function remember({ view, base }: Target, { store, place }: OverlayRequest): Promise<void> {
  const stamps = await stampsOf(base);
  await store.remember(base.tree, view.folder, { index: place.index, stamps, aloneUntilMs: base.seenMs });
}

/**
 * Made beside the workspace, since git would not get along with the path of a view, and upon the base, which has the same
 * files or nearly so.
 */
async function addGit({ view, base }: Target, { facts, project, place, store, tree }: OverlayRequest): Promise<void> {
  if (facts === null) return;
  const name = `${UNFINISHED}git-${randomBytes(6).toString('hex')}`;
  const [own, copy] = [join(place.kept, name), join(view.folder, `.${name}`)];
  await makePrivateGit({ facts, project, folder: base.files, own, known: await store.entries(tree) });
  await cp(own, copy, { recursive: true });
  await rename(copy, join(view.folder, '.git'));
  await rm(own, { recursive: true });
}

interface Target {
  readonly view: MountedView;
  readonly base: BaseFolder;
}

/**
 * Gives `use` read-only access to all files of a workspace on disk, also while another process has it open. Null if the
 * workspace or the base of its overlay is missing.
 */
export async function lookAtWorkspace<T>(look: OverlayLook, use: (folder: string) => Promise<T>): Promise<T | null> {
  const { home, place } = look;
  if (!(await isFolder(place.folder))) return null;
  const mark = await readMark(place);
  if (mark === null) return await use(place.folder);
  const base = baseOf(join(home, 'bases', mark.scope), mark.base);
  if (!mark.isWhole || !(await isFolder(base.files))) return null;
  const lower = [place.folder, base.files].map((path) => relative(home, path));
  const view = await mountView({ cwd: home, lower, upper: null, folder: place.folder });
  try {
    return await use(view.folder);
  } finally {
    view.close();
  }
}

export interface OverlayLook {
  readonly home: string;
  readonly place: WorkspacePlace;
}
