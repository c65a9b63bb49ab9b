/** An MCP server in a few lines, which a project could have. Its second tool never answers. */
export const PAGES_SERVER = `import { createInterface } from 'node:readline';
const send = (id, more) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...more }));
const inputSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'pages', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'page', description: 'Reads a page.', inputSchema }, { name: 'wait', inputSchema }] }),
  'tools/call': ({ name, arguments: { name: page } }) =>
    name === 'wait' ? null : { content: [{ type: 'text', text: 'Page ' + page + ' for ' + process.env.PAGES_KEY }] },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (answers[method] === undefined) return send(id, { error: { code: -32601, message: 'unknown' } });
  const result = answers[method](params);
  if (result !== null) send(id, { result });
});
`;
