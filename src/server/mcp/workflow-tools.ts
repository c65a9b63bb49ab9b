import { z } from 'zod';
import { Fault } from '../../core/fault.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { commandWords } from '../../protocol/web/action.ts';
import type { InputField, WorkflowLine } from '../../protocol/web/workflow-page.ts';
import type { Backstage } from '../backstage.ts';
import { defineMcpTool, type McpTool } from './mcp-tool.ts';
import { runReport } from './run-report.ts';
import type { RunWatch } from './run-watch.ts';

/** What can be run, and running it. */
export function workflowTools(backstage: Backstage, watch: RunWatch): readonly McpTool[] {
  return [listWorkflows(backstage), startRun(backstage, watch)];
}

const inputSchema = z.record(z.string(), z.unknown()).describe('JSON Schema of what start_run takes as `input`');

const listWorkflows = (backstage: Backstage): McpTool =>
  defineMcpTool({
    name: 'list_workflows',
    title: 'List workflows',
    description: 'The workflows that can be run in this project, what each is for, and which input it takes.',
    input: z.strictObject({}),
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
      const lines = await backstage.workflows(backstage.project);
      const workflows = lines.map((line) => ({
        name: line.name,
        description: line.description,
        origin: line.origin,
        inputSchema: schemaOf(line.inputs),
      }));
      return { value: { project: backstage.project, workflows } };
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
    ...(given === null ? {} : { default: type === 'string' ? given : valueIn(given) }),
  };
}

function valueIn(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

const json = z.custom<Json>(() => true);

const startInput = z.strictObject({
  workflow: z.string().min(1).max(1000).describe('A name from list_workflows, or a workflow file with #name'),
  input: z
    .record(z.string().regex(/^[^=\s][^=]*$/), json)
    .default({})
    .describe('As its inputSchema in list_workflows says'),
  limits: z
    .strictObject({
      usd: z.number().positive().exactOptional(),
      tokens: z.int().positive().exactOptional(),
      duration: z.number().positive().exactOptional().describe('Seconds'),
    })
    .exactOptional()
    .describe('The run pauses when it meets one; only a person lets it go on'),
  apply: z.boolean().default(false).describe('At a good end put the changed files into the project'),
  verify: z
    .string()
    .min(1)
    .exactOptional()
    .describe('A command that the merged files must pass before they are delivered'),
  allowPartial: z.boolean().default(false).describe('Deliver a partial outcome as well'),
});

const startRun = (backstage: Backstage, watch: RunWatch): McpTool =>
  defineMcpTool({
    name: 'start_run',
    title: 'Start a run',
    description: async () => startText(await backstage.workflows(backstage.project).catch(() => [])),
    input: startInput,
    output: runReport,
    isLook: false,
    run: async ({ workflow, input, limits = {}, ...delivery }) => {
      const bounds = Object.entries(limits).flatMap(([name, value]) => [`--max-${name}`, String(value)]);
      const options = [...bounds, ...deliveryWords(delivery)];
      const started = await backstage.act(commandWords({ kind: 'start', workflow, input, options }));
      const run = isJsonObject(started) ? started['run'] : null;
      if (typeof run !== 'string') throw new Fault('INTERNAL', 'The run was started, but its id was not told.');
      return { value: await watch.report(run) };
    },
  });

function deliveryWords({ apply, verify, allowPartial }: Delivery): readonly string[] {
  return [
    ...(apply ? ['--apply'] : []),
    ...(verify === undefined ? [] : ['--verify', verify]),
    ...(allowPartial ? ['--allow-partial'] : []),
  ];
}

interface Delivery {
  readonly apply: boolean;
  readonly verify?: string;
  readonly allowPartial: boolean;
}

/** With what can be run here, which saves the caller a question. */
function startText(lines: readonly WorkflowLine[]): string {
  const names = lines.slice(0, MOST_NAMES).map(({ name }) => name);
  const here = names.length === 0 ? '' : ` Here there are: ${names.join(', ')}.`;
  return `Starts a workflow and returns at once with the id of the run, which goes on by itself, whatever becomes of the caller. Then: wait_run.${here}`;
}

const MOST_NAMES = 40;
