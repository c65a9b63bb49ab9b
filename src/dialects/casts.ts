import type { Problem } from '../core/fault.ts';
import type { Cast, Workflow } from '../core/workflow.ts';
import { AGENT_MODES } from './agent-types/agent-mode.ts';
import { roleHint, wordFor } from './check-roles.ts';
import { changeInMode } from './agent-types/change-in-mode.ts';
import type { PlacedRole } from './roles/placed-role.ts';
import { nameHint } from './source/closest-name.ts';
import type { PlacedAgent } from './source/placed-agent.ts';

type Roles = Readonly<Record<string, PlacedRole>>;

/** The roles of the project and those that workflows make from them. A role that nobody has is told where it is needed. */
export function withCasts(
  roles: Roles,
  workflows: readonly Workflow[],
): { readonly roles: Roles; readonly problems: readonly Problem[] } {
  const casts = workflows.flatMap((workflow) =>
    Object.entries(workflow.casts ?? {}).map(([name, cast]) => ({ workflow, name, cast })),
  );
  const made = casts.map(({ name, cast }) => [name, { ...castOf(roles, cast), name }] as const);
  return { roles: { ...roles, ...Object.fromEntries(made) }, problems: casts.flatMap((one) => problemsIn(one, roles)) };
}

interface NamedCast {
  readonly workflow: Workflow;
  readonly name: string;
  readonly cast: Cast;
}

function castOf(roles: Roles, { of, change, agentMode, networkOf = '' }: Cast): PlacedRole {
  const base = (Object.hasOwn(roles, of) ? roles[of] : undefined) ?? NOBODY;
  const mode = AGENT_MODES.find((known) => known === agentMode);
  const network = base.network ?? (Object.hasOwn(roles, networkOf) ? roles[networkOf]?.network : undefined);
  return {
    ...base,
    ...(network === undefined ? {} : { network }),
    ...(mode === undefined ? {} : changeInMode(base, mode)),
    ...change,
  };
}

function problemsIn(named: NamedCast, roles: Roles): readonly Problem[] {
  const { of, agentMode } = named.cast;
  const isKnown = agentMode === undefined || AGENT_MODES.some((known) => known === agentMode);
  return [
    ...(Object.hasOwn(roles, of) ? [] : [unknownBase(named, roles)]),
    ...(isKnown ? [] : [unknownMode(named, agentMode)]),
  ];
}

/** Stands in for a role that is missing, so that it is told once. */
const NOBODY: PlacedRole = {
  name: '',
  level: 'base',
  systemMessage: '',
  examples: [],
  excludedTools: [],
  includedTools: null,
  parsingTools: [],
};

function unknownMode(cast: NamedCast, mode: string): Problem {
  const hint = nameHint(mode, AGENT_MODES);
  return {
    code: 'MODE_UNKNOWN',
    message: `There is no mode named "${mode}".`,
    severity: 'error',
    ...placeOf(cast),
    path: `casts.${cast.name}`,
    ...(hint === undefined ? {} : { hint }),
  };
}

function unknownBase(cast: NamedCast, roles: Roles): Problem {
  const { of } = cast.cast;
  const hint = roleHint(cast.workflow, of, roles);
  return {
    code: 'ROLE_UNKNOWN',
    message: `There is no ${wordFor(cast.workflow)} named "${of}".`,
    severity: 'error',
    ...placeOf(cast),
    path: `casts.${of}`,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** A cast stands where the agent is that plays it. */
function placeOf({ workflow, name }: NamedCast): Pick<Problem, 'file' | 'at'> {
  const agents: readonly PlacedAgent[] = workflow.agents;
  const at = agents.find(({ role }) => role === name)?.at;
  return { ...(workflow.file === undefined ? {} : { file: workflow.file }), ...(at === undefined ? {} : { at }) };
}
