import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { allTools } from '../all-tools.ts';
import type { Mode } from '../mode.ts';
import type { McpService, Tool, ToolResult } from '../port.ts';
import { call, runningWith, testFolder } from '../testing/test-folder.ts';
import { testSandbox } from '../testing/test-sandbox.ts';
import { testServer } from '../testing/test-server.ts';
import { toolRefusal, toolsFor } from '../tools-for.ts';
import { openServers, type OpenServers } from './server-tools.ts';
import type { McpServerSettings } from './endpoint.ts';
import { agentFactory, resetAgentFactory } from './testing/agent-factory.ts';
import { serveHttp } from './testing/serve-http.ts';

const SERVER = fileURLToPath(new URL('testing/agent-stdio-server.ts', import.meta.url));
const KEY = `key-${randomBytes(9).toString('hex')}`;
const service: McpService = {
  sandbox: testSandbox(),
  hidden: [],
  environment: { ...process.env, DOCS_KEY: KEY, OTHER_KEY: `other-${KEY}` },
};

const program = (more: Partial<McpServerSettings> = {}): McpServerSettings => ({
  command: [process.execPath, '--no-warnings', SERVER],
  mode: 'write',
  ...more,
});

async function opened(settings: Readonly<Record<string, McpServerSettings>>): Promise<OpenServers> {
  const open = await openServers(settings, service);
  onTestFinished(open.close);
  return open;
}

/** The same server on the loopback address. */
async function atAddress(more: Partial<McpServerSettings> = {}) {
  resetAgentFactory();
  const handler = createMcpHandler(agentFactory);
  const server = await testServer((request, response) => void serveHttp(handler, request, response));
  return { ...server, settings: { url: `${server.url}/mcp`, mode: 'write', ...more } satisfies McpServerSettings };
}

const BOTH = [
  ['that is started', () => Promise.resolve(program())],
  ['at an address', async () => (await atAddress()).settings],
] as const;

function named({ tools }: OpenServers, name: string): Tool {
  const found = tools.find(({ spec }) => spec.name === `mcp__docs__${name}`);
  if (found === undefined) throw new Error(`no ${name} among ${tools.map(({ spec }) => spec.name).join()}`);
  return found;
}

const used = (open: OpenServers, name: string, input = {}): Promise<ToolResult> =>
  call(named(open, name), input, { folder: '/nowhere' });

const NAMES =
  'change count dies echo environment fails flood hangs keywords large ' +
  'long_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_875c1449 odd_name__ picture read_file refuses stuck';

const role = (mode: Mode) => ({ name: 'r', includedTools: null, excludedTools: [], mode });

test.each(BOTH)(
  '[A9] a server %s gives agents its tools, with names, texts and schemas all providers take',
  async (_, make) => {
    const open = await opened({ docs: await make() });
    const specs = open.tools.map(({ spec }) => spec);
    expect(specs.map(({ name }) => name.replace('mcp__docs__', '')).join(' ')).toBe(NAMES);
    expect(specs.every(({ name }) => /^[A-Za-z0-9_-]{1,64}$/.test(name))).toBe(true);
    expect(specs.every(({ description }) => description.length < 1200 && !/\p{Cc}/u.test(description))).toBe(true);
    expect(named(open, 'odd_name__').spec.description).toMatch(/^line one line two \(A tool of the MCP server "docs"/);
    expect(named(open, 'keywords').spec.parameters).toEqual({
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
    });
    expect(open.problems).toEqual([
      expect.stringMatching(/^The MCP server "docs": its tool "bad_pattern" is left out: .*regular expression/),
      'The MCP server "docs": its tool "bad_ref" is left out: its schema refers to something outside of it.',
      'The MCP server "docs": its tool "bad_type" is left out: its schema has the type "text", which JSON Schema has not.',
      expect.stringMatching(
        /^The MCP server "docs": its tool "too_large" is left out: its schema has 20\d+ characters/,
      ),
    ]);
  },
);

test.each(BOTH)(
  '[A9] a tool of a server %s is called with checked arguments, and its own errors are errors',
  async (_, make) => {
    const open = await opened({ docs: { ...(await make()), mode: 'read' } });
    expect(await used(open, 'echo', { text: 'hi' })).toEqual({ content: 'echo: hi', isError: false });
    expect(await used(open, 'echo')).toMatchObject({ isError: true, content: expect.stringContaining('text') });
    expect(await used(open, 'fails')).toMatchObject({ isError: true, content: expect.stringContaining('invalid key') });
    expect(await used(open, 'refuses')).toEqual({
      isError: true,
      content: expect.stringMatching(/^The MCP server "docs" refused the call: .*no such page$/),
    });
    expect((await used(open, 'picture')).content).toBe('[image, image/png, 4 characters of base64: not shown]');
    expect([await used(open, 'count'), await used(open, 'count')].map(({ content }) => content)).toEqual(['1', '2']);
  },
);

test('[A3] a tool named like one of Troupe’s gets a different name, and replaces nothing', async () => {
  const open = await opened({ docs: (await atAddress()).settings });
  const all = [...allTools, ...open.tools];
  expect(new Set(all.map(({ spec }) => spec.name)).size).toBe(all.length);
  expect(all.find(({ spec }) => spec.name === 'read_file')).toBe(allTools[0]);
  expect((await used(open, 'read_file')).content).toBe('not the file');
});

test.each([
  ['read', 'commands'],
  ['commands', 'write'],
  ['read', 'write'],
] as const)('[PH3] a role in mode %s is not offered the tools of a server for mode %s', async (mode, least) => {
  const { tools } = await opened({ docs: (await atAddress({ mode: least, tools: ['echo'] })).settings });
  expect(toolsFor(role(least), tools).tools).toHaveLength(1);
  expect(toolsFor(role(mode), tools).tools).toEqual([]);
  expect(toolRefusal(role(mode), tools, 'mcp__docs__echo')?.code).toBe('MODE_TOO_LOW');
  const refused = await call(tools[0] as Tool, { text: 'x' }, { folder: '/nowhere', mode });
  expect(refused).toMatchObject({ isError: true, refused: 'MODE_TOO_LOW' });
});

test('[A9] a role names all tools of a server with one pattern, and no tool of another server', async () => {
  const two = ['echo', 'count'];
  const { tools } = await opened({
    docs: (await atAddress({ tools: two })).settings,
    docs2: (await atAddress({ tools: two })).settings,
  });
  const names = (lists: object) => toolsFor({ ...role('write'), ...lists }, tools).tools.map(({ spec }) => spec.name);
  expect(names({ includedTools: ['mcp__docs__*'] })).toEqual(['mcp__docs__count', 'mcp__docs__echo']);
  expect(names({ excludedTools: ['mcp__docs__*'] })).toEqual(['mcp__docs2__count', 'mcp__docs2__echo']);
  expect(toolsFor({ ...role('write'), ask: ['mcp__docs__*', 'mcp__gone__*'] }, tools).problems).toMatchObject([
    { code: 'TOOL_UNKNOWN', path: 'ask[1]' },
  ]);
});

test('[A9] only tools on the list are offered, and a name that the server does not have is reported', async () => {
  const { settings } = await atAddress({ tools: ['echo', 'ecko'] });
  const open = await opened({ docs: settings });
  expect(open.tools.map(({ spec }) => spec.name)).toEqual(['mcp__docs__echo']);
  expect(open.problems).toEqual([expect.stringContaining('it has no tool "ecko", but "echo"')]);
});

test.each(BOTH)(
  '[A3] a server %s that changes its tools changes no list, and the tool it took away is refused by name',
  async (_, make) => {
    const open = await opened({ docs: await make() });
    const before = JSON.stringify(open.tools.map(({ spec }) => spec));
    await used(open, 'change');
    expect(await used(open, 'echo', { text: 'hi' })).toEqual({
      content: 'The MCP server "docs" no longer has the tool "echo". Continue without it.',
      isError: true,
      refused: 'TOOL_GONE',
    });
    expect(JSON.stringify(open.tools.map(({ spec }) => spec))).toBe(before);
    expect((await used(open, 'count')).isError).toBe(false);
  },
);

test('[L3] a server that ends is an error without its keys, is started again once, and then stays down', async () => {
  const open = await opened({ docs: program({ env: ['DOCS_KEY'] }) });
  const died = await used(open, 'dies');
  expect(died).toMatchObject({ isError: true, transient: true });
  expect(died.content).toMatch(
    /^The MCP server "docs" gave no answer\. It printed: [^]*my key is \[redacted\]\nout of luck$/,
  );
  expect(await used(open, 'count')).toEqual({ content: '1', isError: false });
  for (const _ of [1, 2]) expect((await used(open, 'dies')).content).toContain('gave no answer');
  expect(await used(open, 'count')).toMatchObject({ isError: true, refused: 'MCP_SERVER_DOWN' });
});

test('[L7] a call that hangs is left at the time limit, and a process that answers nothing is restarted', async () => {
  const open = await opened({ docs: program({ timeoutMs: 4000 }) });
  await used(open, 'count');
  expect(await used(open, 'hangs')).toEqual({
    content: 'The MCP server "docs" did not answer within 4 s.',
    isError: true,
    transient: true,
  });
  expect((await used(open, 'count')).content).toBe('2');
  expect((await used(open, 'stuck')).content).toContain('did not answer within 4 s');
  expect((await used(open, 'count')).content).toBe('1');
});

test.each(BOTH)('[A6] what a server %s says is bounded, and the next call is answered', async (_, make) => {
  const open = await opened({ docs: await make() });
  const { content, isError } = await used(open, 'large');
  expect([isError, content.length < 301_000, content.startsWith('begin ')]).toEqual([false, true, true]);
  expect(await used(open, 'flood')).toEqual({
    content: 'The MCP server "docs" cannot be used: it returned more than 4 MB at once; ask it for less.',
    isError: true,
  });
  expect((await used(open, 'count')).isError).toBe(false);
});

test('[F62] [F64] a server gets the variables it names, and its failures show none of them', async () => {
  const open = await opened({ docs: program({ env: ['DOCS_KEY'] }) });
  const { env, cwd } = JSON.parse((await used(open, 'environment')).content) as {
    env: Record<string, string>;
    cwd: string;
  };
  expect([env['DOCS_KEY'], env['OTHER_KEY'], env['HOME'] === cwd]).toEqual([KEY, undefined, true]);
  expect((await used(open, 'fails')).content).toBe('invalid key [redacted]');
  const unset = await opened({ docs: program({ env: ['NOT_SET_HERE'] }) });
  expect(unset.problems).toEqual([expect.stringContaining('mcp.docs.env in the configuration names NOT_SET_HERE')]);
});

test('[A9] a server that is installed in the project is started with the packages it needs, and sees nothing else of it', async () => {
  const project = testFolder({
    'package.json': '{}',
    'secret.txt': 'of the project',
    'node_modules/dep/index.mjs': "export const word = 'loaded';",
    'node_modules/dep/package.json': '{ "exports": "./index.mjs" }',
    'node_modules/server/package.json': '{}',
    'node_modules/server/dist/index.mjs': `#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { word } from 'dep';
console.error(word, existsSync('PROJECT/secret.txt'));
`,
  });
  const [bin, script] = [join(project, 'node_modules/.bin'), join(project, 'node_modules/server/dist/index.mjs')];
  writeFileSync(script, readFileSync(script, 'utf8').replace('PROJECT', project));
  chmodSync(script, 0o755);
  mkdirSync(bin);
  symlinkSync('../server/dist/index.mjs', join(bin, 'server'));
  const settings = { docs: program({ command: [join(bin, 'server')] }) };
  const open = await openServers(settings, { ...service, hidden: [project] });
  onTestFinished(open.close);
  expect(open.problems).toEqual(['The MCP server "docs" gave no answer. It printed: loaded false']);
});

test('[F62] the key for an address is sent as a bearer token, and to no address that it redirects to', async () => {
  const { settings, asked } = await atAddress({ apiKeyEnv: 'DOCS_KEY' });
  const open = await opened({ docs: settings });
  expect(open.problems).toHaveLength(4);
  expect(asked.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
  const before = asked.length;
  const other = await testServer((_request, response) => {
    response.writeHead(307, { location: settings.url }).end();
  });
  const redirected = await opened({ docs: { ...settings, url: other.url } });
  expect(redirected.problems).toEqual([expect.stringContaining('could not be asked: status 307 (it redirects')]);
  expect(asked.length).toBe(before);
});

test('[L3] servers that cannot be used are each reported in words, and the others are there', async () => {
  const locked = await testServer((_request, response) => void response.writeHead(401).end(`wrong key ${KEY}`));
  const silent = await testServer((request) => void request.socket.destroy());
  const open = await opened({
    docs: (await atAddress({ tools: ['echo'] })).settings,
    locked: { url: `${locked.url}/?key=${KEY}`, mode: 'write' },
    silent: { url: silent.url, mode: 'write' },
    missing: { command: ['/no/such/program'], mode: 'write' },
    rude: { command: ['/bin/sh', '-c', 'echo no >&2; exit 1'], mode: 'write' },
    mute: { command: ['/bin/sleep', '60'], mode: 'write', timeoutMs: 1500 },
  });
  expect(open.counts).toEqual({ docs: 1 });
  expect(open.problems).toEqual([
    'The MCP server "locked" could not be asked: status 401 (it wants a key).',
    expect.stringMatching(/^The MCP server "silent" could not be asked: [A-Z_]+\.$/),
    expect.stringMatching(/^The MCP server "missing" gave no answer\./),
    expect.stringContaining('It printed: no'),
    'The MCP server "mute" did not answer within 1.5 s.',
  ]);
});

test('[E55] what was started is gone when the servers are closed', async () => {
  const mark = `server-${randomBytes(6).toString('hex')}`;
  const open = await opened({ docs: program({ command: [process.execPath, '--no-warnings', SERVER, mark] }) });
  expect(runningWith(mark)).not.toEqual([]);
  await open.close();
  await vi.waitFor(() => expect(runningWith(mark)).toEqual([]), { timeout: 30_000, interval: 20 });
  expect(await used(open, 'count')).toMatchObject({ refused: 'MCP_SERVER_DOWN' });
});
