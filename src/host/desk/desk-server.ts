import type * as Mcp from '@modelcontextprotocol/server';
import type { Server, ServerContext, Tool } from '@modelcontextprotocol/server';
import type { Json } from '../../core/model/json.ts';
import type { ToolSpec } from '../../core/model/role.ts';
import type { ReplyInbox, Said } from './reply-inbox.ts';
import type { DeskOrder } from './port.ts';

export interface ServedDesk {
  readonly order: DeskOrder;
  readonly handed: ReplyInbox;
  readonly version: string;
  /** How often a client that asks for progress is informed that its reply is still being checked. */
  readonly progressMs: number;
}

/** One desk as an MCP server with only its tools. Created for every request, as the newer protocol has no sessions. */
export function deskServer({ Server: Made }: typeof Mcp, desk: ServedDesk): Server {
  const { order, handed, version } = desk;
  const server = new Made(
    { name: 'troupe', version, title: `Desk of ${order.run}/${order.task}` },
    { capabilities: { tools: {} } },
  );
  server.setRequestHandler('tools/list', () => ({ tools: order.tools.map(described) }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    // It arrived as JSON.
    const given = (params.arguments ?? {}) as Json;
    const said = await withProgress(context, desk.progressMs, () => handed.hand(params.name, given));
    return { content: [{ type: 'text', text: said.text }], isError: said.isError };
  });
  return server;
}

function described({ name, description, parameters }: ToolSpec): Tool {
  return {
    name,
    description,
    inputSchema: { ...parameters, type: 'object' },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    // Otherwise one client hides the tool until the model searches for it.
    _meta: { 'anthropic/alwaysLoad': true },
  };
}

/** A check may run a whole test suite: clients with a timeout since the last message get one. */
async function withProgress({ mcpReq }: ServerContext, everyMs: number, work: () => Promise<Said>): Promise<Said> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return await work();
  let progress = 0;
  const tell = (): void => {
    progress += 1;
    const params = { progressToken, progress, message: 'Being checked' };
    // A client that hung up gets nothing, and the check continues.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const timer = setInterval(tell, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
