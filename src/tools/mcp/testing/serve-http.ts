import type { IncomingMessage, ServerResponse } from 'node:http';
import type { createMcpHandler } from '@modelcontextprotocol/server';

/** For tests: one request of Node's server, answered by an MCP server. */
export async function serveHttp(
  handler: ReturnType<typeof createMcpHandler>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const body = request.method === 'POST' ? { body: Buffer.concat(parts) } : {};
  const url = `http://${request.headers.host}${request.url}`;
  const answer = await handler.fetch(new Request(url, { method: request.method ?? 'GET', headers, ...body }));
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
}
