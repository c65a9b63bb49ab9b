/**
 * Started with Node inside the sandbox, to load a project's tools where they can do no harm. The arguments are the file that
 * `import … from 'troupe'` gives, then the command:
 * `describe FILE…` replies with one line of JSON for each file, in their order, as soon as it is loaded.
 * `call FILE` reads `{ input, folder, mode, network }` from its input and replies with `{ content, isError }`.
 * Replies go to descriptor 4; the tool's own prints go elsewhere, so they cannot be mistaken for one. A tool that ends the
 * process has sent no reply, which its caller reports.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { capped, toolResultOf, type ToolReply } from '../tool-answer.ts';

const REPLIES = 4;
const MAX_DESCRIPTION = 256 * 1024;

const [entry = '', order, ...files] = process.argv.slice(2);
offerOwnPackage();
if (order === 'describe') for (const file of files) reply(await description(file));
else reply(await answer(files[0] ?? ''));
// Open handles of a tool must not keep the process alive.
process.exit(0);

function offerOwnPackage(): void {
  const { href } = pathToFileURL(entry);
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'troupe' ? { url: href, shortCircuit: true } : next(specifier, context),
  });
}

/** In one piece, and before anything else of the tool can run. */
function reply(text: string): void {
  writeFileSync(REPLIES, `${text}\n`);
}

async function description(file: string): Promise<string> {
  try {
    const tool = (await exportedTool(file)) as Exported;
    const text = JSON.stringify({ description: described(tool) });
    return text.length > MAX_DESCRIPTION ? problem('its description is too long') : text;
  } catch (error) {
    return problem(`it could not be loaded: ${messageOf(error)}`);
  }
}

function problem(text: string): string {
  return JSON.stringify({ problem: text.slice(0, 4000) });
}

/** Anything may have been exported; the reader of the description checks it. */
type Exported = Readonly<Record<string, unknown>> | null | undefined;

async function exportedTool(file: string): Promise<unknown> {
  const module: unknown = await import(pathToFileURL(file).href);
  return typeof module === 'object' && module !== null && 'tool' in module ? module.tool : undefined;
}

/** A definition, or a finished tool with its `spec`. */
function described(tool: Exported): unknown {
  if (typeof tool !== 'object' || tool === null) return null;
  const spec = (typeof tool['spec'] === 'object' ? tool['spec'] : tool) as Exported;
  const { repeat, access, labels } = tool;
  return {
    name: spec?.['name'],
    description: spec?.['description'],
    parameters: spec?.['parameters'],
    repeat,
    access,
    labels,
    run: typeof tool['run'],
  };
}

async function answer(file: string): Promise<string> {
  const { input, ...context } = JSON.parse(readFileSync(0, 'utf8')) as Readonly<Record<string, unknown>>;
  try {
    const tool = (await exportedTool(file)) as Runnable;
    const { signal } = new AbortController();
    const { content, isError } = toolResultOf(await tool.run(input, { ...context, signal }));
    return JSON.stringify({ content: capped(content), isError });
  } catch (error) {
    return JSON.stringify({ content: capped(messageOf(error)), isError: true });
  }
}

interface Runnable {
  run(input: unknown, context: unknown): Promise<ToolReply> | ToolReply;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
