import type { Json } from '../../core/json.ts';
import type { FailureClass, Outcome } from '../../core/outcome.ts';
import type { Approves } from '../../core/question-fact.ts';
import type { Limits, ValueType, Workflow } from '../../core/workflow.ts';

/**
 * What `defineWorkflow` takes. `State`, `Agent` and `Context` are the names that the workflow itself uses, so that a wrong
 * target or agent is an error of the compiler. Conditions, inputs and scripts are texts in the language of the files.
 */
export interface WorkflowSpec<State extends string, Agent extends string, Context extends string> {
  readonly name: string;
  readonly description?: string;
  readonly inputs?: Readonly<Record<string, ValueType | InputSpec>>;
  /** The variable that holds the result, where an end does not say otherwise. */
  readonly output?: string | { readonly name: string; readonly type: ValueType };
  /** First values of common_data. */
  readonly data?: Readonly<Record<string, Json>>;
  readonly contexts?: Readonly<Record<Context, ContextSpecification>>;
  readonly agents?: Readonly<Record<Agent, AgentSpecification<NoInfer<Context>>>>;
  /** Where a run begins: `start` unless given. */
  readonly start?: NoInfer<State>;
  readonly states: Readonly<Record<State, StateSpec<NoInfer<State>, NoInfer<Agent>>>>;
  readonly limits?: Partial<Limits>;
  /** What becomes of the files when the run fails, crashes or times out: kept unless given. */
  readonly onFailure?: 'keep' | 'rollback';
}

export interface InputSpec {
  readonly type: ValueType;
  readonly description?: string;
  /** True unless given. */
  readonly required?: boolean;
}

export interface ContextSpecification {
  readonly startingMessages?: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[];
  /** In characters; 50000 unless given. */
  readonly maxLength?: number;
}

export interface AgentSpecification<Context extends string = string> {
  /** The agent's own name unless given. */
  readonly role?: string;
  /** A conversation of its own, by the agent's name, unless given. */
  readonly context?: Context;
  readonly side?: 'assistant' | 'user';
  /** `shared` with the run unless given; `own`, or a name shared by all who give the same. */
  readonly workspace?: string;
  /** Resources that only one may use at a time, held while one of its tools or commands runs. */
  readonly holds?: readonly string[];
  /** Who plays it, instead of whom its role names: `claude-code`, `codex`, `acp:NAME`. */
  readonly actor?: string;
  /** An expression, read whenever it speaks, that gives who plays it: a model, a level or a client. */
  readonly model?: string;
}

export type StateSpec<State extends string, Agent extends string> = WorkStateSpec<State, Agent> | EndStateSpec;

export interface WorkStateSpec<State extends string, Agent extends string> {
  readonly kind?: 'work';
  /** A script that runs on entry. */
  readonly enter?: string;
  readonly work?: WorkSpec<Agent>;
  readonly transitions: readonly TransitionSpec<State>[];
  readonly on?: Readonly<Partial<Record<Exclude<Outcome, 'ok'>, readonly TransitionSpec<State>[]>>>;
  readonly timeoutMs?: number;
  readonly retry?: RetrySpec;
}

export interface EndStateSpec {
  readonly kind: 'end';
  /** `ok` unless given. */
  readonly outcome?: Outcome;
  /** The run's result, as an expression. */
  readonly output?: string;
  /** An expression that gives `{code, message}`: why it did not end well. */
  readonly failure?: string;
}

/** A name alone is a transition that always holds. */
export type TransitionSpec<State extends string> =
  | State
  | { readonly target: State; readonly when?: string; readonly assign?: string };

export interface RetrySpec {
  readonly tries: Readonly<Partial<Record<FailureClass, number>>>;
  readonly baseMs?: number;
  readonly maxMs?: number;
}

export type WorkSpec<Agent extends string> =
  | UnitWorkSpec<Agent>
  | { readonly kind: 'none' }
  | MergeSpec<Agent>
  | PoolSpec<Agent>;

export type UnitWorkSpec<Agent extends string> =
  | TurnSpec<Agent>
  | CommandWorkSpec<Agent>
  | DiffSpec<Agent>
  | CallSpec
  | AskSpec
  | { readonly kind: 'wait'; readonly ms: number | string };

export interface AskSpec {
  readonly kind: 'ask';
  readonly question: string;
  readonly choices?: readonly string[];
  /** Any text may be answered, and only a person answers: for the files when it was asked, or for those at the answer. */
  readonly approves?: Approves;
}

export interface TurnSpec<Agent extends string> {
  readonly kind: 'turn';
  readonly agent: Agent;
  readonly mode?: 'ask' | 'tell' | 'clear';
  readonly input?: string;
  /** An expression that gives the id of the step it speaks for. */
  readonly step?: string;
  /** Expressions that give paths which must exist, and commands which must succeed, before `complete` is taken for true. */
  readonly evidence?: { readonly files?: string; readonly commands?: string };
  /** The structured replies that end the turn; an empty list: text ends it. */
  readonly reply?: readonly string[];
  /** Expressions that give the values which arguments of the reply may have, by argument. Another value is sent back once. */
  readonly allowed?: Readonly<Record<string, string>>;
  /**
   * The agent has to change files: an answer without a changed one is sent back once, then the state fails with `NO_CHANGES`.
   * `when` is an expression; `unless` is the argument of a structured reply that states that no change is needed.
   */
  readonly changes?: 'required' | { readonly when?: string; readonly unless?: string };
}

/** What a workspace holds that it did not begin with, as the text of a diff; that of the run unless an agent is named. */
export interface DiffSpec<Agent extends string> {
  readonly kind: 'diff';
  readonly agent?: Agent;
  /** The engine also runs the commands that test the project, and adds their results. */
  readonly tests?: boolean;
}

export interface CallSpec {
  readonly kind: 'call';
  readonly workflow: string | Workflow;
  readonly input?: Readonly<Record<string, string>>;
  /** Its agents share a workspace made for them, which its own `merge` brings home. */
  readonly workspace?: 'own';
}

export interface CommandWorkSpec<Agent extends string> {
  readonly kind: 'command';
  /** An expression that gives the command line. */
  readonly command: string;
  readonly okExitCodes?: readonly number[];
  /** `unsafe`: never run a second time after a crash; the outcome is then told as unknown. */
  readonly repeat?: 'safe' | 'unsafe';
  /** The agent in whose workspace it runs; the run's shared one unless given. */
  readonly agent?: Agent;
  readonly network?: boolean;
  readonly holds?: readonly string[];
}

/** Brings the workspace of an agent into that of the run; with null, that of the run into the run that called it. */
export interface MergeSpec<Agent extends string> {
  readonly kind: 'merge';
  readonly agent: Agent | null;
  /** With an agent of null: an expression that gives the id of a unit of an earlier pool, whose own workspace is brought in. */
  readonly unit?: string;
  /**
   * An expression that gives a command or a list of them, which must succeed on the merged files before they are taken over. Where
   * it gives none, the project's own tests must not turn red by joining parallel work.
   */
  readonly verify?: string;
  /** An expression that gives commands that succeed on the author's files alone: they must succeed on the merged files too. */
  readonly checks?: string;
}

export type PoolSpec<Agent extends string> = FixedPoolSpec<Agent> | ItemPoolSpec<Agent>;

interface PoolRules {
  readonly kind: 'pool';
  readonly join?: 'all' | 'any' | 'first' | { readonly quorum: number };
  /** An expression asked after each unit; a list it gives joins the pool. */
  readonly grow?: string;
}

/** Units known beforehand, by id. All run at once unless `slots` says otherwise. */
export interface FixedPoolSpec<Agent extends string> extends PoolRules {
  readonly units: Readonly<Record<string, { readonly after?: readonly string[]; readonly work: UnitWorkSpec<Agent> }>>;
  readonly slots?: number;
}

/** One unit for each item of a list; `item` and `index` are known in its work. */
export interface ItemPoolSpec<Agent extends string> extends PoolRules {
  readonly items: string;
  readonly work: UnitWorkSpec<Agent>;
  readonly slots: number;
}
