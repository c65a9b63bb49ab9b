import type { FaultCode } from '../core/codes/codes.ts';
import { isJsonObject, type JsonObject } from '../core/model/json.ts';
import type { ToolArguments } from '../core/model/role.ts';
import { Fault } from '../core/model/fault.ts';
import {
  issuePath,
  JSON_SCHEMA_HINT,
  jsonSchemaOf,
  type SchemaOutput,
  type StandardSchema,
} from '../core/model/standard-schema.ts';
import { faultToFix } from '../workspace/store/store-fault.ts';
import { modeRefusal, type ToolAccess } from './mode.ts';
import { isPassing } from './passing.ts';
import type { Tool, ToolContext, ToolResult } from './port.ts';
import { toolResultOf, type ToolReply } from './tool-answer.ts';

/**
 * Makes a tool of a description and a function. The function sees only arguments that fit the schema, and may throw:
 * whatever goes wrong becomes an answer that the agent can read. Only what a person has to fix, such as a full disk, is thrown.
 * With `input`, a schema of zod or another Standard Schema, the compiler knows the arguments.
 */
export const defineTool: DefineTool = (definition: SchemaToolDefinition<StandardSchema> | ToolDefinition<never>) =>
  'input' in definition ? toolOf(bySchema(definition)) : toolOf(definition);

interface DefineTool {
  <Schema extends StandardSchema>(definition: SchemaToolDefinition<Schema>): Tool;
  <Input = ToolArguments>(definition: ToolDefinition<Input>): Tool;
}

/** The schema itself checks too: it may say more than JSON Schema can, and fill in defaults. */
function bySchema({ input: schema, ...definition }: SchemaToolDefinition<StandardSchema>): ToolDefinition<never> {
  const parameters = jsonSchemaOf(schema);
  if (typeof parameters === 'string')
    throw new Fault('SCHEMA_UNUSABLE', `The input of the tool "${definition.name}" cannot be used: ${parameters}.`, {
      hint: JSON_SCHEMA_HINT,
    });
  const run: ToolDefinition<never>['run'] = async (given, context) => {
    const result = await schema['~standard'].validate(given);
    if (result.issues === undefined) return await definition.run(result.value, context);
    const wrong = result.issues.map((issue) => `${issuePath(issue)}: ${issue.message}`);
    return refusedTool(`The arguments do not fit: ${wrong.join('; ')}`);
  };
  return { ...definition, parameters, run };
}

function toolOf<Input>(definition: ToolDefinition<Input>): Tool {
  const { name, description, parameters, repeat, onlyFiles, isUsable, labels, access = 'write' } = definition;
  const run: Tool['run'] = async (input, context) => toolResultOf(await definition.run(input as Input, context));
  const own = {
    ...(onlyFiles === undefined ? {} : { onlyFiles }),
    ...(isUsable === undefined ? {} : { isUsable }),
    ...(labels === undefined ? {} : { labels }),
  };
  const spec = { name, description, parameters: withoutLimits(parameters) };
  return checkedTool({ spec, repeat, access, ...own, run }, parameters);
}

/** The schema of an object that has these properties and no others. */
export function objectSchema(required: readonly string[], properties: JsonObject): JsonObject {
  const needed = required.length === 0 ? {} : { required };
  return { type: 'object', properties, ...needed, additionalProperties: false };
}

/** Limits are checked when a tool is called. Offered with every request they would only cost tokens. */
function withoutLimits(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([key, value]) => !LIMITS.has(key) || isJsonObject(value));
  return Object.fromEntries(kept.map(([key, value]) => [key, isJsonObject(value) ? withoutLimits(value) : value]));
}

const LIMITS = new Set(['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems']);

/** The same for a function that gives results in their one shape. */
export function checkedTool(tool: Tool, schema: JsonObject = tool.spec.parameters): Tool {
  return {
    ...tool,
    async run(input, context) {
      const beyond = modeRefusal(context.mode ?? 'write', tool);
      if (beyond !== null) return refusedTool(beyond.reason, beyond.code);
      // Loaded with the first call: the checker is large, and many runs never call a tool.
      const { validateArguments } = await import('./validate-arguments.ts');
      const wrong = validateArguments(schema, input);
      if (wrong !== null) return refusedTool(`The arguments do not fit: ${wrong}`);
      try {
        return await tool.run(input, context);
      } catch (error) {
        const toFix = faultToFix(error, context.folder);
        if (toFix !== null && !context.signal.aborted) throw toFix;
        if (context.signal.aborted) return refusedTool(CANCELLED);
        return isPassing(error) ? { ...refusedTool(messageOf(error)), transient: true } : refusedTool(messageOf(error));
      }
    },
  };
}

export interface ToolDefinition<Input = ToolArguments> extends ToolTraits {
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
  run(input: Input, context: ToolContext): Promise<ToolReply> | ToolReply;
}

export interface SchemaToolDefinition<Schema extends StandardSchema> extends ToolTraits {
  /** The schema of the arguments. */
  readonly input: Schema;
  run(input: SchemaOutput<Schema>, context: ToolContext): Promise<ToolReply> | ToolReply;
}

interface ToolTraits {
  readonly name: string;
  readonly description: string;
  /** May it be done a second time with the same end? See `Tool`. */
  readonly repeat: 'safe' | 'unsafe';
  /** See `Tool`. */
  readonly onlyFiles?: true;
  /** See `Tool`. */
  readonly isUsable?: Tool['isUsable'];
  /** See `ToolAccess`. A tool that does not say is taken for one that writes, so that no mode lets it through by mistake. */
  readonly access?: ToolAccess;
  /** See `Tool`. */
  readonly labels?: readonly string[];
}

/** An answer that says why not; with a code where the engine would not do it, rather than could not. */
export function refusedTool(content: string, code?: FaultCode): ToolResult {
  return { content, isError: true, ...(code === undefined ? {} : { refused: code }) };
}

export const CANCELLED = 'Cancelled before it was finished.';

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
