import type { Outcome } from '../../core/model/outcome.ts';
import type { State, Transition, WorkState } from '../../core/model/workflow.ts';
import { nameHint } from '../../source/closest-name.ts';
import type { SourcePath } from '../../source/place.ts';
import { lowerBefore, lowerCondition, lowerCode, lowerScript } from './lower-code.ts';
import { lowerWork } from './lower-work.ts';
import type { LoweringScope } from './lowering-scope.ts';
import type { StateDocument, TransitionDocument } from './workflow-schema.ts';

const FAILURES: readonly Outcome[] = ['failed', 'timeout', 'quota', 'crashed'];

export function lowerState(document: StateDocument, path: SourcePath, scope: LoweringScope): State {
  const at = scope.report.origin.locate(path);
  const placed = at === undefined ? {} : { at };
  if (isEnd(document)) return { ...lowerEnd(document, path, scope), ...placed };
  if (document.failure !== undefined && !scope.trimmed.has(document)) reportFailureKey(path, scope);
  const script = document.action?.script;
  return {
    kind: 'work',
    name: document.name,
    enter: script === undefined ? null : lowerScript(script, [...path, 'action', 'script'], scope),
    work: lowerWork(document, path, scope),
    transitions: (document.transition ?? []).map((transition, index) =>
      lowerTransition(transition, [...path, 'transition', index], scope),
    ),
    on: { ...lowerOnFailure(document, path, scope), ...lowerHandlers(document, path, scope) },
    timeoutMs: document.timeout_s === undefined ? null : Math.ceil(document.timeout_s * 1000),
    retry: null,
    ...placed,
  };
}

const isEnd = ({ name, outcome }: StateDocument): boolean => name === 'stop' || outcome !== undefined;

/** An end does nothing: its `input` is what the run gives back. */
function lowerEnd(document: StateDocument, path: SourcePath, scope: LoweringScope): State {
  const { name, input, outcome = 'ok', failure } = document;
  for (const key of [
    'agent',
    'agents',
    'step',
    'evidence',
    'reply',
    'allowed',
    'action',
    'timeout_s',
    'on_failure',
    'on',
  ] as const) {
    if (document[key] !== undefined) reportEndKey(key, { name, path }, scope);
  }
  if ((document.transition ?? []).length > 0) reportEndKey('transition', { name, path }, scope);
  const output = input === undefined ? null : lowerCode(input, [...path, 'input'], scope);
  const why = failure === undefined ? null : lowerCode(failure, [...path, 'failure'], scope);
  return { kind: 'end', name, outcome, output, ...(why === null ? {} : { failure: why }) };
}

function reportEndKey(key: string, { name, path }: { name: string; path: SourcePath }, scope: LoweringScope): void {
  scope.report.error('STOP_IS_FINAL', `"${key}" has no effect in "${name}": the run is over there.`, {
    path: [...path, key],
    part: 'key',
    hint: `Do it in a state before "${name}"; an end takes only "input", the result of the run, "outcome" and "failure".`,
  });
}

function reportFailureKey(path: SourcePath, scope: LoweringScope): void {
  scope.report.error('OUTCOME_MISSING', '"failure" needs an "outcome": it says why the run ended like that.', {
    path: [...path, 'failure'],
    part: 'key',
  });
}

function lowerTransition(document: TransitionDocument, path: SourcePath, scope: LoweringScope): Transition {
  const at = scope.report.origin.locate(path);
  const { condition, before, label } = document;
  checkTarget(document.target, [...path, 'target'], scope);
  return {
    target: document.target,
    when: condition === undefined ? null : lowerCondition(condition, [...path, 'condition'], scope),
    assign: before === undefined ? null : lowerBefore(before, [...path, 'before'], scope),
    ...(label === undefined ? {} : { label }),
    ...(at === undefined ? {} : { at }),
  };
}

function lowerOnFailure(document: StateDocument, path: SourcePath, scope: LoweringScope): WorkState['on'] {
  const target = document.on_failure;
  if (target === undefined) return {};
  checkTarget(target, [...path, 'on_failure'], scope);
  const at = scope.report.origin.locate([...path, 'on_failure']);
  const transition: Transition = { target, when: null, assign: null, ...(at === undefined ? {} : { at }) };
  return Object.fromEntries(FAILURES.map((outcome) => [outcome, [transition]]));
}

/** A handler for one outcome takes precedence over one for all failures. */
function lowerHandlers(document: StateDocument, path: SourcePath, scope: LoweringScope): WorkState['on'] {
  const handlers = Object.entries(document.on ?? {}).flatMap(([outcome, transitions]) => {
    if (transitions === undefined) return [];
    const place = [...path, 'on', outcome];
    return [[outcome, transitions.map((one, index) => lowerTransition(one, [...place, index], scope))] as const];
  });
  return Object.fromEntries(handlers);
}

function checkTarget(target: string, path: SourcePath, scope: LoweringScope): void {
  if (target === 'stop' || scope.names.states.has(target)) return;
  scope.report.error('STATE_UNKNOWN', `There is no state named "${target}".`, {
    path,
    hint: nameHint(target, [...new Set([...scope.names.states, 'stop'])]),
  });
}
