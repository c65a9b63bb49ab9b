import type { Json } from '../../core/json.ts';
import type { Failure, Outcome } from '../../core/outcome.ts';
import type { SchemaOutput, StandardSchema } from '../../core/standard-schema.ts';
import type { SurfaceData } from '../../core/surface.ts';
import type { ValueType } from '../../core/workflow.ts';
import type { GivenInput } from '../check-input.ts';

type AgentSurface = SurfaceData['agents'][string];

/** What a function of a workflow gets to see: the same names that texts can use (SM5). */
export interface FlowScope<Data = Record<string, Json>> extends Omit<SurfaceData, 'common_data' | 'locals'> {
  /** The input, and what the workflow itself keeps. Scripts change it. */
  readonly common_data: Data;
  /** What the work of the state gave: the text of a turn, the answer of a person, the output of a workflow. */
  readonly result: unknown;
  readonly outcome: Outcome;
  readonly failure: Failure | null;
  getAgent(name: string): AgentSurface;
  getContext(name: string): SurfaceData['contexts'][string];
  getToolCalls(agent: string): AgentSurface['toolCalls'];
}

/** In the work of a pool that has one unit for each item. */
export type UnitScope<Scope> = Scope & { readonly item: unknown; readonly index: number };

/** After a unit of a pool. */
export type PoolScope<Scope> = UnitScope<Scope> & { readonly unit: string };

/** The variable that holds the output. */
export type PlainOutput = string | { readonly name: string; readonly type: ValueType };

/** What is in `common_data`: without a schema of the input, anything may be. */
export type DataOf<Input, Data> = (Input extends StandardSchema ? SchemaOutput<Input> : Record<string, Json>) &
  (Data extends StandardSchema ? SchemaOutput<Data> : Data);

// oxlint-disable-next-line typescript/no-generated-empty-object-type -- no data of its own
export type NoKeys = Record<never, never>;

/** What `start` takes. */
export type InputOf<Input> = Input extends StandardSchema<infer Given> ? Given : GivenInput;

/** What the end of a run gives. */
export type EndValue<Output> = Output extends StandardSchema<infer Given> ? Given : unknown;

/** What `result` gives. */
export type OutputOf<Output> = Output extends StandardSchema ? SchemaOutput<Output> : Json;
