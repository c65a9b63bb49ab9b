import { cleanJson } from '../../../core/evaluate/clean-json.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import { valueOrFault } from '../../../source/checked.ts';
import { nowhere } from '../../../source/place.ts';
import { markWorkflow } from '../../../source/workflow-module.ts';
import { parseReview } from './parse-review.ts';

/** The argument of `defineReview`: the keys of the file format. */
export interface ReviewSpec {
  readonly name: string;
  readonly description?: string;
  /** The implementers, all at the same time, each in its own files. */
  readonly implementers: readonly MindSpec[];
  /** The reviewers, first without knowing of each other, then in a debate; at least two. */
  readonly reviewers: readonly MindSpec[];
  /** Rounds of the debate; default: 5. */
  readonly max_rounds?: number;
  /** Rounds of the review after a revision; default: 3. */
  readonly final_rounds?: number;
  /** Default: 2. */
  readonly max_revisions?: number;
  /** How many implementations must succeed; default: 1. */
  readonly quorum?: number;
  /** How the best one is found; default: by ranking. */
  readonly pick?: 'ranking' | 'tests' | 'person' | 'synthesis';
  /** A command the engine runs on every implementation and on the merge. */
  readonly verify?: string;
  /** Files of yours that the command counts on. */
  readonly protect?: readonly string[];
  /** Seconds for all implementations, and for each revision. */
  readonly timeout?: number;
  /** Seconds for the first reviews, and for each turn of the debate. */
  readonly review_timeout?: number;
}

/** The name of a model or of a client, or more of it. */
export type MindSpec =
  | string
  | { readonly name?: string; readonly model?: string; readonly actor?: string; readonly role?: string };

/** A review workflow written in TypeScript (U3). Throws WORKFLOW_INVALID with every problem. */
export function defineReview(spec: ReviewSpec): Workflow {
  const origin = { file: spec.name, locate: nowhere };
  const [workflow] = valueOrFault(parseReview(cleanJson(spec) ?? null, origin), 'WORKFLOW_INVALID');
  if (workflow === undefined) throw new Error('The parser gave neither a workflow nor a problem.');
  const { file: _file, ...rest } = workflow;
  return markWorkflow(rest, []);
}
