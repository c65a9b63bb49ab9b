import { basename } from 'node:path';
import { MAIN_WORKSPACE } from '../../core/model/workspace-name.ts';
import type { SetupRequest, SetupResult, Workspaces } from '../../workspace/port.ts';
import { runPlace } from '../../workspace/run-place.ts';

/** Work that may take a while and that no record tells of until it is over: a project is read, a workspace made or set up. */
export interface Progress {
  /** The same at the start and at the end. */
  readonly id: number;
  readonly what: 'project' | 'workspace' | 'setup';
  /** Null while there is no run yet. */
  readonly run: string | null;
  readonly workspace: string | null;
  readonly state: 'started' | 'ended' | 'failed';
  /** On setup. */
  readonly command?: string;
  /** When it is over: how long it took, and how many files there were. */
  readonly ms?: number;
  readonly files?: number;
}

export type ProgressListener = (progress: Progress) => void;

/** Notifies listeners when long work on the files of a run begins and ends. */
export class ProgressTeller {
  readonly #listeners = new Set<ProgressListener>();
  readonly #now: () => number;
  #count = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  on(listener: ProgressListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async during<Result>(work: About, act: () => Promise<Result>, found: Found<Result> = () => ({})): Promise<Result> {
    const { now, ...about } = { now: this.#now(), ...work, id: (this.#count += 1) };
    const tell = (parts: Pick<Progress, 'state'> & Partial<Progress>): void => {
      for (const listener of this.#listeners) listener({ ...about, ...parts });
    };
    tell({ state: 'started' });
    try {
      const result = await act();
      tell({ state: 'ended', ms: this.#now() - now, ...found(result) });
      return result;
    } catch (error) {
      tell({ state: 'failed', ms: this.#now() - now });
      throw error;
    }
  }

  /** The same workspaces, with notifications. */
  around(workspaces: Workspaces): Workspaces {
    return {
      keepsFiles: workspaces.keepsFiles,
      isElsewhere: workspaces.isElsewhere,
      setup: workspaces.setup,
      begin: (project) =>
        this.during(
          { what: 'project', run: null, workspace: null },
          () => workspaces.begin(project),
          ({ files }) => ({ files }),
        ),
      open: (request) =>
        this.during({ what: 'workspace', run: request.root, workspace: request.name }, () => workspaces.open(request)),
      look: (request) => workspaces.look(request),
      store: (project) => workspaces.store(project),
      folderOf: (root, name) => workspaces.folderOf(root, name),
      release: (root, name) => workspaces.release(root, name),
      close: () => workspaces.close(),
    };
  }

  /** Runs a setup command with notifications; a failed one is reported as failed. */
  async setUp(
    home: string,
    { run, folder, command }: SetupRequest,
    act: () => Promise<SetupResult>,
  ): Promise<SetupResult> {
    const workspace = folder === runPlace(home, run).work ? MAIN_WORKSPACE : basename(folder);
    return await this.during({ what: 'setup', run, workspace, command }, act, ({ exitCode }) =>
      exitCode === 0 ? {} : { state: 'failed' },
    );
  }
}

type About = Omit<Progress, 'id' | 'state' | 'ms' | 'files'>;
type Found<Result> = (result: Result) => Partial<Pick<Progress, 'files' | 'state'>>;
