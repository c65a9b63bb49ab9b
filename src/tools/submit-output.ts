import type { OwedOutput } from '../core/artifact-fact.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { ToolSpec } from '../core/role.ts';
import { defineTool, refusedTool } from './define-tool.ts';
import type { Tool } from './port.ts';

export const SUBMIT_OUTPUT = 'submit_output';

/** As an agent is offered it: with all outputs of its turn. Null where there are none. */
export function submitOutputSpec(owed: readonly OwedOutput[]): ToolSpec | null {
  if (owed.length === 0) return null;
  const names = [...new Set(owed.map(({ name }) => name))];
  const parameters: JsonObject = {
    type: 'object',
    properties: {
      name: { type: 'string', enum: names, description: 'The output, as your order names it' },
      content: { ...contentSchema(owed), description: names.map((name) => `${name}: ${meant(name, owed)}`).join('\n') },
    },
    required: ['name', 'content'],
    additionalProperties: false,
  };
  return { name: SUBMIT_OUTPUT, description: DESCRIPTION, parameters };
}

const DESCRIPTION =
  'Hand in an output that your order names. The engine checks it and writes the file, also if your role cannot write. It does not end your turn; handing in the same output again replaces it.';

const contentSchema = (owed: readonly OwedOutput[]): JsonObject =>
  owed.every(({ form }) => form === 'file')
    ? { type: 'string' }
    : { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };

function meant(name: string, owed: readonly OwedOutput[]): string {
  const own = owed.filter((one) => one.name === name);
  const paths = own.flatMap(({ path }) => (path === null ? [] : [path])).join(', ');
  const form = own[0]?.form ?? 'file';
  if (form === 'file') return `the whole text of ${paths}`;
  const list = form === 'files' ? `paths of files that fit ${paths}` : 'paths of files that you created or changed';
  return `${list}: a list, or one a line`;
}

/**
 * The tool itself takes every output of the turn, so that one can be handed in again, and any JSON for the content: what of
 * it will do depends on the output.
 */
export function submitOutputTool(outputs: readonly OwedOutput[]): Tool {
  const names = [...new Set(outputs.map(({ name }) => name))];
  return defineTool<{ name: string; content: Json }>({
    name: SUBMIT_OUTPUT,
    description: DESCRIPTION,
    parameters: {
      type: 'object',
      properties: { name: { type: 'string', enum: names }, content: {} },
      required: ['name', 'content'],
      additionalProperties: false,
    },
    repeat: 'safe',
    // Not `write`: the engine writes, and only what was declared.
    access: 'talk',
    onlyFiles: true,
    run({ name, content }, { services }) {
      if (services?.outputs === undefined) return refusedTool('You owe no output here.');
      return services.outputs.hand(name, content);
    },
  });
}
