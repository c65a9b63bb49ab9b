import type { Json, JsonObject } from '../core/json.ts';
import type { ToolArguments } from '../core/role.ts';
import type { Tool, ToolContext, ToolResult } from './port.ts';

/**
 * Makes a tool of a description and a function. The function sees only arguments that fit the schema, and may throw:
 * whatever goes wrong becomes an answer that the agent can read.
 */
export function defineTool<Input = ToolArguments>(definition: ToolDefinition<Input>): Tool {
  const { name, description, parameters, repeat } = definition;
  return {
    spec: { name, description, parameters },
    repeat,
    async run(input, context) {
      // Loaded with the first call: the checker is large, and many runs never call a tool.
      const { validateArguments } = await import('./validate-arguments.ts');
      const wrong = validateArguments(parameters, input);
      if (wrong !== null) return refused(`The arguments do not fit: ${wrong}`);
      try {
        return resultOf(await definition.run(input as Input, context));
      } catch (error) {
        return refused(context.signal.aborted ? CANCELLED : messageOf(error));
      }
    },
  };
}

export interface ToolDefinition<Input = ToolArguments> {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
  /** May it be done a second time with the same end? See `Tool`. */
  readonly repeat: 'safe' | 'unsafe';
  run(input: Input, context: ToolContext): Promise<ToolAnswer> | ToolAnswer;
}

/** Text, a finished result, or data that is given to the agent as JSON. */
export type ToolAnswer = ToolResult | Json;

/** An answer that says why not. */
export function refused(content: string): ToolResult {
  return { content, isError: true };
}

export const CANCELLED = 'Cancelled before it was finished.';

const MAX_CONTENT = 300_000;

function resultOf(answer: ToolAnswer): ToolResult {
  if (isToolResult(answer)) return { content: capped(answer.content), isError: answer.isError };
  return { content: capped(typeof answer === 'string' ? answer : JSON.stringify(answer ?? null)), isError: false };
}

function isToolResult(answer: ToolAnswer): answer is ToolResult {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'content' in answer &&
    typeof answer.content === 'string' &&
    'isError' in answer &&
    typeof answer.isError === 'boolean'
  );
}

function capped(content: string): string {
  if (content.length <= MAX_CONTENT) return content;
  return `${content.slice(0, MAX_CONTENT)}\n[… ${content.length - MAX_CONTENT} characters left out …]`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
