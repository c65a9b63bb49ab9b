import type { Problem } from '../core/fault.ts';
import { isJsonObject } from '../core/json.ts';
import { argumentsReadIn, dataReadIn, dataSetIn, parsedCallsIn, type NameRead } from '../core/names-read.ts';
import type { ParsingTool, Role } from '../core/role.ts';
import type { Workflow } from '../core/workflow.ts';
import { nameHint } from './source/closest-name.ts';

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
    ...(isMissing
      ? [
          warning(
            workflow,
            { path: 'output', at: end.at },
            {
              code: 'OUTPUT_NEVER_SET',
              message: `The output "${output.name}" is declared, but nothing sets common_data.${output.name}.`,
              names,
            },
          ),
        ]
      : []),
  ];
}

interface Found {
  readonly code: string;
  readonly message: string;
  /** What could have been meant. */
  readonly names: readonly string[];
}

function warning(workflow: Workflow, read: Pick<NameRead, 'path' | 'at'> & Partial<NameRead>, found: Found): Problem {
  const hint = nameHint(read.name ?? workflow.output?.name ?? '', found.names);
  return {
    code: found.code,
    message: found.message,
    severity: 'warning',
    ...(workflow.file === undefined ? {} : { file: workflow.file }),
    ...(read.at === undefined ? {} : { at: read.at }),
    path: read.path,
    ...(hint === undefined ? {} : { hint }),
  };
}
