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

/** What happened to files, and to the run as a whole from outside its workflow. Part of the closed list of facts. */
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
  /** In no workspace although no rule leaves it out; absent when there was nothing of the kind. */
  readonly skipped?: SkippedFiles;
  /** The commit that was checked out then: what a branch of the run's own result grows from. */
  readonly commit?: string;
}

/** What a machine needs to work on a project that it does not have, besides its files. */
export interface ProjectOrigin {
  /** The same on all machines. */
  readonly id: string;
  /** What snapshots leave out: a body of the shared store. */
  readonly rules: string;
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
  /** Counts the changes of one workspace over all runs that share it, so that the newest tree is known whoever wrote it down. */
  readonly version: number;
  /** Its folder was gone and was made anew as the journal has it; files that no tree holds are lost. Its base, its open conflicts and its refusal stay. */
  readonly again?: { readonly base: TreeId; readonly open?: OpenConflicts; readonly refused?: RefusedFiles };
}

/** A workspace holds another tree now: from this record on until the next, these are its exact files. */
export interface FilesChanged {
  readonly kind: 'files.changed';
  readonly workspace: string;
  readonly tree: TreeId;
  readonly version: number;
  /** What it held until then, where the records before this one may not say it: several runs can share a workspace. */
  readonly before?: TreeId;
  /** What it began with, or had when it was last merged: where the next merge of it starts from. */
  readonly base: TreeId;
  /** The workspace that was brought in. */
  readonly from?: string;
  /**
   * `work`: an agent or a command did it. `outside`: found like this before a turn, nobody in the run did it. `merge`: another
   * workspace was brought in. `conflict`: both sides of a merge were put in for the agent to settle. `rollback`: put back.
   */
  readonly why: 'work' | 'outside' | 'merge' | 'conflict' | 'rollback';
  readonly task: TaskId | null;
  readonly toolCall?: string;
  /** Conflicts that no marks in a file show; named with every change until the author has settled them. */
  readonly open?: OpenConflicts;
  /** Where a later merge brings its files into another workspace together with the work of others. */
  readonly unmerged?: UnmergedFiles;
  /** Files from which a secret was taken that the work had put there. */
  readonly redacted?: readonly RedactedFile[];
  /** Why these files are no result; named with every change until a check has passed on them. */
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

/** What the author of a workspace has to settle before it can be merged. */
export interface OpenConflicts {
  /** What both sides began with. */
  readonly base: TreeId;
  /** What was put into the workspace then: a path that is another by now was settled. */
  readonly since: TreeId;
  readonly paths: readonly OpenConflict[];
}

export interface OpenConflict {
  /** Bytes, each written as one character. */
  readonly path: string;
  readonly kind: string;
  /** What the other side has there; the workspace holds what its author made. */
  readonly other: { readonly kind: string; readonly mode: number | null; readonly blob: string | null } | null;
}

/** A port, a database, a folder: given to one workspace, so that nobody else gets it meanwhile. */
export interface ResourceLeased {
  readonly kind: 'resource.leased';
  readonly workspace: string;
  readonly values: Readonly<Record<string, string>>;
}

/** The user's own files were changed because the user asked for it; written down with both states, so it can be undone. */
export interface ProjectChanged {
  readonly kind: 'project.changed';
  readonly how: 'applied' | 'rolled-back';
  readonly before: TreeId;
  readonly after: TreeId;
  /** Paths left alone because the user had changed them meanwhile. */
  readonly kept: readonly string[];
  readonly by: string;
  /** Written before the first file: until the next such record the files may be half the one and half the other. */
  readonly isBeginning?: true;
  /**
   * Named when all of it was written, with `before` and `after` both what the files became: of which workspace it was, and
   * what that held. What the run makes later is applied from there on. Also named where such a change was undone whole.
   */
  readonly workspace?: string;
  readonly tree?: TreeId;
}

/** Facts about the world around a run: they are true whatever becomes of the work that led to them. */
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

/** A workspace that was made after the record a run was put back to: for the run it does not exist any more. */
export interface WorkspaceGone {
  readonly kind: 'workspace.gone';
  readonly workspace: string;
  readonly version: number;
}

/** What work cost whose result was not taken: it was stopped, lost or undone. */
export interface UsageNoted {
  readonly kind: 'usage.noted';
  readonly task: TaskId;
  readonly model?: string;
  /** The sum of a child run, whose journal holds the calls. */
  readonly isOfChild?: true;
  readonly usage: Usage;
  readonly costUsd: CostUsd;
}

/**
 * A person wants the run to stand still, or the engine has to: what is under way comes to its end; nothing new starts.
 */
export interface RunPaused {
  readonly kind: 'run.paused';
  readonly by: string;
  readonly reason: string;
  /** What keeps the engine from going on until somebody mends it, such as a full disk. What was interrupted stays open and is done again. */
  readonly failure?: Failure;
  /** Of that what had not begun when it was interrupted: nothing of it can have happened, so doing it is no repetition. */
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
  /** What is different from the run it came from. */
  readonly input: JsonObject;
  readonly definition?: string;
  /** Where it has other terms. */
  readonly terms?: RunTerms;
  /** What the worker that drives it must offer from here on, where that is something else. */
  readonly needs?: readonly string[];
  readonly by: string;
  /** Agents whose client's conversation was at this point when it was copied, so that they can go on in it. */
  readonly sessions?: readonly string[];
}

/** The run goes on with another definition than the one it had, because a person wanted it (ST5). */
export interface RunRedefined {
  readonly kind: 'run.redefined';
  readonly definition: BodyHash;
  readonly by: string;
  /** What the worker that drives it must offer from here on, where that is something else. */
  readonly needs?: readonly string[];
  /** Conversations that it did not have, and those that may be longer or shorter from now on. */
  readonly contexts?: readonly {
    readonly name: string;
    readonly messages: readonly Message[];
    readonly maxLength: number;
  }[];
  /** Variables that it did not have, with what they begin as. */
  readonly data?: JsonObject;
}

/** An agent wants to use a tool that needs a person's word. */
export interface PermissionAsked {
  readonly kind: 'permission.asked';
  readonly task: TaskId;
  readonly toolCall: string;
  /** A tool of a client's own, which the client uses itself once it may. */
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
