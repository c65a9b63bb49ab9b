import type { SkippedWhy } from '../core/record/files-fact.ts';
import type { RunId, TreeId } from '../core/model/ids.ts';
import type { BytePath } from './byte-path.ts';
import type { ResourceSettings } from './resources/resources.ts';
import type { TreeStore } from './store/port.ts';
import type { SharedStore } from './travel/port.ts';

/**
 * Gives agents their own workspaces. The user's project is only read: its files are kept in a store, and every workspace
 * is made from there.
 */
export interface Workspaces {
  /** Trees can be had again. Without it nothing is ever put back. */
  readonly keepsFiles: boolean;
  /** The project is on another machine: no person works in these folders, and nothing is delivered from here. */
  readonly isElsewhere?: true | undefined;
  /** The command that makes each new workspace ready; absent where there is none. */
  readonly setup?: string | undefined;
  /** The project's files as they are now, kept in the store: uncommitted and untracked ones too, ignored ones as configured. */
  begin(project: string): Promise<ProjectState>;
  /**
   * A workspace of a root run. Made from `tree` where there is none (also when somebody deleted it); where there is one it is
   * put back to exactly `tree`. Two who ask at once get the same.
   */
  open(request: OpenRequest): Promise<Workspace>;
  /** The content of a workspace that is not open here; null if there is none. Creates, leases and restores nothing. */
  look(request: OpenRequest): Promise<TreeId | null>;
  store(project: string): Promise<TreeStore>;
  /** Path of a workspace on the disk, whether it is there or not. The folder of an overlay holds only the differences from its base. */
  folderOf(root: RunId, name: string): string;
  /**
   * Gives back what was leased to the workspaces of a root run, or to one of them: nothing runs in them now. The next opening
   * leases again, the same where it is still free. Files stay.
   */
  release(root: RunId, name?: string): Promise<void>;
  close(): Promise<void>;
}

export interface ProjectState {
  readonly tree: TreeId;
  readonly source: ProjectSource;
  /** The checked-out commit, if there is one. */
  readonly commit?: string;
  readonly files: number;
  /** Left out although no rule says so, and why: special files, what cannot be read, what is too large. */
  readonly skipped: readonly { readonly path: BytePath; readonly why: SkippedWhy }[];
}

/** `none`: there is no such folder, and the run begins with nothing. */
export type ProjectSource = 'git' | 'plain' | 'none';

export interface OpenRequest {
  readonly root: RunId;
  readonly name: string;
  /** The user's folder; or the id of a project whose folder is on another machine, see `projectId`. */
  readonly project: string;
  readonly tree: TreeId;
  /** What the run began with; `tree` when left out. Its ignore rules are those of the whole run. */
  readonly began?: TreeId;
  readonly signal?: AbortSignal;
}

export interface Workspace {
  readonly name: string;
  /** By which the engine reaches the files; commands in a sandbox may know the same folder by another path. */
  readonly folder: string;
  /** Its content when it was opened, if it already existed. */
  readonly found?: TreeId;
  /** HOME, TMPDIR and leased resources for commands in it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Its leases: ports, databases, folders by name. */
  readonly resources?: Readonly<Record<string, string>>;
  /** Further folders that commands need: temporary files, a private home, the user's git objects. */
  readonly folders: readonly SeenFolder[];
  /** False when somebody deleted its folder; opened again it is created again. */
  isThere(): Promise<boolean>;
  /** The files as they are now. `changed`: nothing but these was touched; paths relative to the folder. */
  record(changed?: readonly string[]): Promise<TreeId>;
  restore(tree: TreeId): Promise<void>;
}

export interface SeenFolder {
  readonly path: string;
  readonly access: 'write' | 'read';
}

/** `workspaces:` in the configuration. */
export interface WorkspaceSettings {
  /**
   * How new workspaces are made. `copy`: each with separate files, on every system. `overlay`: a layer over files that are
   * shared, made in an instant, where Linux lets users mount one; refused where it does not.
   */
  readonly method?: 'copy' | 'overlay';
  /**
   * What happens to files that the project's ignore rules leave out: `skip` them, `copy` all of them, or bring along those that
   * match a pattern, written as in a `.gitignore`. To reach into an ignored folder a pattern has to name it.
   */
  readonly ignored?: 'skip' | 'copy' | readonly string[];
  readonly maxFiles?: number;
  readonly maxBytes?: number;
  /** Files with more bytes are left out and reported; 4 GB by default. */
  readonly largestFile?: number;
  /** A command that makes a new workspace ready for work, such as `npm ci`. */
  readonly setup?: string;
  readonly resources?: ResourceSettings;
}

export interface WorkspacesOptions {
  /** Where the engine keeps its files; outside every folder an agent may write to. */
  readonly home: string;
  readonly settings?: WorkspaceSettings;
  /** Where trees are found that are not here yet. */
  readonly shared?: SharedStore | undefined;
  /** Runs the setup command, confined like every other command. Without it there is no setup. */
  readonly runSetup?: RunSetup;
  /** Called with notices for the person that nothing depends on. */
  readonly tell?: (sentence: string) => void;
}

export type RunSetup = (request: SetupRequest) => Promise<SetupResult>;

export interface SetupRequest extends Pick<Workspace, 'folder' | 'environment' | 'folders'> {
  readonly command: string;
  /** The run it is for, named in failures so that the user can resume it. */
  readonly run: RunId;
  /** False on files that an agent may have written: they could send away what they find, or fetch unwanted content. */
  readonly network: boolean;
  readonly signal?: AbortSignal;
}

export interface SetupResult {
  /** Null when it did not end by itself. */
  readonly exitCode: number | null;
  /** Both outputs. */
  readonly output: string;
}
