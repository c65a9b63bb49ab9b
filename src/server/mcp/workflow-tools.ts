import { z } from 'zod';
import { type Json, type JsonObject, parseJson } from '../../core/model/json.ts';
import { ORDERS } from '../../protocol/operations/acts.ts';
import { PROJECT } from '../../protocol/operations/project.ts';
import type { InputField, WorkflowLine } from '../../protocol/web/workflow-page.ts';
import type { Operations } from '../operations.ts';
import { defineMcpTool, type McpTool } from './mcp-tool.ts';
import { runReport } from './run-report.ts';
import type { RunWatch } from './run-watch.ts';

/** Tools that list and start workflows. */
export function workflowTools(operations: Operations, watch: RunWatch): readonly McpTool[] {
  return [listWorkflows(operations), startRun(operations, watch)];
}

const inputSchema = z.record(z.string(), z.unknown()).describe('JSON Schema of what start_run takes as `input`');

const listWorkflows = (operations: Operations): McpTool =>
  defineMcpTool({
    name: 'list_workflows',
    title: 'List workflows',
    description: 'The workflows that can be run in this project, what each is for, and which input it takes.',
    input: PROJECT.workflows.request,
    output: z.object({
      project: z.string(),
      workflows: z.array(
        z.object({
          name: z.string(),
          description: z.string(),
          origin: z.enum(['project', 'shipped']),
          inputSchema,
        }),
      ),
    }),
    isLook: true,
    run: async () => {
      const lines = await operations.workflows(operations.project);
      const workflows = lines.map((line) => ({
        name: line.name,
        description: line.description,
        origin: line.origin,
        inputSchema: schemaOf(line.inputs),
      }));
      return { value: { project: operations.project, workflows } };
    },
  });

function schemaOf(fields: readonly InputField[]): Record<string, unknown> {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, propertyOf(field)])),
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}

function propertyOf({ type, description, default: given }: InputField): JsonObject {
  return {
    ...(type === 'any' ? {} : { type }),
    ...(description === '' ? {} : { description }),
    ...(given === null ? {} : { default: type === 'string' ? given : parseJson(given, given) }),
  };
}

const startInput = ORDERS.start.far.extend({
  workflow: z.string().min(1).max(1000).describe('A name from list_workflows, or a workflow file with #name'),
  input: z
    .record(
      z.string().regex(/^[^=\s][^=]*$/),
      z.custom<Json>(() => true),
    )
    .default({})
    .describe('As its inputSchema in list_workflows says'),
});

const startRun = (operations: Operations, watch: RunWatch): McpTool =>
  defineMcpTool({
    name: 'start_run',
    title: 'Start a run',
    description: async () => startText(await operations.workflows(operations.project).catch(() => [])),
    input: startInput,
    output: runReport,
    isLook: false,
    run: async (given, { caller }) => {
      const who = { by: caller, via: 'mcp', folder: operations.project } as const;
      const { run } = ORDERS.start.answer.parse(await operations.act({ kind: 'start', ...given }, who));
      return { value: await watch.report(run) };
    },
  });

/** With what can be run here, which saves the caller a question. */
function startText(lines: readonly WorkflowLine[]): string {
  const names = lines.slice(0, MOST_NAMES).map(({ name }) => name);
  const here = names.length === 0 ? '' : ` Here there are: ${names.join(', ')}.`;
  return `Starts a workflow and returns at once with the id of the run, which continues in the background, even after the caller is gone. Then: wait_run.${here}`;
}

const MOST_NAMES = 40;
