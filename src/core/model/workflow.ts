import type { Expression, Program } from './expression.ts';
import type { Position } from './fault.ts';
import type { JsonObject } from './json.ts';
import type { Message } from './message.ts';
import type { OwedChanges } from '../step/turn/owed-changes.ts';
import type { Approves } from '../record/question-fact.ts';
import type { Role } from './role.ts';
import type { FailureClass, Outcome } from './outcome.ts';

/** The one workflow model. Every family lowers to it; it is plain JSON, so it can be hashed, stored and drawn. */
export interface Workflow {
  readonly name: string;
  readonly description: string;
  readonly family: string;
  readonly inputs: readonly Parameter[];
  readonly output: { readonly name: string; readonly type: ValueType; readonly schema?: JsonObject } | null;
  readonly data: JsonObject;
  /**
   * The author's settings for the programs of its family, stored here so that a run that continues with a changed file
   * uses the new ones.
   */
  readonly plan?: JsonObject;
  readonly contexts: readonly ContextSpec[];
  readonly agents: readonly AgentSpec[];
  readonly start: string;
  readonly states: Readonly<Record<string, State>>;
  readonly limits: Limits;
  /** What happens to the files when the run fails, crashes or times out (PH7). Default: `keep`. */
  readonly onFailure?: 'keep' | 'rollback';
  /** How often a tool that failed for a passing reason is tried in all (PH6). */
  readonly toolTries?: number;
  /** It is a part of others: lists of workflows leave it out. */
  readonly internal?: true;
  /** Labels that a worker must offer to drive a run of it, or of a workflow that calls it. */
  readonly labels?: readonly string[];
  /** The file the author wrote, as named on the command line. */
  readonly file?: string;
  /** Of a module: a hash of its code, so that a change is detected without running it. */
  readonly code?: string;
  /** Roles that exist in this workflow alone, by name. */
  readonly casts?: Readonly<Record<string, Cast>>;
}

/** A role made from another by changing some of it. */
export interface Cast {
  readonly of: string;
  readonly change: Partial<Omit<Role, 'name'>>;
  /** The mode of an agent type, if it differs from the type's default (PH3). */
  readonly agentMode?: string;
  /** Its commands reach the network if those of this role do; used if the role it is made of does not say. */
  readonly networkOf?: string;
}

export type ValueType = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'any';

export interface Parameter {
  readonly name: string;
  readonly type: ValueType;
  readonly description: string;
  readonly required: boolean;
  /** JSON Schema that a value has to fit besides its type. */
  readonly schema?: JsonObject;
}

export interface ContextSpec {
  readonly name: string;
  readonly startingMessages: readonly Message[];
  /** In characters. */
  readonly maxLength: number;
}

export interface AgentSpec {
  readonly name: string;
  /** The role's name in the roles of the project. */
  readonly role: string;
  readonly context: string;
  /** The side the agent speaks from, as other agents of the context see it. */
  readonly side: 'assistant' | 'user';
  /** `shared` (default): the run's workspace. `own`: a separate one. Any other name: shared with all agents that give the same name. */
  readonly workspace?: string;
  /** The workspace holds, in place of the project, a folder for each of these agents with all its files. */
  readonly folders?: readonly string[];
  /** Resources that only one may use at a time, held while one of its tools or commands runs. */
  readonly holds?: readonly string[];
  /** Who plays it, instead of the actor of its role. */
  readonly actor?: string;
  /** Who plays it, evaluated when it speaks: a model, a level or a client. Nothing: the actor it would have without this. */
  readonly model?: Expression;
}

/** The limits of a run. Absent means unlimited, except iterations and tool rounds, which always have a value. */
export interface Limits {
  /** Entries into any one state. */
  readonly iterations: number;
  /** Model calls within one turn. */
  readonly toolRounds: number;
  readonly durationMs?: number;
  readonly tokens?: number;
  readonly usd?: number;
}

export const DEFAULT_LIMITS: Limits = { iterations: 50, toolRounds: 50 };

export type State = WorkState | EndState;

/** A state that does something and then leaves by the first transition whose condition holds. */
export interface WorkState {
  readonly kind: 'work';
  readonly name: string;
  /** Runs on entry, before the work. */
  readonly enter: Program | null;
  readonly work: Work;
  readonly transitions: readonly Transition[];
  /** Where to go when the outcome is not ok. An outcome with no entry ends the run with that outcome. */
  readonly on: Readonly<Partial<Record<Outcome, readonly Transition[]>>>;
  readonly timeoutMs: number | null;
  /** In milliseconds, evaluated when the state is entered; the shorter of both counts. Nothing means no limit. */
  readonly timeout?: Expression;
  readonly retry: RetryPolicy | null;
  readonly at?: Position;
}

export interface EndState {
  readonly kind: 'end';
  readonly name: string;
  readonly outcome: Outcome;
  /** The run's output; null takes the variable named by the workflow's `output`. */
  readonly output: Expression | null;
  /** Why it ended like this, if not ok: gives `code` and `message`, and optionally `hint`. */
  readonly failure?: Expression;
  readonly at?: Position;
}

export interface Transition {
  readonly target: string;
  /** null always holds. */
  readonly when: Expression | null;
  /** Runs only when this transition is taken (SM6). */
  readonly assign: Program | null;
  /** What it means, in the author's words, for drawings. */
  readonly label?: string;
  readonly at?: Position;
}

/** The work of a state, or of one unit in a pool. */
export type Work =
  | { readonly kind: 'none' }
  | TurnWork
  | CommandWork
  | CallWork
  | AskWork
  | WaitWork
  | MergeWork
  | ComputeWork
  | ChoiceWork
  | PoolWork;

/** An agent speaks (`ask`), receives a message (`tell`), or forgets its conversation (`clear`). */
export interface TurnWork {
  readonly kind: 'turn';
  readonly agent: string;
  readonly mode: 'ask' | 'tell' | 'clear';
  readonly input: Expression | null;
  /** The step it speaks for: a signal for any other step is refused. */
  readonly step?: Expression;
  /** What the engine must check itself before it accepts `complete` (L4). */
  readonly evidence?: { readonly files?: Expression; readonly commands?: Expression };
  /** The outputs it must deliver (PH4): gives a list of `OwedOutput`. */
  readonly outputs?: Expression;
  /**
   * The structured replies that end the turn (A4): text alone is asked for one of them again, then the turn has failed. None: text
   * ends it. Left out: those that the state waits for, where it cannot be left without.
   */
  readonly reply?: readonly string[];
  /** Words that may start a line of text instead of a reply, for models that were asked again and cannot call tools (PD4). */
  readonly replyWords?: readonly string[];
  /** The check of a family that a reply has to pass before it is taken, besides its schema (PD3). */
  readonly check?: string;
  /** The values that arguments of the reply may have, by argument; each gives a list. Another value is sent back once. */
  readonly allowed?: Readonly<Record<string, Expression>>;
  readonly changes?: ChangesDemand;
  /**
   * Where workers share the journal, any of them may take it: as a run below this one. Only for an agent that shares neither its
   * workspace nor its context.
   */
  readonly apart?: true;
}

/** The turn has to change files (A7); see `OwedChanges`. */
export interface ChangesDemand extends Pick<OwedChanges, 'replies' | 'unless'> {
  /** Only where this holds when the turn starts. */
  readonly when?: Expression;
  /** Gives the tree that the files are compared with; else the one that the state began with. */
  readonly since?: Expression;
}

/** The engine runs a command: tests, lint. Its exit code is evidence, its output the result. */
export interface CommandWork {
  readonly kind: 'command';
  readonly command: Expression;
  /** Exit codes that count as ok. */
  readonly okExitCodes: readonly number[];
  /** Whether it may run again after a crash. If not (`npm publish`), its outcome is reported as unknown. Default: `safe`. */
  readonly repeat?: 'safe' | 'unsafe';
  /** The agent in whose workspace it runs. Default: the run's shared workspace. */
  readonly agent?: string;
  readonly network?: boolean;
  readonly holds?: readonly string[];
  /**
   * Run by the engine itself instead. `diff`: the changes of the workspace since it was created, as text. `diff and tests`:
   * the same, with the result of the commands that test the project.
   */
  readonly builtin?: 'diff' | 'diff and tests';
}

/** How a command is run. */
export type CommandSettings = Pick<CommandWork, 'repeat' | 'agent' | 'network' | 'holds' | 'builtin'>;

/** A child workflow, isolated and atomic. */
export interface CallWork {
  readonly kind: 'call';
  readonly workflow: string;
  readonly input: Readonly<Record<string, Expression>>;
  /** The child's agents share a new workspace, which `merge` brings back. Default: this run's workspace. */
  readonly workspace?: 'own';
}

/** A person is asked. */
export interface AskWork {
  readonly kind: 'ask';
  readonly question: Expression;
  /** An expression gives texts or `ChoiceDetail`s, at least one. */
  readonly choices: readonly string[] | Expression;
  /** Its answer is an approval ([V3]), also where it takes any text. */
  readonly approves?: Approves;
}

export interface WaitWork {
  readonly kind: 'wait';
  readonly ms: Expression;
}

/** Merges a workspace into another. */
export interface MergeWork {
  readonly kind: 'merge';
  /** The agent whose workspace is merged into the run's. Null: the run's workspace is merged into that of the run that started it. */
  readonly agent: string | null;
  /** Instead of an agent: gives the id of a unit of an earlier pool whose run had its own workspace. */
  readonly unit?: Expression;
  /**
   * Gives a command or a list of them that must succeed on the merged files before they are taken over. Where it gives none, the
   * project's own tests must not turn red by joining parallel work.
   */
  readonly verify?: Expression;
  /** Gives commands that succeed on the author's files alone, and so have to succeed on the merged files. */
  readonly checks?: Expression;
  /**
   * The command runs with the user's own copies of what it is made of, as they were before the merge: of the files that it leads
   * to, and of these patterns. Left out, it runs on the merged files as they are.
   */
  readonly protect?: readonly string[];
  /** While they work, its authors are notified which of their files others have changed too. */
  readonly reportsOverlap?: true;
}

/**
 * The host computes something, by the name of one of its programs. The result is journaled and never computed again. For
 * work that needs files, or code that the user wrote in TypeScript.
 */
export interface ComputeWork {
  readonly kind: 'compute';
  readonly program: string;
  readonly input: Expression;
  /** The agent whose workspace it reads. Default: the run's shared workspace. */
  readonly agent?: string;
  /** It runs commands on the files or changes them: files of an interrupted attempt are restored. */
  readonly writes?: true;
  /**
   * The variable that holds the program's state between events. The program reads it and returns the new state; the
   * difference is journaled. Units of a pool have none: two at once would overwrite each other.
   */
  readonly keeps?: string;
}

/** One of several works, chosen when it starts. */
export interface ChoiceWork {
  readonly kind: 'choice';
  /** Gives the name of a case. */
  readonly by: Expression;
  readonly cases: Readonly<Record<string, SingleWork>>;
}

/** Many units at once. */
export interface PoolWork {
  readonly kind: 'pool';
  readonly units: PoolUnits;
  /** How many run at the same time. */
  readonly slots: number;
  readonly join: Join;
  /** What its units are called in the message that too few succeeded. Default: units, each with its reason. */
  readonly called?: string;
  /** Evaluated after each unit with `unit` and `result` in scope; a list of items here joins the pool. */
  readonly grow: Expression | null;
}

export type PoolUnits =
  | { readonly kind: 'fixed'; readonly list: readonly PoolUnit[] }
  /** One unit per item of the list; `item` and `index` are in scope of its work. */
  | { readonly kind: 'items'; readonly items: Expression; readonly work: UnitWork };

export interface PoolUnit {
  readonly id: string;
  /** Units that must be ok before this one starts. */
  readonly after: readonly string[];
  readonly work: UnitWork;
}

export type SingleWork = TurnWork | CommandWork | CallWork | AskWork | WaitWork | ComputeWork;

export type UnitWork = SingleWork | ChoiceWork;

/**
 * `all`: every unit must be ok. `any`: at least one. `quorum`: at least `count`. `first`: the first ok one wins and the rest
 * are cancelled. Every rule accounts for every unit; where the rule holds although units are not ok the pool is `partial`.
 */
export type Join =
  | { readonly rule: 'all' }
  | { readonly rule: 'any' }
  | { readonly rule: 'quorum'; readonly count: number }
  | { readonly rule: 'first' };

export interface RetryPolicy {
  /** Tries in all, by class of failure; a class not named uses the built-in number. */
  readonly tries: Readonly<Partial<Record<FailureClass, number>>>;
  readonly baseMs: number;
  readonly maxMs: number;
}
