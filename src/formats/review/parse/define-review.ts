import { cleanJson } from '../../../core/evaluate/clean-json.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import { valueOrFault } from '../../../source/checked.ts';
import { nowhere } from '../../../source/place.ts';
import { markWorkflow } from '../../../source/workflow-module.ts';
import { parseReview } from './parse-review.ts';

/** What `defineReview` takes: the keys of the file format. */
export interface ReviewSpec {
  readonly name: string;
  readonly description?: string;
  /** Who implements it, all at the same time, each in files of its own. */
  readonly implementers: readonly MindSpec[];
  /** Who reviews, first without knowing of each other, then in a debate; at least two. */
  readonly reviewers: readonly MindSpec[];
  /** Rounds of the debate: 5 unless given. */
  readonly max_rounds?: number;
  /** Rounds of the review after a revision: 3 unless given. */
  readonly final_rounds?: number;
  /** 2 unless given. */
  readonly max_revisions?: number;
  /** How many implementations must come out well: 1 unless given. */
  readonly quorum?: number;
  /** How the best one is found: by ranking unless given. */
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
