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
  /** What the author set for the programs of its family. They read it here, so that a run that goes on with a changed file goes by it. */
  readonly plan?: JsonObject;
  readonly contexts: readonly ContextSpec[];
  readonly agents: readonly AgentSpec[];
  readonly start: string;
  readonly states: Readonly<Record<string, State>>;
  readonly limits: Limits;
  /** What becomes of the files when the run fails, crashes or times out; kept unless given (PH7). */
  readonly onFailure?: 'keep' | 'rollback';
  /** How often a tool that failed for a passing reason is tried in all (PH6). */
  readonly toolTries?: number;
  /** What the workers that drive a run of it, or of one that calls it, have to offer. */
  readonly labels?: readonly string[];
  /** The file the author wrote, as named on the command line. */
  readonly file?: string;
  /** Of a module: a hash of its code, so that one can see without running it whether it is another one by now. */
  readonly code?: string;
  /** Roles that exist in this workflow alone, by name. */
  readonly casts?: Readonly<Record<string, Cast>>;
}

/** A role made from another by changing some of it. */
export interface Cast {
  readonly of: string;
  readonly change: Partial<Omit<Role, 'name'>>;
  /** The mode an agent type works in, where it is not the type's own (PH3). */
  readonly agentMode?: string;
  /** Its commands reach the network where those of this role do, if the role that it is made of does not say. */
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
  /** The side the agent speaks from, as others that read the context see it. */
  readonly side: 'assistant' | 'user';
  /** `shared` (unless given): that of the run. `own`: one of its own. Any other name: shared with all who give the same. */
  readonly workspace?: string;
  /** The workspace holds, in place of the project, a folder for each of these agents with all its files. */
  readonly folders?: readonly string[];
  /** Resources that only one may use at a time, held while one of its tools or commands runs. */
  readonly holds?: readonly string[];
  /** Who plays it, instead of whom its role names. */
  readonly actor?: string;
  /** Who plays it, known only when it speaks: gives a model, a level or a client. Nothing: whoever plays it otherwise. */
  readonly model?: Expression;
}

/** What bounds a run. Absent means unlimited, save iterations and tool rounds, which always have a value. */
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
  /** Where to go when the work did not come out ok. An outcome with no entry ends the run with that outcome. */
  readonly on: Readonly<Partial<Record<Outcome, readonly Transition[]>>>;
  readonly timeoutMs: number | null;
  /** In milliseconds, read when the state is entered; the shorter of both counts. Nothing is no limit. */
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
  /** Why it ended like this, where it did not end well: gives `code` and `message`, and perhaps `hint`. */
  readonly failure?: Expression;
  readonly at?: Position;
}

export interface Transition {
  readonly target: string;
  /** null always holds. */
  readonly when: Expression | null;
  /** Runs only when this transition is taken (SM6). */
  readonly assign: Program | null;
  readonly at?: Position;
}

/** The work of a state, or of one unit in a pool. Each kind is the smallest thing that carries its job. */
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

/** An agent speaks (`ask`), is told something (`tell`), or forgets its conversation (`clear`). */
export interface TurnWork {
  readonly kind: 'turn';
  readonly agent: string;
  readonly mode: 'ask' | 'tell' | 'clear';
  readonly input: Expression | null;
  /** The step it speaks for: a signal for another one is refused. */
  readonly step?: Expression;
  /** What the engine must see for itself before it takes `complete` for true (L4). */
  readonly evidence?: { readonly files?: Expression; readonly commands?: Expression };
  /** What it has to deliver (PH4): gives a list of `OwedOutput`. */
  readonly outputs?: Expression;
  /**
   * The structured replies that end the turn (A4): text alone is asked for one of them again, then the turn has failed. None: text
   * ends it. Left out: those that the state waits for, where it cannot be left without.
   */
  readonly reply?: readonly string[];
  /** Words that may begin a line of text instead, from models that were asked again and cannot call tools (PD4). */
  readonly replyWords?: readonly string[];
  /** The check of a family that a reply has to pass before it is taken, besides its schema (PD3). */
  readonly check?: string;
  /** The values that arguments of the reply may have, by argument; each gives a list. Another value is sent back once. */
  readonly allowed?: Readonly<Record<string, Expression>>;
  readonly changes?: ChangesDemand;
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
  /** Tests and lint may be run again after a crash; what must not be (`npm publish`) is told as unknown. `safe` unless given. */
  readonly repeat?: 'safe' | 'unsafe';
  /** The agent in whose workspace it runs; the run's shared one unless given. */
  readonly agent?: string;
  readonly network?: boolean;
  readonly holds?: readonly string[];
  /**
   * Done by the engine itself instead. `diff`: what the workspace holds that it did not begin with, as text. `diff and tests`:
   * the same, and the result of the commands that test the project.
   */
  readonly builtin?: 'diff' | 'diff and tests';
}

/** How a command is run, besides what it is. */
export type CommandSettings = Pick<CommandWork, 'repeat' | 'agent' | 'network' | 'holds' | 'builtin'>;

/** A child workflow, isolated and atomic. */
export interface CallWork {
  readonly kind: 'call';
  readonly workflow: string;
  readonly input: Readonly<Record<string, Expression>>;
  /** The child's agents share a workspace made for them, which `merge` brings home; that of this run unless given. */
  readonly workspace?: 'own';
}

/** A person is asked. */
export interface AskWork {
  readonly kind: 'ask';
  readonly question: Expression;
  readonly choices: readonly string[];
  /** It takes any text, and its answer is an approval all the same ([V3]). */
  readonly approves?: Approves;
}

export interface WaitWork {
  readonly kind: 'wait';
  readonly ms: Expression;
}

/** Brings a workspace home. */
export interface MergeWork {
  readonly kind: 'merge';
  /** Whose workspace is brought into the one of the run. Null: that of the run goes to the run that started it. */
  readonly agent: string | null;
  /** Instead of an agent: gives the id of a unit of an earlier pool whose run had a workspace of its own. */
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
  /** While they work, its authors are told which of their files others have changed too. */
  readonly reportsOverlap?: true;
}

/**
 * The host computes something, by the name of one of its programs: what came out is journaled and never computed again. For
 * what needs files, or code that the user wrote in TypeScript.
 */
export interface ComputeWork {
  readonly kind: 'compute';
  readonly program: string;
  readonly input: Expression;
  /** The agent whose workspace it looks at; the run's shared one unless given. */
  readonly agent?: string;
  /** It runs commands on the files, or changes some: what it left half done is put back. */
  readonly writes?: true;
  /**
   * The variable that holds what the program keeps from one event to the next. It reads it there, answers what it is from then on,
   * and the difference is journaled. No unit of a pool has one: two at once would overwrite each other.
   */
  readonly keeps?: string;
}

/** One of several, by what is known when it starts. */
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
  /** What its units are called where it is told that too few came out well; else units, each with its reason. */
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
