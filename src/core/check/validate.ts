import type { ProblemCode } from '../codes/problem-codes.ts';
import type { Problem } from '../model/fault.ts';
import { toProblem, type Finding } from '../model/finding.ts';
import { validateNamesRead } from '../evaluate/names-read.ts';
import { openTransitions, reachableStates, statesThatCanEnd, transitionLists } from './reachability.ts';
import { NO_PLACE, validateReservedNames, type PlaceOf } from '../evaluate/reserved-names.ts';
import { validateWork } from './validate-work.ts';
import { validateWorkspaces } from './validate-workspaces.ts';
import type { State, Transition, Workflow, WorkState } from '../model/workflow.ts';

/** Mistakes in a workflow's graph and names, whichever format it was written in. A workflow with errors cannot run. */
export function validateWorkflow(workflow: Workflow, placeOf: PlaceOf = NO_PLACE): readonly Problem[] {
  const findings = [
    ...validateReservedNames(workflow, placeOf),
    ...validateNames(workflow),
    ...validateLimits(workflow),
    ...validateWorkspaces(workflow, placeOf),
    ...Object.values(workflow.states).flatMap((state) => validateState(workflow, state)),
    ...validateReach(workflow),
    ...validateNamesRead(workflow),
  ];
  return findings.map((finding) => toProblem(workflow, finding));
}

function validateNames(workflow: Workflow): readonly Finding[] {
  const contexts = workflow.contexts.map((context) => context.name);
  const agents = workflow.agents.map((agent) => agent.name);
  return [
    ...repeated(contexts).map((name) => twice('CONTEXT_DUPLICATE', 'contexts', name)),
    ...repeated(agents).map((name) => twice('AGENT_DUPLICATE', 'agents', name)),
    ...repeated(workflow.inputs.map((input) => input.name)).map((name) => twice('INPUT_DUPLICATE', 'inputs', name)),
    ...workflow.agents
      .filter((agent) => !contexts.includes(agent.context))
      .map((agent) => ({
        code: 'CONTEXT_UNKNOWN' as const,
        message: `The agent "${agent.name}" speaks in the context "${agent.context}", which does not exist.`,
        path: `agents.${agent.name}`,
      })),
  ];
}

const twice = (code: ProblemCode, list: string, name: string): Finding => ({
  code,
  message: `The name "${name}" occurs twice in ${list}.`,
  path: `${list}.${name}`,
});

function repeated(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return [...new Set(names.filter((name) => seen.size === seen.add(name).size))];
}

function validateLimits({ limits }: Workflow): readonly Finding[] {
  return Object.entries(limits)
    .filter(([name, value]) => !isLimit(name, value as unknown))
    .map(([name, value]) => ({
      code: 'LIMIT_INVALID',
      message: `The limit "${name}" must be a number above 0; it is ${String(value)}.`,
      path: `limits.${name}`,
    }));
}

function isLimit(name: string, value: unknown): boolean {
  if (typeof value !== 'number' || !(value > 0) || !Number.isFinite(value)) return false;
  return name === 'usd' || Number.isInteger(value);
}

function validateState(workflow: Workflow, state: State): readonly Finding[] {
  if (state.kind === 'end') return [];
  const path = `states.${state.name}`;
  return [
    ...transitionLists(state).flatMap(([outcome, transitions]) =>
      validateTransitions(workflow, transitions, { state, path: outcome === 'ok' ? path : `${path}.on.${outcome}` }),
    ),
    ...validateDeadEnd(state, path),
    ...validateTimes(state, path),
    ...validateWork(workflow, state),
  ];
}

function validateTransitions(
  workflow: Workflow,
  transitions: readonly Transition[],
  { state, path }: { readonly state: WorkState; readonly path: string },
): readonly Finding[] {
  const open = new Set(openTransitions(transitions));
  return transitions.flatMap((transition, index): readonly Finding[] => {
    const where = { path: `${path}.transitions[${index}]`, at: transition.at ?? state.at };
    if (!Object.hasOwn(workflow.states, transition.target)) {
      return [{ code: 'STATE_UNKNOWN', message: `There is no state named "${transition.target}".`, ...where }];
    }
    if (open.has(index)) return [];
    return [
      {
        code: 'TRANSITION_NEVER_TAKEN',
        message: `The transition to "${transition.target}" can never be taken.`,
        severity: 'warning',
        hint: 'Transitions are tried in order and one before it always holds, or its own condition never does.',
        ...where,
      },
    ];
  });
}

function validateDeadEnd(state: WorkState, path: string): readonly Finding[] {
  const findings: Finding[] = [];
  if (state.transitions.length === 0) {
    findings.push({
      code: 'DEAD_END',
      message: `The state "${state.name}" has no transition, so a run that reaches it cannot continue.`,
      path,
      at: state.at,
      hint: 'Give it a transition, or make it an end.',
    });
  }
  if (state.on.ok !== undefined) {
    findings.push({
      code: 'HANDLER_INVALID',
      message: `The state "${state.name}" handles the outcome "ok" twice.`,
      path: `${path}.on.ok`,
      at: state.at,
      hint: 'Write what follows "ok" as transitions.',
    });
  }
  return findings;
}

function validateTimes(state: WorkState, path: string): readonly Finding[] {
  const { timeoutMs } = state;
  if (timeoutMs === null || (Number.isFinite(timeoutMs) && timeoutMs > 0)) return [];
  const message = `The timeout of the state "${state.name}" must be above 0; it is ${timeoutMs}.`;
  return [{ code: 'LIMIT_INVALID', message, path: `${path}.timeoutMs`, at: state.at }];
}

function validateReach(workflow: Workflow): readonly Finding[] {
  if (!Object.hasOwn(workflow.states, workflow.start)) {
    return [
      { code: 'START_MISSING', message: `There is no state named "${workflow.start}" to start in.`, path: 'start' },
    ];
  }
  const reachable = reachableStates(workflow);
  const canEnd = statesThatCanEnd(workflow);
  if (!canEnd.has(workflow.start)) {
    return [
      {
        code: 'UNREACHABLE_STOP',
        message: 'No path leads from the start to an end, so no run of this workflow can finish.',
        path: `states.${workflow.start}`,
        at: workflow.states[workflow.start]?.at,
        hint: 'Add a transition to the state that ends the run.',
      },
    ];
  }
  return Object.values(workflow.states).flatMap((state) => validateStateReach(state, reachable, canEnd));
}

function validateStateReach(
  state: State,
  reachable: ReadonlySet<string>,
  canEnd: ReadonlySet<string>,
): readonly Finding[] {
  const where = { severity: 'warning', path: `states.${state.name}`, at: state.at } as const;
  if (!reachable.has(state.name)) {
    return [{ code: 'UNREACHABLE_STATE', message: `No transition leads to the state "${state.name}".`, ...where }];
  }
  if (canEnd.has(state.name) || (state.kind === 'work' && state.transitions.length === 0)) return [];
  return [
    {
      code: 'NO_WAY_TO_END',
      message: `A run that reaches the state "${state.name}" can only end by a limit or a failure.`,
      ...where,
    },
  ];
}
