import { lstat, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { z } from 'zod';
import { Fault } from '../core/model/fault.ts';
import type { JsonObject } from '../core/model/json.ts';
import { MCP_PREFIX } from '../core/model/mcp-names.ts';
import { checkedTool, refusedTool } from './define-tool.ts';
import { callTool, type Described, describeTools, type ToolBox } from './own/tool-box.ts';
import type { Tool } from './port.ts';
import { LABEL } from '../core/model/label.ts';
import { schemaFaults } from '../core/check/schema-faults.ts';
import { schemaProblem } from './validate-arguments.ts';
import { type Trust, type TrustOptions, trustState } from '../workspace/trust.ts';
import { unlessMissing } from '../lib/or-else.ts';

/**
 * The tools a project brings along: each script in the folder exports `tool`. They are loaded and called in the sandbox and
 * never in this process, yet they are the project's code: ask `trustState` first. TOOL_INVALID names the file that is no
 * good; a missing folder has no tools.
 */
export async function loadOwnTools(folder: string, options: OwnToolsOptions): Promise<readonly Tool[]> {
  const files = await toolFiles(folder);
  if (files.length === 0) return [];
  // The user did not review the target of a link, so it is not trusted.
  for (const file of files) if (!(await lstat(file)).isFile()) throw invalid(file, 'it is not a regular file');
  const found = await describeTools({ folder, files, box: options.box });
  const tools: Tool[] = [];
  for (const [at, file] of files.entries()) {
    const tool = ownTool(file, checked(found[at], file), options);
    if (tool.spec.name.startsWith(MCP_PREFIX))
      throw invalid(file, `names that begin with ${MCP_PREFIX} are those of MCP servers`);
    const twin = [...(options.taken ?? []), ...tools].some(({ spec }) => spec.name === tool.spec.name);
    if (twin) throw invalid(file, `there is another tool called ${tool.spec.name}`);
    tools.push(tool);
  }
  return tools;
}

export interface OwnToolsOptions {
  readonly box: ToolBox;
  /** Tools whose names are not to be had. */
  readonly taken?: readonly Tool[];
  /** Asked before each call, since every call loads the file again. */
  readonly isTrusted: () => Promise<boolean>;
  /** How long one call may take; 120 s when left out. */
  readonly timeoutMs?: number;
}

const EXTENSIONS = new Set(['.ts', '.mts', '.js', '.mjs']);

async function toolFiles(folder: string): Promise<readonly string[]> {
  const names = await unlessMissing(readdir(folder), []);
  return names
    .filter((name) => EXTENSIONS.has(extname(name)) && !/\.(?:test|d)\.m?[jt]s$/.test(name) && !/^[._]/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

/** Checks the description from inside the sandbox: it may be anything. */
function checked(found: Described | undefined, file: string): Description {
  if (found === undefined) throw invalid(file, 'it could not be loaded');
  if ('problem' in found) throw invalid(file, found.problem);
  const parsed = descriptionShape.safeParse(found.description);
  if (!parsed.success) {
    const why = z.prettifyError(parsed.error).replaceAll(/\s*\n\s*/g, ' ');
    throw invalid(file, `its export "tool" is not a tool: ${why}`);
  }
  const parameters = parsed.data.parameters as JsonObject;
  const wrong = schemaFaults(parameters)[0]?.message ?? schemaProblem(parameters);
  if (wrong !== null) throw invalid(file, `its parameters are invalid: ${wrong}`);
  return parsed.data;
}

type Description = z.infer<typeof descriptionShape>;

const descriptionShape = z.object({
  name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, 'letters, digits, _ and - only'),
  description: z.string().min(1),
  parameters: z.looseObject({ type: z.literal('object') }),
  repeat: z.enum(['safe', 'unsafe']),
  access: z.enum(['read', 'command', 'write', 'talk']).default('write'),
  labels: z.array(z.string().regex(LABEL, 'letters, digits and . : _ - only')).optional(),
  run: z.literal('function', 'expected a function'),
});

function ownTool(file: string, found: Description, { box, isTrusted, timeoutMs }: OwnToolsOptions): Tool {
  const { name, description, repeat, access, labels } = found;
  return checkedTool({
    spec: { name, description, parameters: found.parameters as JsonObject },
    repeat,
    access,
    origin: 'project',
    ...(labels === undefined ? {} : { labels }),
    async run(input, context) {
      if (!(await isTrusted())) return refusedTool(changedSince(name), 'TOOL_NOT_TRUSTED');
      return await callTool({ file, access, box, ...(timeoutMs === undefined ? {} : { timeoutMs }) }, input, context);
    },
  });
}

const changedSince = (name: string): string =>
  `${name} is not run: the project's tools have changed since the user trusted them (troupe trust allows them again).`;

function invalid(file: string, because: string): Fault {
  return new Fault('TOOL_INVALID', `The tool file ${file} cannot be used: ${because.replace(/\.$/, '')}.`, {
    hint: 'Export a constant `tool` with name, description, parameters (JSON Schema), repeat ("safe" or "unsafe"), run, and access ("read", "command", "write" or "talk") unless it writes.',
    facts: { file },
  });
}

/**
 * The tools of a project, if the user trusts their current files. Otherwise no line of the project's code runs, not even in the
 * sandbox, and `trust` gives the caller the message.
 */
export async function projectTools(options: ProjectToolsOptions): Promise<ProjectTools> {
  const { home, project, taken } = options;
  const trust = await trustState(options);
  if (trust.state !== 'trusted') return { tools: [], trust };
  // Nothing of the project but its tools is seen by them; an agent's files are in a workspace.
  const box = { ...options.box, hidden: [home, project] };
  const isTrusted = async (): Promise<boolean> => (await trustState(options)).state === 'trusted';
  return { tools: await loadOwnTools(join(project, '.troupe', 'tools'), { box, taken, isTrusted }), trust };
}

export interface ProjectToolsOptions extends TrustOptions {
  readonly box: Omit<ToolBox, 'hidden'>;
  /** Tools whose names are not to be had. */
  readonly taken: readonly Tool[];
}

export interface ProjectTools {
  readonly tools: readonly Tool[];
  readonly trust: Trust;
}
