import type { ProblemCode } from '../codes/problem-codes.ts';
import type { Position, Problem } from '../model/fault.ts';
import { toProblem } from '../model/finding.ts';
import type { UnitWork, Work, Workflow } from '../model/workflow.ts';

/** One place where a workflow calls another. */
export interface CallSite {
  readonly state: string;
  readonly workflow: string;
  readonly inputs: readonly string[];
  readonly at?: Position;
}

/** Every call of a workflow, also those made by the units of a pool. */
export function callSites(workflow: Workflow): readonly CallSite[] {
  return Object.values(workflow.states).flatMap((state) => {
    if (state.kind === 'end') return [];
    return callsIn(state.work).map((call) => ({
      state: state.name,
      workflow: call.workflow,
      inputs: Object.keys(call.input),
      ...(state.at === undefined ? {} : { at: state.at }),
    }));
  });
}

/** The names of all workflows that a run of `main` may start, itself first; undefined names are left out. */
export function calledWorkflows(main: Workflow, library: ReadonlyMap<string, Workflow>): readonly Workflow[] {
  const found = new Map<string, Workflow>([[main.name, main]]);
  for (const workflow of found.values()) {
    for (const site of callSites(workflow)) {
      const called = library.get(site.workflow);
      if (called !== undefined && !found.has(called.name)) found.set(called.name, called);
    }
  }
  return [...found.values()];
}

/** Mistakes in the calls that a run of `main` may make: unknown workflows, inputs that do not fit, recursion. */
export function checkCalls(main: Workflow, library: ReadonlyMap<string, Workflow>): readonly Problem[] {
  const reached = calledWorkflows(main, library);
  return [...reached.flatMap((workflow) => checkSites(workflow, library)), ...findRecursion(reached, library)];
}

/** The work of each state of a workflow. */
export const worksOf = ({ states }: Workflow): readonly Work[] =>
  Object.values(states).flatMap((state) => (state.kind === 'end' ? [] : [state.work]));

export function callsIn(work: Work | UnitWork): readonly Extract<Work, { kind: 'call' }>[] {
  if (work.kind === 'call') return [work];
  if (work.kind === 'choice') return Object.values(work.cases).flatMap(callsIn);
  if (work.kind !== 'pool') return [];
  return work.units.kind === 'fixed' ? work.units.list.flatMap((unit) => callsIn(unit.work)) : callsIn(work.units.work);
}

function checkSites(workflow: Workflow, library: ReadonlyMap<string, Workflow>): readonly Problem[] {
  return callSites(workflow).flatMap((site) => {
    const called = library.get(site.workflow);
    if (called === undefined) {
      return [problem(workflow, site, ['WORKFLOW_UNKNOWN', `There is no workflow named "${site.workflow}".`])];
    }
    const known = new Set(called.inputs.map((input) => input.name));
    const unknown = site.inputs.filter((name) => !known.has(name));
    const missing = called.inputs.filter((input) => input.required && !site.inputs.includes(input.name));
    return [
      ...unknown.map((name) => problem(workflow, site, ['INPUT_UNKNOWN', `"${called.name}" has no input "${name}".`])),
      ...missing.map(({ name }) =>
        problem(workflow, site, ['INPUT_MISSING', `"${called.name}" needs the input "${name}".`]),
      ),
    ];
  });
}

/** Each cycle of calls once, starting at the workflow in it that a run reaches first. */
function findRecursion(reached: readonly Workflow[], library: ReadonlyMap<string, Workflow>): readonly Problem[] {
  const reported = new Set<string>();
  return reached.flatMap((workflow) => {
    if (reported.has(workflow.name)) return [];
    const circle = circleThrough(workflow, library);
    if (circle === null) return [];
    for (const { from } of circle) reported.add(from.name);
    const names = [...circle.map(({ from }) => from.name), workflow.name];
    const site = circle[0]?.site;
    return [
      problem(workflow, site, [
        'WORKFLOW_RECURSION',
        `A workflow may not call itself, but ${names.join(' calls ')}.`,
        'Loop with a transition instead, or move the repeated part into a workflow that does not call back.',
      ]),
    ];
  });
}

interface Hop {
  readonly from: Workflow;
  readonly site: CallSite;
}

/** The shortest path of calls from a workflow back to itself. */
function circleThrough(start: Workflow, library: ReadonlyMap<string, Workflow>): readonly Hop[] | null {
  const ways = new Map<string, readonly Hop[]>([[start.name, []]]);
  for (const [name, way] of ways) {
    const from = name === start.name ? start : library.get(name);
    for (const site of from === undefined ? [] : callSites(from)) {
      const longer = from === undefined ? way : [...way, { from, site }];
      if (site.workflow === start.name) return longer;
      if (!ways.has(site.workflow)) ways.set(site.workflow, longer);
    }
  }
  return null;
}

function problem(
  workflow: Workflow,
  site: CallSite | undefined,
  [code, message, hint]: readonly [ProblemCode, string, string?],
): Problem {
  const path = site === undefined ? 'states' : `states.${site.state}`;
  return toProblem(workflow, { code, message, path, at: site?.at, ...(hint === undefined ? {} : { hint }) });
}
