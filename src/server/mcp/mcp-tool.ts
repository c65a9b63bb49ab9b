import type { ContentBlock, Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { JsonObject } from '../../core/model/json.ts';
import { checkedRequest } from '../../protocol/checked-request.ts';

/** Something another agent can do with Troupe. */
export interface McpTool {
  readonly name: string;
  /** Computed for each request that lists the tools. */
  described(): Promise<Tool>;
  /** Calls the tool with unchecked input. Rejects with a Fault. */
  call(given: unknown, calling: Calling): Promise<ToolAnswer>;
}

/** Around one call. */
export interface Calling {
  /** The caller's name, for the journal. */
  readonly caller: string;
  /** The caller does not want the answer any more. */
  readonly signal: AbortSignal;
  /** A sign of life, where the caller wants one. */
  readonly progress: (message: string) => void;
}

export interface ToolAnswer {
  readonly value: JsonObject;
  /** Data that is too large for the answer, or useful to a person. */
  readonly links?: readonly ContentBlock[];
}

export interface McpToolSpec<Input, Output extends object> {
  readonly name: string;
  readonly title: string;
  readonly description: string | (() => Promise<string>);
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  /** It changes nothing. */
  readonly isLook: boolean;
  /** It ends something for good. */
  readonly isEnding?: boolean;
  readonly run: (input: Input, calling: Calling) => Promise<Answered<Output>>;
}

export interface Answered<Output> {
  readonly value: Output;
  readonly links?: readonly ContentBlock[];
}

/** The schemas are the tool's own description, and what is sent is held to them. REQUEST_INVALID. */
export function defineMcpTool<Input, Output extends object>(spec: McpToolSpec<Input, Output>): McpTool {
  const { name, input, run } = spec;
  const [inputSchema, outputSchema] = [schemaOf(input, 'input'), schemaOf(spec.output, 'output')];
  return {
    name,
    described: async () => ({
      name,
      title: spec.title,
      description: typeof spec.description === 'string' ? spec.description : await spec.description(),
      inputSchema,
      outputSchema,
      annotations: {
        title: spec.title,
        readOnlyHint: spec.isLook,
        destructiveHint: spec.isEnding ?? false,
        idempotentHint: spec.isLook,
        openWorldHint: false,
      },
    }),
    call: async (given, calling) => {
      const { value, links = [] } = await run(
        checkedRequest(input, given ?? {}, `See the input schema of ${name}.`),
        calling,
      );
      // It leaves as JSON.
      return { value: JSON.parse(JSON.stringify(value)) as JsonObject, links };
    },
  };
}

/** The same as plain JSON. */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Tool['inputSchema'] => ({
  ...(JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' }))) as JsonObject),
  type: 'object',
});
