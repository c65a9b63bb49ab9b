import { isJsonObject, type Json } from '../core/json.ts';
import type { Workflow } from '../core/workflow.ts';
import { parsePhases } from './phases/parse-phases.ts';
import { parseReview } from './review/parse-review.ts';
import type { Drafted } from './source/checked.ts';
import type { Origin } from './source/problem-report.ts';
import { parseStateMachine } from './state-machine/parse-state-machine.ts';

/** A format of workflow files. A new one is a folder beside this file and an entry in the list below. */
export interface Dialect {
  readonly name: string;
  /** Whether a document is meant to be of this format, mistakes and all. */
  readonly recognises: (document: Json) => boolean;
  readonly parse: (document: Json, origin: Origin) => Drafted<readonly Workflow[]>;
}

const STATE_MACHINE: Dialect = {
  name: 'state-machine',
  recognises: (document) => hasKey(document, 'workflow_name') || hasKey(document, 'states'),
  parse: parseStateMachine,
};

const PHASES: Dialect = {
  name: 'phases',
  recognises: (document) => !STATE_MACHINE.recognises(document) && PHASE_KEYS.some((key) => hasKey(document, key)),
  parse: parsePhases,
};

const REVIEW: Dialect = {
  name: 'review',
  recognises: (document) => hasKey(document, 'implementers') || hasKey(document, 'reviewers'),
  parse: parseReview,
};

const PHASE_KEYS = ['phases', 'orchestration', 'workflow', 'agent'];

const DIALECTS: readonly Dialect[] = [REVIEW, PHASES, STATE_MACHINE];

/** The format of a document; what no format recognises is told its problems as a state machine. */
export function dialectOf(document: Json): Dialect {
  return DIALECTS.find((dialect) => dialect.recognises(document)) ?? STATE_MACHINE;
}

/** For a list, of its first entry. */
function hasKey(document: Json, key: string): boolean {
  const first: Json | undefined = Array.isArray(document) ? (document as readonly Json[])[0] : document;
  return isJsonObject(first) && Object.hasOwn(first, key);
}
