import { cleanJson } from '../../core/clean-json.ts';
import type { Workflow } from '../../core/workflow.ts';
import { valueOrFault } from '../source/checked.ts';
import { nowhere } from '../source/place.ts';
import { markWorkflow } from '../source/workflow-module.ts';
import { parseReview } from './parse-review.ts';
import type { ReviewSpec } from './review-spec.ts';

/** A review workflow written in TypeScript (U3). Throws WORKFLOW_INVALID with every problem. */
export function defineReview(spec: ReviewSpec): Workflow {
  const origin = { file: spec.name, locate: nowhere };
  const [workflow] = valueOrFault(parseReview(cleanJson(spec) ?? null, origin), 'WORKFLOW_INVALID');
  if (workflow === undefined) throw new Error('The parser gave neither a workflow nor a problem.');
  const { file: _file, ...rest } = workflow;
  return markWorkflow(rest, []);
}
