import type { Json } from '../../core/json.ts';
import type { CostUsd } from '../../core/usage.ts';
import type { ArtifactView } from './artifact-view.ts';

/** Where an artifact comes from, as `artifacts ID --why --json` prints it. */
export interface WhyView {
  readonly artifact: ArtifactView;
  readonly made: MadeView;
  /** What the engine looked at before it took it, and what nobody looked at. */
  readonly evidence: readonly EvidenceView[];
  /** What it was made from. */
  readonly from: readonly (WhyView | KnownElsewhere)[];
}

/** `told`: it stands elsewhere in the same tree; `unknown`: no record tells of it. */
export interface KnownElsewhere {
  readonly id: string;
  readonly why: 'told' | 'unknown';
  /** Where it is told. */
  readonly path?: string;
  readonly version?: number;
}

export interface MadeView {
  readonly agent: string;
  /** The type of the agent, or its role. */
  readonly agent_type: string | null;
  readonly phase: string;
  /** The run and the turn in which its content came to be; that of its record where no more is known. */
  readonly run: string;
  readonly task: string | null;
  /** `work`, `merge`, `rollback`, or `outside`: nobody in the run did it. Null where no record tells. */
  readonly how: string | null;
  /** What wrote it, where it was a tool of the engine's. */
  readonly tool: string | null;
  readonly tool_call: string | null;
  /** The call of that turn in which the tool was asked for. */
  readonly call: number | null;
  /** All model calls of the turn, failed ones too, or of the agent's turns until then. */
  readonly calls: readonly CallView[];
}

export interface CallView {
  readonly task: string;
  /** Null where only its cost is known. */
  readonly call: number | null;
  readonly record: number;
  /** Null where the record of a failed call does not name it. */
  readonly model: string | null;
  /** It was paid for and brought no answer. */
  readonly failed?: true;
  readonly tools: readonly string[];
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd: CostUsd;
}

export interface EvidenceView {
  readonly text: string;
  readonly checked: boolean;
  readonly held: boolean | null;
  readonly why?: string;
}

export const isWhy = (one: WhyView | KnownElsewhere): one is WhyView => 'artifact' in one;

export const textIn = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null);
