import type { Problem } from '../core/fault.ts';
import type { Role } from '../core/role.ts';
import { SIGNAL_TOOL } from '../core/signal.ts';
import type { TurnWork, Work, Workflow } from '../core/workflow.ts';
import { isBeyond } from './agent-types/agent-mode.ts';
import { SHIPPED_TOOLS } from './roles/shipped-tools.ts';
import type { PlacedAgent } from './source/placed-agent.ts';

type Roles = Readonly<Record<string, Role>>;

/** Tools that a role's prompt names and that its agent is not offered in this workflow (A3): a model would call them in vain. */
export function checkToolNames(workflow: Workflow, roles: Roles): readonly Problem[] {
  const known = knownTools(roles);
  return workflow.agents.flatMap((agent) => {
    const role = Object.hasOwn(roles, agent.role) ? roles[agent.role] : undefined;
    if (role === undefined) return [];
    const offered = offeredTools(role, turnsOf(workflow, agent.name));
    return toolsNamed(role.systemMessage, known)
      .filter((name) => !offered.has(name))
      .map((name) => problem(workflow, agent, { name, replies: role.parsingTools.map((tool) => tool.name) }));
  });
}

const TURN_TOOLS = ['submit_output', 'report_progress'];

/** Every name that could be taken for a tool: those of Troupe and the structured replies of all roles. */
export const knownTools = (roles: Roles): readonly string[] => [
  ...new Set([
    ...SHIPPED_TOOLS,
    ...TURN_TOOLS,
    SIGNAL_TOOL,
    ...Object.values(roles).flatMap(({ parsingTools }) => parsingTools.map(({ name }) => name)),
  ]),
];

/** A name with an underscore is no English word; any other counts only in backticks. */
export function toolsNamed(text: string, known: readonly string[]): readonly string[] {
  const words = new Set(text.match(/[\w-]+/g));
  return known.filter((name) => text.includes(`\`${name}\``) || (name.includes('_') && words.has(name)));
}

/** What an agent of the role can call in its turns. */
export function offeredTools(role: Role, turns: readonly TurnWork[]): ReadonlySet<string> {
  const { mode = 'write', includedTools, excludedTools, parsingTools, reportsProgress } = role;
  const shipped = SHIPPED_TOOLS.filter(
    (name) =>
      !isBeyond(mode, name) &&
      !excludedTools.includes(name) &&
      (includedTools === null || includedTools.includes(name)),
  );
  const owes = turns.some(({ outputs }) => outputs !== undefined);
  return new Set([
    ...shipped,
    ...parsingTools.map(({ name }) => name),
    ...(owes ? TURN_TOOLS : reportsProgress === true ? ['report_progress'] : []),
  ]);
}

function turnsOf({ states }: Workflow, agent: string): readonly TurnWork[] {
  const works = Object.values(states).flatMap((state) => (state.kind === 'end' ? [] : worksIn(state.work)));
  return works.filter((work): work is TurnWork => work.kind === 'turn' && work.agent === agent);
}

function worksIn(work: Work): readonly Work[] {
  if (work.kind === 'choice') return Object.values(work.cases);
  if (work.kind !== 'pool') return [work];
  const { units } = work;
  return units.kind === 'items' ? worksIn(units.work) : units.list.flatMap((unit) => worksIn(unit.work));
}

interface Named {
  readonly name: string;
  readonly replies: readonly string[];
}

function problem({ name: workflow, file }: Workflow, agent: PlacedAgent, { name, replies }: Named): Problem {
  const instead = replies.length === 0 ? 'no structured reply' : replies.join(', ');
  return {
    code: 'PROMPT_TOOL_UNKNOWN',
    message: `The prompt of "${agent.name}" names the tool "${name}", which this agent does not have in ${workflow}.`,
    severity: 'warning',
    ...(file === undefined ? {} : { file }),
    ...(agent.at === undefined ? {} : { at: agent.at }),
    path: `agents.${agent.name}`,
    hint: `Take the name out of the role's prompt, or give the role the tool. It hands in with: ${instead}.`,
  };
}
