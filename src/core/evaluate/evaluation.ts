import { compileExpression } from './evaluate.ts';
import { EvaluationError } from './evaluation-error.ts';
import { runAssignments } from './assignments.ts';
import type { Expression, Program } from '../model/expression.ts';
import type { ScriptResult } from '../record/task-fact.ts';
import type { Patch } from '../record/patch.ts';
import type { Position } from '../model/fault.ts';
import { cleanJson } from './clean-json.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Failure } from '../model/outcome.ts';
import type { StepProgress } from '../step/progress.ts';
import { surfaceOf } from './surface.ts';

/** An expression's value now, or later (the isolate was asked), or never. */
export type Evaluated<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'pending' }
  | { readonly kind: 'failed'; readonly failure: Failure };

const PENDING = { kind: 'pending' } as const;

/** Which expression of the present visit; the answer of the isolate is kept under it until the state is left. */
export interface EvaluatedPlace {
  readonly key: string;
  readonly what: string;
  readonly locals: JsonObject;
  /** Where the author wrote it. */
  readonly at?: Position | undefined;
}

export function evaluate(progress: StepProgress, expression: Expression, place: EvaluatedPlace): Evaluated<unknown> {
  if (expression.kind === 'isolate') {
    const answer = askIsolate(progress, { script: expression, wants: 'value', place });
    if (answer === null) return PENDING;
    if (answer.kind === 'failed') return failed(progress, answer.failure, place);
    return { kind: 'value', value: answer.kind === 'value' ? answer.value : null };
  }
  return native(progress, place, () =>
    compileExpression(expression)(surfaceOf(progress.workflow, progress.snapshot, place.locals)),
  );
}

/** The value as journaled: clean JSON, with null for nothing. A value that JSON cannot hold is a failure. */
export function evaluateJson(progress: StepProgress, expression: Expression, place: EvaluatedPlace): Evaluated<Json> {
  const found = evaluate(progress, expression, place);
  return found.kind === 'value' ? native(progress, place, () => cleanJson(found.value) ?? null) : found;
}

export function evaluateProgram(progress: StepProgress, program: Program, place: EvaluatedPlace): Evaluated<Patch> {
  if (program.kind === 'isolate') {
    const answer = askIsolate(progress, { script: program, wants: 'patch', place });
    if (answer === null) return PENDING;
    if (answer.kind === 'failed') return failed(progress, answer.failure, place);
    return { kind: 'value', value: answer.kind === 'patch' ? answer.patch : {} };
  }
  return native(progress, place, () =>
    runAssignments(program, surfaceOf(progress.workflow, progress.snapshot, place.locals)),
  );
}

interface IsolateQuestion {
  readonly script: Extract<Program, { kind: 'isolate' }>;
  readonly wants: 'value' | 'patch';
  readonly place: EvaluatedPlace;
}

function askIsolate(progress: StepProgress, question: IsolateQuestion): ScriptResult | null {
  const { script, wants, place } = question;
  const key = fullKey(progress, place.key);
  const known = progress.snapshot.current.scripts[key];
  if (known !== undefined) return known;
  if (progress.arrived?.key === key) return progress.arrived.result;
  progress.emit({ kind: 'script.run', key, script, wants, locals: place.locals });
  return null;
}

/** Unique over the run, so that an answer that arrives after the state was left is recognised as stale. */
function fullKey(progress: StepProgress, key: string): string {
  const { current, visits } = progress.snapshot;
  return `${current.state}#${visits[current.state] ?? 0}/${key}`;
}

export function isPresentKey(progress: StepProgress, key: string): boolean {
  const { entered, scripts } = progress.snapshot.current;
  if (entered && key === fullKey(progress, 'enter')) return false;
  return key.startsWith(fullKey(progress, '')) && scripts[key] === undefined;
}

function native<T>(progress: StepProgress, place: EvaluatedPlace, compute: () => T): Evaluated<T> {
  try {
    return { kind: 'value', value: compute() };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return failed(progress, { code: 'SCRIPT_FAILED', message: error.message, class: 'script' }, place);
  }
}

function failed(progress: StepProgress, failure: Failure, place: EvaluatedPlace): Evaluated<never> {
  const message = `${place.what}${writtenAt(progress, place.at)}: ${failure.message}`;
  return { kind: 'failed', failure: { ...failure, message } };
}

/** The place in the author's file, for the end of a sentence; empty if there is no file. */
export function writtenAt(progress: StepProgress, at: Position | undefined): string {
  const { file } = progress.workflow;
  if (file === undefined) return '';
  return at === undefined ? ` (${file})` : ` (${file}:${at.line}:${at.column})`;
}
