import { calledWorkflows, checkCalls } from '../core/check/call-graph.ts';
import type { Problem } from '../core/model/fault.ts';
import type { Definition } from '../core/model/definition.ts';
import { subAgentsOf } from '../core/model/sub-agent.ts';
import { validateWorkflow } from '../core/check/validate.ts';
import type { Workflow } from '../core/model/workflow.ts';
import { checkAgentRoles, checkNamedRoles, withCasts, withSubAgents } from './check-roles.ts';
import { checkNamesRead, checkToolNames } from './check-names.ts';
import { checkChanges, checkOwed, checkTurns } from './check-turns.ts';
import { withoutPlaces, type PlacedRole } from '../source/roles/placed-role.ts';
import { checked, refusedSource, type Checked } from '../source/checked.ts';
import { nameHint } from '../source/closest-name.ts';
import { problemIn } from '../source/defined.ts';
import { withRoles } from './families.ts';

type Roles = Readonly<Record<string, PlacedRole>>;

/**
 * All that a run of `main` needs and nothing else: the workflows it may call and the roles that take part.
 * Of workflows with the same name the last one counts, so a project's own come after the shipped ones.
 */
export const buildDefinition: Build = (main, workflows, known) =>
  built(main, workflows, {
    known,
    check: (reached, roles) => [
      ...reached.flatMap((one) => validateWorkflow(one)),
      ...reached.flatMap((one) => checkNamesRead(one, roles)),
      ...reached.flatMap((one) => checkOwed(one, roles)),
      ...reached.flatMap((one) => [...checkTurns(one, roles), ...checkChanges(one, roles)]),
      ...reached.flatMap((one) => checkToolNames(one, roles)),
    ],
  });

/** The same for workflows that could be read only in part: checks that their names exist, but not the whole. */
export const draftDefinition: Build = (main, workflows, known) => built(main, workflows, { known, check: () => [] });

export type Build = (main: string, workflows: Iterable<Workflow>, roles: Roles) => Checked<Definition>;

interface Building {
  readonly known: Roles;
  /** Further checks besides names. */
  readonly check: (reached: readonly Workflow[], roles: Roles) => readonly Problem[];
}

function built(main: string, workflows: Iterable<Workflow>, { known, check }: Building): Checked<Definition> {
  const library = new Map(withRoles(workflows, known).map((workflow) => [workflow.name, workflow]));
  const workflow = library.get(main);
  if (workflow === undefined) return refusedSource([unknownWorkflow(main, [...library.keys()])]);
  const reached = calledWorkflows(workflow, library);
  const { roles, problems: miscast } = withCasts(known, reached);
  const used = withSubAgents(
    reached.flatMap((one) => one.agents.map((agent) => agent.role)),
    roles,
  );
  const problems = [
    ...miscast,
    ...check(reached, roles),
    ...checkCalls(workflow, library),
    ...reached.flatMap((one) => checkAgentRoles(one, roles)),
    ...checkNamedRoles(used, roles, reached),
  ];
  const taking = Object.entries(roles).filter(([name]) => used.has(name));
  const named = (role: PlacedRole) => (role.tasks === undefined ? {} : { tasks: subAgentsOf(role, roles) });
  return checked(
    {
      workflow,
      library: Object.fromEntries(reached.slice(1).map((one) => [one.name, one])),
      roles: Object.fromEntries(taking.map(([name, role]) => [name, { ...withoutPlaces(role), ...named(role) }])),
    },
    problems,
  );
}

function unknownWorkflow(name: string, known: readonly string[]): Problem {
  const message = `There is no workflow named "${name}".`;
  return problemIn({}, undefined, { code: 'WORKFLOW_UNKNOWN', message, hint: nameHint(name, known) });
}
