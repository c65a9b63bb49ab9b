import type * as Mcp from '@modelcontextprotocol/server';
import type { CallToolResult, Server, ServerContext } from '@modelcontextprotocol/server';
import { Fault, isFault } from '../../core/model/fault.ts';
import type { Operations } from '../operations.ts';
import { errorBody } from '../http/api-error.ts';
import { lookTools } from './look-tools.ts';
import type { Calling, McpTool } from './mcp-tool.ts';
import { listResources, readResource, RESOURCE_TEMPLATES } from './run-resources.ts';
import { RunWatch } from './run-watch.ts';
import { steeringTools } from './steering-tools.ts';
import { workflowTools } from './workflow-tools.ts';

const INSTRUCTIONS = `Troupe runs teams of coding agents through workflows. list_workflows lists what can be run here, start_run starts a run in the background, wait_run and run_status return its status, run_result its result. A run that waits has questions for a person: pass them on, and give their answer with answer_question.`;

export interface McpOptions {
  /** Defects, which are hidden from the caller. */
  readonly onDefect: (error: unknown) => void;
  /** The user lets callers answer approvals for them. */
  readonly allowsApprovals: boolean;
}

/** Troupe as tools and resources for other agents (U9). The protocol's package is the caller's to load. */
export function mcpServer(mcp: typeof Mcp, operations: Operations, options: McpOptions): Server {
  const { onDefect } = options;
  const watch = new RunWatch(operations);
  const tools = [
    ...workflowTools(operations, watch),
    ...lookTools(operations, watch),
    ...steeringTools(operations, watch, options),
  ];
  const server = new mcp.Server(
    { name: 'troupe', version: operations.version, title: 'Troupe' },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', async () => ({
    tools: await Promise.all(tools.map((tool) => tool.described())),
  }));
  // What is asked for in a wrong way is an error of the protocol; what a tool refuses is its result.
  const invalid = (error: unknown): Error => {
    if (!isFault(error)) onDefect(error);
    const body = errorBody(error);
    const { code, message } = body.error;
    return new mcp.ProtocolError(mcp.ProtocolErrorCode.InvalidParams, `${code}: ${message}`, body);
  };
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) throw invalid(unknownTool(tools, params.name));
    try {
      return await called(tool, params.arguments, callingOf(server, context));
    } catch (error) {
      if (!isFault(error)) onDefect(error);
      return { content: [{ type: 'text', text: JSON.stringify(errorBody(error)) }], isError: true };
    }
  });
  server.setRequestHandler('resources/list', async () => ({
    resources: [...(await listResources(operations, watch))],
  }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...RESOURCE_TEMPLATES] }));
  server.setRequestHandler('resources/read', async ({ params }) => {
    try {
      return await readResource(params.uri, operations, watch);
    } catch (error) {
      throw invalid(error);
    }
  });
  return server;
}

const unknownTool = (tools: readonly McpTool[], name: string): Fault =>
  new Fault('TOOL_UNKNOWN', `There is no tool "${name}".`, {
    hint: `There are: ${tools.map((one) => one.name).join(', ')}.`,
  });

/** Clients that know nothing of structured answers read the same as text. */
async function called(tool: McpTool, given: unknown, calling: Calling): Promise<CallToolResult> {
  const { value, links = [] } = await tool.call(given, calling);
  return {
    content: [{ type: 'text', text: JSON.stringify(value) }, ...links],
    structuredContent: { ...value },
  };
}

function callingOf(server: Server, { mcpReq }: ServerContext): Calling {
  const name = server.getClientVersion()?.name ?? 'a program';
  const progressToken = mcpReq._meta?.progressToken;
  let progress = 0;
  return {
    caller: `${name.slice(0, 100)} by MCP`,
    signal: mcpReq.signal,
    progress: (message) => {
      if (progressToken === undefined) return;
      progress += 1;
      const params = { progressToken, progress, message };
      // A caller that hung up gets no answer.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  };
}
