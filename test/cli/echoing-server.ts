import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json, JsonObject } from '../../src/core/model/json.ts';
import { testServer, type TestServer } from '../../src/tools/testing/test-server.ts';

/** An MCP server at an address that says in every answer what it was sent: in a tool's description, its result and its error. */
export const echoingServer = (): Promise<TestServer> =>
  testServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const asked = JSON.parse(Buffer.concat(parts).toString() || '{}') as Asked;
  if (asked.id === undefined) {
    response.writeHead(request.method === 'POST' ? 202 : 405).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...answerTo(asked, sentWith(request)) }));
}

interface Asked {
  readonly id?: Json;
  readonly method?: string;
  readonly params?: JsonObject;
}

const sentWith = ({ url, headers }: IncomingMessage): string =>
  JSON.stringify([url, headers.authorization, headers['x-api-key']]);

function answerTo({ method, params = {} }: Asked, sent: string): object {
  switch (method) {
    case 'initialize': {
      const { protocolVersion } = params;
      return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'far', version: '1' } } };
    }
    case 'tools/list': {
      const inputSchema = { type: 'object' };
      const tools = ['page', 'broken'].map((name) => ({ name, description: `Sent: ${sent}`, inputSchema }));
      return { result: { tools } };
    }
    case 'tools/call':
      if (params['name'] !== 'page') return { error: { code: -32_000, message: `Error: ${sent}` } };
      return { result: { content: [{ type: 'text', text: `Result: ${sent}` }] } };
    default:
      return { error: { code: -32_601, message: 'unknown' } };
  }
}
