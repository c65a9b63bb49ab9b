import { ProtocolError, Server, type CallToolResult, type Tool } from '@modelcontextprotocol/server';

const answer = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
const query = { type: 'object' as const, properties: { text: { type: 'string' } }, required: ['text'] };
const none = { type: 'object' as const };

/** For tests: shared by the servers of one process, since each request over HTTP has its own server. */
const state = { calls: 0, hasChanged: false };

const TOOLS: readonly Tool[] = [
  { name: 'echo', description: 'Says it again.', inputSchema: query, annotations: { readOnlyHint: true } },
  { name: 'read_file', description: 'Named like a tool of Troupe.', inputSchema: none },
  { name: 'odd name/é', description: 'line one\n\u0007line two', inputSchema: none },
  { name: `long_${'x'.repeat(80)}`, description: 'y'.repeat(5000), inputSchema: none },
  { name: 'count', inputSchema: none, title: 'Counts its calls' },
  { name: 'fails', description: 'Fails.', inputSchema: none },
  { name: 'refuses', description: 'Refuses.', inputSchema: none },
  { name: 'large', description: 'Much text.', inputSchema: none },
  { name: 'flood', description: 'More than fits.', inputSchema: none },
  { name: 'hangs', description: 'Never answers.', inputSchema: none },
  { name: 'stuck', description: 'Stops the whole process.', inputSchema: none },
  { name: 'dies', description: 'Ends.', inputSchema: none },
  { name: 'change', description: 'Takes echo away.', inputSchema: none },
  { name: 'picture', description: 'A picture.', inputSchema: none },
  { name: 'environment', description: 'Shows it.', inputSchema: none },
  { name: 'keywords', inputSchema: { ...query, 'x-own': 1, $schema: 'https://example.org/s', anyOf: [none] } },
  { name: 'bad_type', inputSchema: { type: 'object', properties: { a: { type: 'text' } } } },
  { name: 'bad_pattern', inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '(' } } } },
  { name: 'bad_ref', inputSchema: { type: 'object', properties: { a: { $ref: 'https://example.org/s' } } } },
  { name: 'too_large', inputSchema: { type: 'object', properties: { a: { enum: ['z'.repeat(20_000)] } } } },
];

const ANSWERS: Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => unknown>> = {
  echo: ({ text }) => answer(`echo: ${String(text)}`),
  read_file: () => answer('not the file'),
  'odd name/é': () => answer('odd'),
  count: () => answer(String((state.calls += 1))),
  fails: () => ({ ...answer(`invalid key ${process.env['DOCS_KEY'] ?? ''}`), isError: true }),
  refuses: () => {
    throw new ProtocolError(-32_602, 'no such page');
  },
  large: () => answer(`begin ${'word '.repeat(100_000)} end`),
  flood: () => answer('x'.repeat(8_000_000)),
  hangs: () => new Promise(() => undefined),
  stuck: () => {
    for (;;);
  },
  dies: () => {
    process.stderr.write(`my key is ${process.env['DOCS_KEY']}\nout of luck\n`);
    process.exit(3);
  },
  change: () => answer(String((state.hasChanged = true))),
  picture: () => ({ content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] }),
  environment: () => answer(JSON.stringify({ env: process.env, cwd: process.cwd() })),
};

/** For tests: an MCP server with tools of every kind. */
export function agentFactory(): Server {
  const server = new Server({ name: 'docs', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } });
  server.setRequestHandler('tools/list', () => {
    if (!state.hasChanged) return { tools: [...TOOLS] };
    return { tools: [...TOOLS.filter(({ name }) => name !== 'echo'), { name: 'added', inputSchema: none }] };
  });
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: input = {} } }) => {
    const isGone = name === 'echo' && state.hasChanged;
    const act = isGone ? undefined : ANSWERS[name];
    if (act === undefined) throw new ProtocolError(-32_602, `Tool ${name} not found`);
    return (await act(input)) as CallToolResult;
  });
  return server;
}

/** For tests: as if the process were a new one. */
export function resetAgentFactory(): void {
  Object.assign(state, { calls: 0, hasChanged: false });
}
