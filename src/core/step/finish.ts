import { workflowCode } from '../codes/codes.ts';
import { evaluateJson, type Evaluated } from '../evaluate/evaluation.ts';
import type { Expression } from '../model/expression.ts';
import { isJsonObject, type Json } from '../model/json.ts';
import type { Failure } from '../model/outcome.ts';
import type { StepProgress } from './progress.ts';
import { settle } from './settle.ts';
import type { EndState } from '../model/workflow.ts';

/** Ends the run with its output, and the reason if its end state gives one. */
export function finish(progress: StepProgress, state: EndState): void {
  const output = outputOf(progress, state);
  if (output.kind === 'pending') return;
  const why = output.kind === 'failed' ? output : failureOf(progress, state);
  if (why.kind === 'pending') return;
  if (output.kind === 'failed' || why.kind === 'failed') {
    const failure = why.kind === 'failed' ? why.failure : null;
    return settle(progress, { outcome: 'failed', output: null, failure });
  }
  settle(progress, { outcome: state.outcome, output: output.value, failure: why.value });
}

function outputOf(progress: StepProgress, state: EndState): Evaluated<Json> {
  if (state.output !== null) return read(progress, state, { expression: state.output, key: 'output', what: 'input' });
  const name = progress.workflow.output?.name;
  return { kind: 'value', value: name === undefined ? null : (progress.snapshot.data[name] ?? null) };
}

function failureOf(progress: StepProgress, state: EndState): Evaluated<Failure | null> {
  if (state.failure === undefined) return { kind: 'value', value: null };
  const found = read(progress, state, { expression: state.failure, key: 'failure', what: 'failure' });
  return found.kind === 'value' ? { kind: 'value', value: asFailure(found.value) } : found;
}

/** A text alone is the message; nothing means no failure. */
function asFailure(given: Json): Failure | null {
  if (given === null) return null;
  const { code, message, hint } = isJsonObject(given) ? given : { message: given };
  return {
    code: typeof code === 'string' ? workflowCode(code) : 'ENDED_BY_WORKFLOW',
    message: typeof message === 'string' ? message : JSON.stringify(message ?? given),
    class: 'logic',
    ...(typeof hint === 'string' ? { hint } : {}),
  };
}

interface Part {
  readonly expression: Expression;
  readonly key: string;
  readonly what: string;
}

function read(progress: StepProgress, state: EndState, { expression, key, what }: Part): Evaluated<Json> {
  return evaluateJson(progress, expression, { key, what: `The ${what} of ${state.name}`, locals: {}, at: state.at });
}
