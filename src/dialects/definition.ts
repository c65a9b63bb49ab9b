import { calledWorkflows, checkCalls } from '../core/call-graph.ts';
import type { Problem } from '../core/fault.ts';
import { parsedCallsIn } from '../core/names-read.ts';
import type { Definition, Role } from '../core/role.ts';
import { validateWorkflow } from '../core/validate.ts';
import type { Workflow } from '../core/workflow.ts';
import { checked, refused, type Checked } from './source/checked.ts';
import { nameHint } from './source/closest-name.ts';
import { checkTurns } from './check-turns.ts';
import type { PlacedAgent } from './source/placed-agent.ts';

type Roles = Readonly<Record<string, Role>>;

/**
 * All that a run of `main` needs and nothing else: the workflows it may call and the roles that take part.
 * Of workflows with the same name the last one counts, so a project's own come after the shipped ones.
 */
export function buildDefinition(main: string, workflows: Iterable<Workflow>, roles: Roles): Checked<Definition> {
  const library = new Map([...workflows].map((workflow) => [workflow.name, workflow]));
  const workflow = library.get(main);
  if (workflow === undefined) return refused([unknownWorkflow(main, [...library.keys()])]);
  const reached = calledWorkflows(workflow, library);
  const problems = [
    ...reached.flatMap((one) => validateWorkflow(one)),
    ...checkCalls(workflow, library),
    ...reached.flatMap((one) => [
      ...checkRoles(one, roles),
      ...checkParsingTools(one, roles),
      ...checkTurns(one, roles),
      ...checkFollowups(one, roles),
    ]),
  ];
  const used = withSubAgents(
    reached.flatMap((one) => one.agents.map((agent) => agent.role)),
    roles,
  );
  return checked(
    {
      workflow,
      library: Object.fromEntries(reached.slice(1).map((one) => [one.name, one])),
      roles: Object.fromEntries(Object.entries(roles).filter(([name]) => used.has(name))),
    },
    problems,
  );
}

/** Roles that take part, and those that they may start sub-agents of. */
function withSubAgents(first: readonly string[], roles: Roles): ReadonlySet<string> {
  const used = new Set(first);
  // A set gives what is added while it is gone through, too.
  for (const name of used) for (const below of roles[name]?.tasks ?? []) used.add(below);
  return used;
}

function unknownWorkflow(name: string, known: readonly string[]): Problem {
  const hint = nameHint(name, known);
  return {
    code: 'WORKFLOW_UNKNOWN',
    message: `There is no workflow named "${name}".`,
    severity: 'error',
    ...(hint === undefined ? {} : { hint }),
  };
}

function checkRoles(workflow: Workflow, roles: Roles): readonly Problem[] {
  return workflow.agents.flatMap((agent: PlacedAgent): readonly Problem[] => {
    if (Object.hasOwn(roles, agent.role)) return [];
    const hint = nameHint(agent.role, Object.keys(roles));
    return [
      {
        code: 'ROLE_UNKNOWN',
        message: `There is no role named "${agent.role}".`,
        severity: 'error',
        ...(workflow.file === undefined ? {} : { file: workflow.file }),
        ...(agent.at === undefined ? {} : { at: agent.at }),
        path: `agents.${agent.name}`,
        ...(hint === undefined ? {} : { hint }),
      },
    ];
  });
}

/** Who may be asked for must exist, else the wish could never be granted. */
function checkFollowups(workflow: Workflow, roles: Roles): readonly Problem[] {
  return workflow.agents.flatMap((agent: PlacedAgent) =>
    (roles[agent.role]?.followups ?? [])
      .filter((name) => !Object.hasOwn(roles, name))
      .map((name): Problem => {
        const hint = nameHint(name, Object.keys(roles));
        return {
          code: 'ROLE_UNKNOWN',
          message: `The role "${agent.role}" may ask for "${name}", but there is no role of that name.`,
          severity: 'error',
          ...(workflow.file === undefined ? {} : { file: workflow.file }),
          ...(agent.at === undefined ? {} : { at: agent.at }),
          path: `roles.${agent.role}.followups`,
          ...(hint === undefined ? {} : { hint }),
        };
      }),
  );
}

/** A condition on a structured reply that no agent of the workflow can give never holds. */
function checkParsingTools(workflow: Workflow, roles: Roles): readonly Problem[] {
  const known = workflow.agents.flatMap((agent) => roles[agent.role]?.parsingTools.map((tool) => tool.name) ?? []);
  // A role that is missing is told already, and may be the one with the tool.
  if (workflow.agents.some((agent) => !Object.hasOwn(roles, agent.role))) return [];
  return parsedCallsIn(workflow)
    .filter((read) => !known.includes(read.name))
    .map((read): Problem => {
      const hint = nameHint(read.name, known);
      return {
        code: 'TOOL_UNKNOWN',
        message: `function.${read.name} is read, but no agent here has a parsing tool of that name.`,
        severity: 'warning',
        ...(workflow.file === undefined ? {} : { file: workflow.file }),
        ...(read.at === undefined ? {} : { at: read.at }),
        path: read.path,
        ...(hint === undefined ? {} : { hint }),
      };
    });
}
