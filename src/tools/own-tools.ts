import { createHash } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { Fault } from '../core/fault.ts';
import type { JsonObject } from '../core/json.ts';
import { defineTool } from './define-tool.ts';
import type { ToolDefinition } from './define-tool.ts';
import type { Tool } from './port.ts';
import { schemaProblem } from './validate-arguments.ts';

/**
 * The tools a project brings along: each script in the folder exports `tool`. Importing runs the project's code, so ask
 * `trustState` first. TOOL_INVALID names the file that is no good; a missing folder has no tools.
 */
export async function loadOwnTools(folder: string, taken: readonly Tool[] = []): Promise<readonly Tool[]> {
  const tools: Tool[] = [];
  for (const file of await toolFiles(folder)) {
    const tool = await loadTool(file);
    const twin = [...taken, ...tools].some(({ spec }) => spec.name === tool.spec.name);
    if (twin) throw invalid(file, `there is another tool called ${tool.spec.name}`);
    tools.push(tool);
  }
  return tools;
}

const EXTENSIONS = new Set(['.ts', '.mts', '.js', '.mjs']);

async function toolFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .filter((name) => EXTENSIONS.has(extname(name)) && !/\.(?:test|d)\.m?[jt]s$/.test(name) && !/^[._]/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

async function loadTool(file: string): Promise<Tool> {
  // What a link points to is not part of what the user looked at and trusted.
  if (!(await lstat(file)).isFile()) throw invalid(file, 'it is not a regular file');
  const exported = await importTool(file);
  const made = toolShape.safeParse(exported);
  if (made.success) return checked(guarded(exported as Tool), file);
  const definition = definitionShape.safeParse(exported);
  if (definition.success) return checked(defineTool(exported as ToolDefinition), file);
  throw invalid(
    file,
    `its export "tool" is not a tool: ${z.prettifyError(definition.error).replaceAll(/\s*\n\s*/g, ' ')}`,
  );
}

/** Finished or not, a project's tool answers in the one shape and within the one size, whatever it gives back. */
function guarded(tool: Tool): Tool {
  return defineTool({ ...tool.spec, repeat: tool.repeat, run: (input, context) => tool.run(input, context) });
}

async function importTool(file: string): Promise<unknown> {
  const hash = createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
    .slice(0, 16);
  try {
    // The hash makes a changed file a new module.
    const module: unknown = await import(`${pathToFileURL(file).href}?${hash}`);
    return typeof module === 'object' && module !== null && 'tool' in module ? module.tool : undefined;
  } catch (error) {
    throw invalid(file, `it could not be loaded: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}

const runShape = z.custom<() => void>((value) => typeof value === 'function', 'expected a function');
const specShape = {
  name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, 'letters, digits, _ and - only'),
  description: z.string().min(1),
  parameters: z.looseObject({ type: z.literal('object') }),
};
const repeatShape = z.enum(['safe', 'unsafe']);
const definitionShape = z.looseObject({ ...specShape, repeat: repeatShape, run: runShape });
const toolShape = z.looseObject({ spec: z.looseObject(specShape), repeat: repeatShape, run: runShape });

function checked(tool: Tool, file: string): Tool {
  const wrong = schemaProblem(tool.spec.parameters satisfies JsonObject);
  if (wrong !== null) throw invalid(file, `its parameters are no good: ${wrong}`);
  return tool;
}

function invalid(file: string, because: string, cause?: unknown): Fault {
  return new Fault('TOOL_INVALID', `The tool file ${file} cannot be used: ${because}.`, {
    hint: 'Export a constant `tool` with name, description, parameters (JSON Schema), repeat ("safe" or "unsafe") and run.',
    facts: { file },
    ...(cause === undefined ? {} : { cause }),
  });
}
