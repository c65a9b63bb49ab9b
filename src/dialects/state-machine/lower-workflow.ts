import type { JsonObject } from '../../core/json.ts';
import { DEFAULT_LIMITS, type Limits, type Parameter, type State, type Workflow } from '../../core/workflow.ts';
import type { SourcePath } from '../source/source-path.ts';
import type { ProblemReport } from '../source/problem-report.ts';
import { lowerAgents, lowerContexts } from './lower-cast.ts';
import { lowerState } from './lower-state.ts';
import type { Names, WorkflowParts } from './workflow-parts.ts';
import type { InputDocument } from './workflow-schema.ts';

/** What every step of the lowering needs: where to tell problems, where it stands in the file, which names exist. */
export interface LoweringScope {
  readonly report: ProblemReport;
  readonly base: SourcePath;
  readonly names: Names;
  readonly trimmed: WorkflowParts['trimmed'];
}

/** The document's words become the model's. Goes on after a problem; what it returns counts only without errors. */
export function lowerWorkflow(parts: WorkflowParts, place: Omit<LoweringScope, 'names' | 'trimmed'>): Workflow {
  const { header } = parts;
  const scope: LoweringScope = { ...place, names: parts.names, trimmed: parts.trimmed };
  const { output } = header;
  return {
    name: header.workflow_name ?? '',
    description: header.description ?? '',
    dialect: 'state-machine',
    inputs: lowerInputs(parts, scope),
    output: output === undefined ? null : { name: output.name, type: output.type },
    data: lowerData(parts, scope),
    contexts: lowerContexts(parts, scope),
    agents: lowerAgents(parts, scope),
    start: 'start',
    states: lowerStates(parts, scope),
    limits: lowerLimits(parts, scope),
    ...(header.on_failure === undefined ? {} : { onFailure: header.on_failure }),
    file: scope.report.origin.file,
  };
}

/** One input as the founding document has it, or several. */
function lowerInputs({ header }: WorkflowParts, scope: LoweringScope): readonly Parameter[] {
  const { input, inputs } = header;
  if (input !== undefined && inputs !== undefined) {
    scope.report.error('INPUT_CONFLICT', 'A workflow has either "input" or "inputs", not both.', {
      path: [...scope.base, 'inputs'],
      part: 'key',
    });
  }
  return givenInputs(header).map(({ name, type, description = '', required = true }) => ({
    name,
    type,
    description,
    required,
  }));
}

const givenInputs = ({ input, inputs }: WorkflowParts['header']): readonly InputDocument[] =>
  inputs ?? (input === undefined ? [] : [input]);

/** A variable with the name of an input that must be given would hide what the run was started with. */
function lowerData({ header }: WorkflowParts, scope: LoweringScope): JsonObject {
  const data = { ...(header.variables as JsonObject | undefined) };
  for (const { name, required = true } of givenInputs(header)) {
    if (!required || !Object.hasOwn(data, name)) continue;
    delete data[name];
    scope.report.warning('VARIABLE_HIDDEN', `The variable "${name}" is also the input; the input is used.`, {
      path: [...scope.base, 'variables', name],
      part: 'key',
    });
  }
  return data;
}

function lowerLimits({ header }: WorkflowParts, scope: LoweringScope): Limits {
  const { limits } = header;
  return {
    iterations: lowerIterations(header.variables?.['max_iterations'], scope),
    toolRounds: limits?.tool_rounds ?? DEFAULT_LIMITS.toolRounds,
    ...(limits?.duration_s === undefined ? {} : { durationMs: Math.ceil(limits.duration_s * 1000) }),
    ...(limits?.tokens === undefined ? {} : { tokens: limits.tokens }),
    ...(limits?.usd === undefined ? {} : { usd: limits.usd }),
  };
}

function lowerIterations(given: unknown, scope: LoweringScope): number {
  if (given === undefined) return DEFAULT_LIMITS.iterations;
  if (typeof given === 'number' && Number.isSafeInteger(given) && given > 0) return given;
  scope.report.error(
    'LIMIT_INVALID',
    `"max_iterations" must be a whole number above 0; it is ${JSON.stringify(given)}.`,
    {
      path: [...scope.base, 'variables', 'max_iterations'],
      hint: 'It bounds how often any one state is entered; leave it out for 50.',
    },
  );
  return DEFAULT_LIMITS.iterations;
}

function lowerStates(parts: WorkflowParts, scope: LoweringScope): Readonly<Record<string, State>> {
  const states = new Map<string, State>();
  for (const [index, document] of (parts.states ?? []).entries()) {
    if (document === null) continue;
    const path = [...scope.base, 'states', index];
    if (states.has(document.name)) {
      scope.report.error('STATE_DUPLICATE', `Two states are named "${document.name}".`, { path: [...path, 'name'] });
    }
    states.set(document.name, lowerState(document, path, scope));
  }
  if (parts.states !== null && !parts.names.states.has('start')) {
    scope.report.error('START_MISSING', 'There is no state named "start".', {
      path: [...scope.base, 'states'],
      hint: 'The run begins in "start"; give one of the states that name.',
    });
  }
  // A file may go to "stop" without writing it down: it then ends with the workflow's output.
  if (!states.has('stop')) states.set('stop', { kind: 'end', name: 'stop', outcome: 'ok', output: null });
  return Object.fromEntries(states);
}
