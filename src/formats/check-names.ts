import type { ProblemCode } from '../core/codes/problem-codes.ts';
import type { Problem } from '../core/model/fault.ts';
import { isJsonObject } from '../core/model/json.ts';
import { argumentsReadIn, dataReadIn, dataSetIn, type NameRead, parsedCallsIn } from '../core/evaluate/names-read.ts';
import type { ParsingTool, Role } from '../core/model/role.ts';
import type { TurnWork, Work, Workflow } from '../core/model/workflow.ts';
import { SIGNAL_TOOL } from '../core/model/signal.ts';
import { nameHint } from '../source/closest-name.ts';
import { problemIn } from '../source/defined.ts';
import { isBeyond } from '../source/agent-types/agent-mode.ts';
import { SHIPPED_TOOLS } from '../source/roles/placed-role.ts';
import type { PlacedAgent } from '../source/model-parts.ts';

type Roles = Readonly<Record<string, Role>>;

/** Names that conditions, inputs and scripts read and that nothing in the workflow gives: most are misspelt. */
export function checkNamesRead(workflow: Workflow, roles: Roles): readonly Problem[] {
  return [...checkReplies(workflow, roles), ...checkData(workflow)];
}

/** A condition on a structured reply that no agent of the workflow can give never holds. */
function checkReplies(workflow: Workflow, roles: Roles): readonly Problem[] {
  // A role that is missing is reported already, and may be the one with the tool.
  if (workflow.agents.some((agent) => !Object.hasOwn(roles, agent.role))) return [];
  const tools = workflow.agents.flatMap((agent) => roles[agent.role]?.parsingTools ?? []);
  const names = tools.map((tool) => tool.name);
  return [
    ...parsedCallsIn(workflow)
      .filter((read) => !names.includes(read.name))
      .map((read) => {
        const message = `function.${read.name} is read, but no agent here has a parsing tool of that name.`;
        return warning(workflow, read, { code: 'TOOL_UNKNOWN', message, names });
      }),
    ...argumentsReadIn(workflow).flatMap((read) => checkArgument(workflow, read, tools)),
  ];
}

function checkArgument(
  workflow: Workflow,
  read: NameRead & { readonly tool: string },
  tools: readonly ParsingTool[],
): readonly Problem[] {
  const schemas = tools.filter((tool) => tool.name === read.tool).map((tool) => tool.parameters['properties']);
  const names = schemas.flatMap((properties) => (isJsonObject(properties) ? Object.keys(properties) : []));
  // A tool that declares no argument takes any.
  if (names.length === 0 || names.includes(read.name)) return [];
  const message = `function.${read.tool}.arguments.${read.name} is read, but "${read.tool}" has no argument of that name.`;
  return [warning(workflow, read, { code: 'ARGUMENT_UNKNOWN', message, names })];
}

function checkData(workflow: Workflow): readonly Problem[] {
  const set = dataSetIn(workflow);
  if (set === null) return [];
  const names = [...set];
  const unknown = dataReadIn(workflow).filter((read) => !set.has(read.name));
  const { output } = workflow;
  const end = Object.values(workflow.states).find((state) => state.kind === 'end' && state.output === null);
  const isMissing = output !== null && end !== undefined && !set.has(output.name);
  return [
    ...unknown.map((read) => {
      const message = `common_data.${read.name} is read, but nothing sets it.`;
      return warning(workflow, read, { code: 'DATA_NEVER_SET', message, names });
    }),
    ...(isMissing ? [warning(workflow, { path: 'output', at: end.at }, neverSet(output.name, names))] : []),
  ];
}

const neverSet = (name: string, names: readonly string[]): Found => ({
  code: 'OUTPUT_NEVER_SET',
  message: `The output "${name}" is declared, but nothing sets common_data.${name}.`,
  names,
});

interface Found {
  readonly code: ProblemCode;
  readonly message: string;
  /** Similar names to suggest. */
  readonly names: readonly string[];
}

function warning(workflow: Workflow, read: Pick<NameRead, 'path' | 'at'> & Partial<NameRead>, found: Found): Problem {
  const hint = nameHint(read.name ?? workflow.output?.name ?? '', found.names);
  const { code, message } = found;
  return problemIn(workflow, read.at, { code, message, severity: 'warning', path: read.path, hint });
}

/** Tools in a role's prompt that its agent is not offered in this workflow (A3): a model would call them without effect. */
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

/** The tools that an agent of the role can call in its turns. */
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

function problem(workflow: Workflow, agent: PlacedAgent, { name, replies }: Named): Problem {
  const instead = replies.length === 0 ? 'no structured reply' : replies.join(', ');
  return problemIn(workflow, agent.at, {
    code: 'PROMPT_TOOL_UNKNOWN',
    message: `The prompt of "${agent.name}" names the tool "${name}", which this agent does not have in ${workflow.name}.`,
    severity: 'warning',
    path: `agents.${agent.name}`,
    hint: `Take the name out of the role's prompt, or give the role the tool. It hands in with: ${instead}.`,
  });
}
