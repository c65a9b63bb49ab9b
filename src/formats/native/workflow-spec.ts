import type { Failure, FailureClass, Outcome } from '../../core/model/outcome.ts';
import type { Approves, ChoiceDetail } from '../../core/record/question-fact.ts';
import type { SchemaOutput, StandardSchema } from '../../core/model/standard-schema.ts';
import type { Limits, ValueType, Workflow } from '../../core/model/workflow.ts';
import type { Json } from '../../core/model/json.ts';
import type { SurfaceData } from '../../core/evaluate/surface.ts';
import type { GivenInput } from '../check-input.ts';

type AgentSurface = SurfaceData['agents'][string];

/** The scope of a workflow's functions: the same names as in texts (SM5). */
export interface FlowScope<Data = Record<string, Json>> extends Omit<SurfaceData, 'common_data' | 'locals'> {
  /** The input, and what the workflow itself keeps. Scripts change it. */
  readonly common_data: Data;
  /** The result of the state's work: the text of a turn, the answer of a person, the output of a workflow. */
  readonly result: unknown;
  readonly outcome: Outcome;
  readonly failure: Failure | null;
  getAgent(name: string): AgentSurface;
  getContext(name: string): SurfaceData['contexts'][string];
  getToolCalls(agent: string): AgentSurface['toolCalls'];
  /** A text or a number as one word of a command for /bin/sh, a list as several. */
  quote(value: unknown): string;
}

/** In the work of a pool that has one unit for each item. */
type UnitScope<Scope> = Scope & { readonly item: unknown; readonly index: number };

/** After a unit of a pool. */
type PoolScope<Scope> = UnitScope<Scope> & { readonly unit: string };

/** The variable that holds the output. */
export type PlainOutput = string | { readonly name: string; readonly type: ValueType };

/** The type of `common_data`: anything, without a schema of the input. */
type DataOf<Input, Data> = (Input extends StandardSchema ? SchemaOutput<Input> : Record<string, Json>) &
  (Data extends StandardSchema ? SchemaOutput<Data> : Data);

// oxlint-disable-next-line typescript/no-generated-empty-object-type -- no data
export type NoKeys = Record<never, never>;

/** The input of `start`. */
export type InputOf<Input> = Input extends StandardSchema<infer Given> ? Given : GivenInput;

/** The value at the end of a run. */
type EndValue<Output> = Output extends StandardSchema<infer Given> ? Given : unknown;

/** The type of `result`. */
export type OutputOf<Output> = Output extends StandardSchema ? SchemaOutput<Output> : Json;

/**
 * A condition, an input or another value that is computed when the run comes there: a text in the language of the files, or a
 * function of what the run knows. A function may use its parameter and what the language itself offers, and nothing around it.
 */
export type Code<Scope, Value = unknown> = string | ((run: Scope) => Value);

/** Changes `run.common_data`; gives nothing back. */
export type Script<Scope> = string | ((run: Scope) => undefined);

/**
 * The argument of `defineWorkflow`. `State`, `Agent` and `Context` are the names that the workflow itself uses, so that a wrong
 * target or agent is a compiler error. `Input`, `Data` and `Output` give their types to functions and to `start`.
 */
export interface WorkflowSpec<
  State extends string,
  Agent extends string,
  Context extends string,
  Input extends StandardSchema | undefined = undefined,
  Data = NoKeys,
  Output extends StandardSchema | PlainOutput = PlainOutput,
> {
  readonly name: string;
  readonly description?: string;
  /** A schema of an object: zod, or another that follows Standard Schema. Its values are in `common_data`. */
  readonly input?: Input;
  /** The same without a schema: types by name. */
  readonly inputs?: Readonly<Record<string, ValueType | InputSpec>>;
  /** The schema of the result; or the variable that holds it, where an end does not say otherwise. */
  readonly output?: Output;
  /** First values of common_data; or a schema in which every key has a default. */
  readonly data?: Data;
  readonly contexts?: Readonly<Record<Context, ContextSpecification>>;
  readonly agents?: Readonly<Record<Agent, AgentSpecification<NoInfer<Context>, FlowScope<DataOf<Input, Data>>>>>;
  /** Where a run begins. Default: `start`. */
  readonly start?: NoInfer<State>;
  readonly states: Readonly<
    Record<State, StateSpec<NoInfer<State>, NoInfer<Agent>, FlowScope<DataOf<Input, Data>>, EndValue<Output>>>
  >;
  readonly limits?: Partial<Limits>;
  /** Labels that a worker must have to drive a run of it, such as `gpu`. */
  readonly labels?: readonly string[];
  /** How to treat the files when the run fails, crashes or times out. Default: keep. */
  readonly onFailure?: 'keep' | 'rollback';
}

export interface InputSpec {
  readonly type: ValueType;
  readonly description?: string;
  /** Default: true. */
  readonly required?: boolean;
}

export interface ContextSpecification {
  readonly startingMessages?: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[];
  /** In characters; default: 50000. */
  readonly maxLength?: number;
}

export interface AgentSpecification<Context extends string = string, Scope = FlowScope> {
  /** Default: the agent's own name. */
  readonly role?: string;
  /** Default: its own conversation, with the agent's name. */
  readonly context?: Context;
  readonly side?: 'assistant' | 'user';
  /** Default: `shared` with the run; `own`, or a name shared by all agents that give the same. */
  readonly workspace?: string;
  /** Resources that only one may use at a time, held while one of its tools or commands runs. */
  readonly holds?: readonly string[];
  /** Overrides the actor of its role: `claude-code`, `codex`, `acp:NAME`. */
  readonly actor?: string;
  /** Read whenever it speaks: gives who plays it, which is a model, a level or a client. */
  readonly model?: Code<Scope>;
}

export type StateSpec<State extends string, Agent extends string, Scope = FlowScope, Output = unknown> =
  | WorkStateSpec<State, Agent, Scope>
  | EndStateSpec<Scope, Output>;

export interface WorkStateSpec<State extends string, Agent extends string, Scope = FlowScope> {
  readonly kind?: 'work';
  /** Runs on entry. */
  readonly enter?: Script<Scope>;
  readonly work?: WorkSpec<Agent, Scope>;
  readonly transitions: readonly TransitionSpec<State, Scope>[];
  readonly on?: Readonly<Partial<Record<Exclude<Outcome, 'ok'>, readonly TransitionSpec<State, Scope>[]>>>;
  readonly timeoutMs?: number;
  readonly retry?: RetrySpec;
}

export interface EndStateSpec<Scope = FlowScope, Output = unknown> {
  readonly kind: 'end';
  /** Default: ok. */
  readonly outcome?: Outcome;
  /** The run's result. */
  readonly output?: Code<Scope, Output>;
  /** Gives `{code, message}`: why it did not end well. */
  readonly failure?: Code<Scope>;
}

/** A name alone is a transition that always holds. */
export type TransitionSpec<State extends string, Scope = FlowScope> =
  | State
  | {
      readonly target: State;
      readonly when?: Code<Scope, boolean>;
      readonly assign?: Script<Scope>;
      /** What this way means, in a few words: the graph shows it instead of the condition. */
      readonly label?: string;
    };

export interface RetrySpec {
  readonly tries: Readonly<Partial<Record<FailureClass, number>>>;
  readonly baseMs?: number;
  readonly maxMs?: number;
}

export type WorkSpec<Agent extends string, Scope = FlowScope> =
  | UnitWorkSpec<Agent, Scope>
  | { readonly kind: 'none' }
  | MergeSpec<Agent, Scope>
  | PoolSpec<Agent, Scope>;

export type UnitWorkSpec<Agent extends string, Scope = FlowScope> =
  | TurnSpec<Agent, Scope>
  | CommandWorkSpec<Agent, Scope>
  | DiffSpec<Agent>
  | CallSpec<Scope>
  | AskSpec<Scope>
  | { readonly kind: 'wait'; readonly ms: number | Code<Scope, number> };

export interface AskSpec<Scope = FlowScope> {
  readonly kind: 'ask';
  readonly question: Code<Scope, string>;
  /** Code gives texts, or objects that describe each choice. */
  readonly choices?: readonly string[] | Code<Scope, readonly (string | ChoiceDetail)[]>;
  /**
   * Only a person answers, also where any text may be answered: for the files when it was asked, or for those at the answer. A
   * question with choices is as-asked by default.
   */
  readonly approves?: Approves;
}

export interface TurnSpec<Agent extends string, Scope = FlowScope> {
  readonly kind: 'turn';
  readonly agent: Agent;
  readonly mode?: 'ask' | 'tell' | 'clear';
  readonly input?: Code<Scope>;
  /** Gives the id of the step it speaks for. */
  readonly step?: Code<Scope>;
  /** Give paths which must exist, and commands which must succeed, before `complete` is taken for true. */
  readonly evidence?: { readonly files?: Code<Scope>; readonly commands?: Code<Scope> };
  /** The structured replies that end the turn; an empty list: text ends it. */
  readonly reply?: readonly string[];
  /** Give the values which arguments of the reply may have, by argument. Another value is sent back once. */
  readonly allowed?: Readonly<Record<string, Code<Scope>>>;
  /**
   * The agent has to change files: an answer without a changed one is sent back once, then the state fails with `NO_CHANGES`.
   * `when` says where that holds; `unless` is the argument of a structured reply that states that no change is needed.
   */
  readonly changes?: 'required' | { readonly when?: Code<Scope, boolean>; readonly unless?: string };
}

/** The changes in a workspace since its start, as a diff; by default the run's workspace, or that of an agent. */
export interface DiffSpec<Agent extends string> {
  readonly kind: 'diff';
  readonly agent?: Agent;
  /** The engine also runs the commands that test the project, and adds their results. */
  readonly tests?: boolean;
}

export interface CallSpec<Scope = FlowScope> {
  readonly kind: 'call';
  readonly workflow: string | Workflow;
  readonly input?: Readonly<Record<string, Code<Scope>>>;
  /** Its agents share a workspace made for them, which its own `merge` brings home. */
  readonly workspace?: 'own';
}

export interface CommandWorkSpec<Agent extends string, Scope = FlowScope> {
  readonly kind: 'command';
  /** Gives the command line. */
  readonly command: Code<Scope, string>;
  readonly okExitCodes?: readonly number[];
  /** `unsafe`: never run a second time after a crash; the outcome is then reported as unknown. */
  readonly repeat?: 'safe' | 'unsafe';
  /** The agent whose workspace it runs in; default: the run's shared one. */
  readonly agent?: Agent;
  readonly network?: boolean;
  readonly holds?: readonly string[];
}

/** Brings the workspace of an agent into that of the run; with null, that of the run into the run that called it. */
export interface MergeSpec<Agent extends string, Scope = FlowScope> {
  readonly kind: 'merge';
  readonly agent: Agent | null;
  /** With an agent of null: gives the id of a unit of an earlier pool, whose own workspace is brought in. */
  readonly unit?: Code<Scope>;
  /**
   * Gives a command or a list of them, which must succeed on the merged files before they are taken over. Where
   * it gives none, the project's own tests must not turn red by joining parallel work.
   */
  readonly verify?: Code<Scope>;
  /** Gives commands that succeed on the author's files alone: they must succeed on the merged files too. */
  readonly checks?: Code<Scope>;
  /** While they work, the authors learn which of their files others have changed too. */
  readonly reportsOverlap?: boolean;
}

export type PoolSpec<Agent extends string, Scope = FlowScope> =
  | FixedPoolSpec<Agent, Scope>
  | ItemPoolSpec<Agent, Scope>;

interface PoolRules<Scope> {
  readonly kind: 'pool';
  readonly join?: 'all' | 'any' | 'first' | { readonly quorum: number };
  /** Asked after each unit; a list it gives joins the pool. */
  readonly grow?: Code<PoolScope<Scope>>;
}

/** Units known beforehand, by id. All run at once unless `slots` says otherwise. */
export interface FixedPoolSpec<Agent extends string, Scope = FlowScope> extends PoolRules<Scope> {
  readonly units: Readonly<
    Record<string, { readonly after?: readonly string[]; readonly work: UnitWorkSpec<Agent, Scope> }>
  >;
  readonly slots?: number;
}

/** One unit for each item of a list; `item` and `index` are known in its work. */
export interface ItemPoolSpec<Agent extends string, Scope = FlowScope> extends PoolRules<Scope> {
  readonly items: Code<Scope, readonly unknown[]>;
  readonly work: UnitWorkSpec<Agent, UnitScope<Scope>>;
  readonly slots: number;
}

/** Any workflow, once the compiler has checked its names and types. */
export type LooseSpec = WorkflowSpec<
  string,
  string,
  string,
  StandardSchema | undefined,
  unknown,
  StandardSchema | PlainOutput
>;

declare const TYPES: unique symbol;

/** A workflow with the types of its input and its output. The types exist for the compiler alone. */
export interface TypedWorkflow<Input, Output> extends Workflow {
  readonly [TYPES]?: (input: Input) => Output;
}
