import type { ActivityNoted, ReplyAccepted, SessionKept, SessionNoted } from './agent-fact.ts';
import type { ArtifactFact } from './artifact-fact.ts';
import type { BodyHash, RunId, TaskId, TreeId } from '../model/ids.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Message, ToolCall } from '../model/message.ts';
import type { Failure, Outcome } from '../model/outcome.ts';
import type { ChangesDeclined, ChangesExpected } from '../step/turn/owed-changes.ts';
import type { RunTerms } from '../model/run-terms.ts';
import type { UnmergedFiles } from './unmerged-files.ts';
import type { CostUsd, Usage } from '../model/usage.ts';

/** Facts about files, and about the run as a whole from outside its workflow. Part of the closed list of facts. */
export type FilesFact =
  | Noted
  | ProjectChanged
  | RunPaused
  | { readonly kind: 'run.continued'; readonly by: string }
  | RunForked
  | RunRedefined
  | PermissionAsked
  | PermissionSettled
  | RollbackStarted;

/** The project as it was when the run began (SM11). */
export interface ProjectFiles {
  readonly tree: TreeId;
  readonly source: 'git' | 'plain' | 'none';
  /** Files that are in no workspace although no rule leaves them out; absent if there are none. */
  readonly skipped?: SkippedFiles;
  /** The commit that was checked out then: the parent of a branch with the run's result. */
  readonly commit?: string;
}

/** What a machine needs to work on a project that it does not have, besides its files. */
export interface ProjectOrigin {
  /** The same on all machines. */
  readonly id: string;
  /** The rules for files that snapshots leave out: a body of the shared store. */
  readonly rules: string;
  /** The files in `.troupe/tools` to which the user had agreed: a body of the shared store that lists them; absent without any. */
  readonly tools?: string;
}

export interface SkippedFiles {
  readonly count: number;
  /** The first of them, by paths as people read them. */
  readonly some: readonly SkippedFile[];
}

export interface SkippedFile {
  readonly path: string;
  readonly why: SkippedWhy;
}

/** A pipe, socket or device; over the limit; not to be opened; too many folders deep; named like something of git's. */
export type SkippedWhy = 'special' | 'too-large' | 'unreadable' | 'too-deep' | 'git-name';

/** A workspace came to be, holding exactly this tree. */
export interface WorkspaceMade {
  readonly kind: 'workspace.made';
  readonly workspace: string;
  readonly tree: TreeId;
  /** Counts the changes of one workspace over all runs that share it, so that the newest tree is known whichever run recorded it. */
  readonly version: number;
  /**
   * Its folder was missing and was created again from the journal; files outside all trees are lost. Its base, open
   * conflicts and refusal stay.
   */
  readonly again?: { readonly base: TreeId; readonly open?: OpenConflicts; readonly refused?: RefusedFiles };
}

/** A workspace holds a different tree from this record on, until the next such record. */
export interface FilesChanged {
  readonly kind: 'files.changed';
  readonly workspace: string;
  readonly tree: TreeId;
  readonly version: number;
  /** The tree before, because several runs can share a workspace and earlier records may not name it. */
  readonly before?: TreeId;
  /** The tree it started with, or had at its last merge: the base of its next merge. */
  readonly base: TreeId;
  /** The workspace that was brought in. */
  readonly from?: string;
  /**
   * `work`: an agent or a command changed it. `outside`: found before a turn, not changed by the run. `merge`: another
   * workspace was merged in. `conflict`: both sides of a merge were put in for the agent to resolve. `rollback`: restored.
   */
  readonly why: 'work' | 'outside' | 'merge' | 'conflict' | 'rollback';
  readonly task: TaskId | null;
  readonly toolCall?: string;
  /** Conflicts that no marks in a file show; named with every change until the author has settled them. */
  readonly open?: OpenConflicts;
  /** Where a later merge brings its files into another workspace together with the work of others. */
  readonly unmerged?: UnmergedFiles;
  /** Files from which a secret was removed that the work had put there. */
  readonly redacted?: readonly RedactedFile[];
  /** Why these files are no result; repeated with every change until a check has passed on them. */
  readonly refused?: RefusedFiles;
  /** Of a merge: whose work was brought in, by the name of the agent or the unit. */
  readonly author?: string;
  /** Of a merge: the commands that succeeded on the merged files. Later merges must not break them. */
  readonly passed?: readonly string[];
}

export interface RedactedFile {
  readonly path: string;
  /** Of the first secret in it; null where it is in the name, or the file is too large to be read whole. */
  readonly line: number | null;
  /** What holds the secret, such as a variable. Never the value. */
  readonly secret: string;
  /** Too large to be changed: the tree holds the file as it was before the work, or none. */
  readonly isLeftOut?: true;
}

/** A merge or a check refused the files of a workspace: they are handed to no user as a result (L4). */
export interface RefusedFiles {
  /** `COMMAND_FAILED` is that of a command state. */
  readonly code: 'MERGE_CONFLICT' | 'MERGE_NOT_VERIFIED' | 'COMMAND_FAILED';
  readonly why: string;
  /** The files that the workspace held from then on: a fix changes them, or settles one of the open conflicts. */
  readonly tree: TreeId;
  readonly openPaths: number;
  /** The author's files before the merge, and those that they were made from: what both sides are judged by in later tries. */
  readonly own: TreeId;
  readonly base: TreeId;
  /** Commands that failed. */
  readonly commands: readonly string[];
  /** Paths in conflict; bytes, each written as one character. */
  readonly paths: readonly string[];
}

/** Conflicts that the author of a workspace has to resolve before it can be merged. */
export interface OpenConflicts {
  /** The common base of both sides. */
  readonly base: TreeId;
  /** The tree that was put into the workspace then: a path that differs now was resolved. */
  readonly since: TreeId;
  readonly paths: readonly OpenConflict[];
}

export interface OpenConflict {
  /** Bytes, each written as one character. */
  readonly path: string;
  readonly kind: string;
  /** The other side's entry; the workspace holds the author's version. */
  readonly other: { readonly kind: string; readonly mode: number | null; readonly blob: string | null } | null;
}

/** A port, a database, a folder: leased to one workspace exclusively. */
export interface ResourceLeased {
  readonly kind: 'resource.leased';
  readonly workspace: string;
  readonly values: Readonly<Record<string, string>>;
}

/** The user's own files were changed at the user's request; recorded with both states, so it can be undone. */
export interface ProjectChanged {
  readonly kind: 'project.changed';
  readonly how: 'applied' | 'rolled-back';
  readonly before: TreeId;
  readonly after: TreeId;
  /** Paths left alone because the user had changed them meanwhile. */
  readonly kept: readonly string[];
  readonly by: string;
  /** Written before the first file: until the next such record the files may be half old and half new. */
  readonly isBeginning?: true;
  /**
   * Named when all of it was written, with `before` and `after` both what the files became: of which workspace it was, and
   * what that held. What the run makes later is applied from there on. Also named where such a change was undone whole.
   */
  readonly workspace?: string;
  readonly tree?: TreeId;
}

/** Facts about the world around a run: true whether or not the work that led to them counts. */
export type Noted =
  | WorkspaceMade
  | WorkspaceGone
  | FilesChanged
  | ChangesExpected
  | ChangesDeclined
  | ResourceLeased
  | UsageNoted
  | SessionNoted
  | SessionKept
  | ReplyAccepted
  | ActivityNoted
  | ArtifactFact;

/** A workspace that was created after the record a run was rolled back to: it no longer exists for the run. */
export interface WorkspaceGone {
  readonly kind: 'workspace.gone';
  readonly workspace: string;
  readonly version: number;
}

/** The cost of work whose result was not used: it was stopped, lost or undone. */
export interface UsageNoted {
  readonly kind: 'usage.noted';
  readonly task: TaskId;
  readonly model?: string;
  /** The sum of a child run, whose journal holds the calls. */
  readonly isOfChild?: true;
  /** The child run in progress that reported it. */
  readonly child?: TaskId;
  readonly usage: Usage;
  readonly costUsd: CostUsd;
}

/** A person or the engine pauses the run: work in progress ends; nothing new starts. */
export interface RunPaused {
  readonly kind: 'run.paused';
  readonly by: string;
  readonly reason: string;
  /** Why the engine cannot continue until somebody fixes it, such as a full disk. Interrupted work stays open and is done again. */
  readonly failure?: Failure;
  /** The interrupted work that had not begun: doing it is no repetition. */
  readonly unbegun?: readonly Unbegun[];
}

/** A command, or one tool call of a turn. */
export interface Unbegun {
  readonly task: TaskId;
  readonly toolCall?: string;
}

/** The run begins as a copy of another one up to a record; its own history starts here. */
export interface RunForked {
  readonly kind: 'run.forked';
  readonly from: { readonly run: RunId; readonly seq: number };
  /** How it differs from the run it came from. */
  readonly input: JsonObject;
  readonly definition?: string;
  /** Its terms, if they differ. */
  readonly terms?: RunTerms;
  /** What the worker that drives it must offer from here on, if that differs. */
  readonly needs?: readonly string[];
  readonly by: string;
  /** Agents whose client's conversation was at this point when it was copied, so that they can go on in it. */
  readonly sessions?: readonly string[];
}

/** The run continues with a different definition, because a person asked for it (ST5). */
export interface RunRedefined {
  readonly kind: 'run.redefined';
  readonly definition: BodyHash;
  readonly by: string;
  /** What the worker that drives it must offer from here on, if that differs. */
  readonly needs?: readonly string[];
  /** Contexts that it did not have before, and those whose maximum length changes. */
  readonly contexts?: readonly {
    readonly name: string;
    readonly messages: readonly Message[];
    readonly maxLength: number;
  }[];
  /** Variables that it did not have before, with their first values. */
  readonly data?: JsonObject;
}

/** An agent wants to use a tool that needs a person's permission. */
export interface PermissionAsked {
  readonly kind: 'permission.asked';
  readonly task: TaskId;
  readonly toolCall: string;
  /** A built-in tool of a client, which the client uses itself once permitted. */
  readonly call?: ToolCall;
}

export interface PermissionSettled {
  readonly kind: 'permission.settled';
  readonly task: TaskId;
  readonly toolCall: string;
  readonly isAllowed: boolean;
  /** The agent need not ask for this tool again in this run. */
  readonly forAll: boolean;
  readonly by: string;
  /** The mark of the files that a person was asked for. */
  readonly mark?: string;
}

/** The run failed and its files go back to what they were before it; it settles like this when they are. */
export interface RollbackStarted {
  readonly kind: 'rollback.started';
  readonly outcome: Outcome;
  readonly output: Json;
  readonly failure: Failure | null;
}
