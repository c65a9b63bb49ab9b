import { existsSync, mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Json } from '../../core/model/json.ts';
import type { ToolAccess } from '../mode.ts';
import type { ToolContext, ToolResult } from '../port.ts';
import { runningWith, testFolder } from '../testing/test-folder.ts';
import { placeBeside, testSandbox, testToolBox } from '../testing/test-sandbox.ts';
import { callTool } from './tool-box.ts';

const box = testToolBox(testSandbox());

interface Call extends Partial<ToolContext> {
  readonly input?: Readonly<Record<string, Json>>;
  readonly access?: ToolAccess;
  readonly timeoutMs?: number;
}

/** Calls a tool with this body; it sees `fs`, `net`, `process`, `spawn`, its input and its context. */
function called(body: string, { input = {}, access = 'write', timeoutMs, ...context }: Call = {}): Promise<ToolResult> {
  const tools = testFolder({
    'tool.mjs': `import fs from 'node:fs'; import net from 'node:net'; import { spawn, spawnSync } from 'node:child_process';
      export const tool = { run: async (input, context) => { ${body} } };`,
  });
  const folder = context.folder ?? testFolder();
  const { signal } = new AbortController();
  const call = { file: join(tools, 'tool.mjs'), access, box, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  return callTool(call, input, { folder, signal, ...context });
}

const said = async (body: string, call: Call = {}): Promise<string> => (await called(body, call)).content;

/** A statement's outcome: `done`, or the code it was refused with. */
const tried = (statement: string): string =>
  `await (async () => { try { ${statement}; return 'done' } catch (error) { return error.code ?? error.message } })()`;

test('[SM7] a tool gets its input and where it works, and works there', async () => {
  const folder = testFolder({ 'a.txt': 'here' });
  const body = `return { ...input, seen: Object.keys(context).sort().join(), cwd: process.cwd() === context.folder,
    text: fs.readFileSync('a.txt', 'utf8'), mode: context.mode, network: context.network, live: !context.signal.aborted }`;
  expect(JSON.parse(await said(body, { folder, input: { n: 1 } }))).toEqual({
    n: 1,
    seen: 'folder,mode,network,signal',
    cwd: true,
    text: 'here',
    mode: 'write',
    network: false,
    live: true,
  });
});

test('[PH3] a tool that writes does so in the workspace', async () => {
  const folder = testFolder();
  expect(await said("fs.writeFileSync('made', 'x'); return 'ok'", { folder })).toBe('ok');
  expect(readFileSync(join(folder, 'made'), 'utf8')).toBe('x');
});

test('[PH3] a tool’s own list of changes is ignored, since it is unreliable', async () => {
  const result = await called("return { content: 'x', isError: false, changed: [], refused: 'MODE_READ_ONLY' }");
  expect(result).toEqual({ content: 'x', isError: false });
});

test('[PH3] if the role may not write, the tool’s changes are discarded and reported', async () => {
  const folder = testFolder({ a: 'old' });
  const body = "fs.writeFileSync('a', 'new'); return fs.readFileSync('a', 'utf8')";
  const content = await said(body, { folder, access: 'command', mode: 'commands' });
  expect(content).toMatch(/^new\n\[Your role may not write: changes to 1 paths were thrown away/);
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('old');
});

test('[PH3] where nothing can be thrown away, a tool that may write is refused by the name of the mode', async () => {
  const without = async () => ({ ...(await box.sandbox()), hasOverlay: false });
  const file = join(testFolder({ 'tool.mjs': 'export const tool = { run: () => "ran" };' }), 'tool.mjs');
  const context = { folder: testFolder(), signal: new AbortController().signal };
  const call = { file, access: 'command' as const, box: { ...box, sandbox: without } };
  const result = await callTool(call, {}, { ...context, mode: 'commands' });
  expect(result).toMatchObject({ isError: true, refused: 'MODE_NEEDS_OVERLAY' });
  expect(result.content).toContain('mode "commands"');
  expect(await callTool(call, {}, { ...context, mode: 'write' })).toEqual({ content: 'ran', isError: false });
});

test.each(['read', 'talk'] as const)(
  '[PH3] a tool that declares "%s" cannot write, whatever the role may',
  async (access) => {
    const folder = testFolder({ a: 'old' });
    const body = `return fs.readFileSync('a', 'utf8') + ${tried("fs.writeFileSync('a', 'new')")}`;
    expect(await said(body, { folder, access, mode: 'write' })).toBe('oldEROFS');
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('old');
  },
);

test('[L8] a tool sees the list of variables and what its workspace offers, and its home is private', async () => {
  const folder = testFolder();
  const place = placeBeside(folder);
  process.env['TROUPE_TEST_CANARY'] = 'canary-0815';
  onTestFinished(() => void delete process.env['TROUPE_TEST_CANARY']);
  const body = "fs.writeFileSync(process.env.HOME + '/note', 'x'); return process.env";
  const own = { ...place, environment: { ...place.environment, PORT: '4711' } };
  const seen = JSON.parse(await said(body, { folder, place: own })) as Record<string, string>;
  expect(seen).toMatchObject({ ...own.environment, TERM: 'dumb', GIT_CEILING_DIRECTORIES: dirname(folder) });
  expect(JSON.stringify(seen)).not.toContain('canary');
  expect(existsSync(join(dirname(folder), 'home', 'note'))).toBe(true);
});

test('[L8] where no workspace offers a home, one is made for the call and gone afterwards', async () => {
  const body = "fs.writeFileSync(process.env.HOME + '/note', 'x'); return process.env.HOME";
  const home = await said(body);
  expect(dirname(home)).toBe(tmpdir());
  expect(existsSync(home)).toBe(false);
});

test('[L5] a tool that ends without an answer is an answer with the reason', async () => {
  expect(await called("console.log('half way'); process.exit(7)")).toEqual({
    content: 'The tool ended without an answer (exit code 7). It printed:\nhalf way',
    isError: true,
  });
  expect(await said('await new Promise(() => {})')).toContain('ended without an answer (exit code 13)');
  expect(await said("setTimeout(() => { throw new Error('late') }); await new Promise(() => {})")).toContain('late');
  expect(await said("process.kill(process.pid, 'SIGKILL'); await new Promise(() => {})")).toContain(
    'without an answer',
  );
  expect(await called('return 5n')).toMatchObject({ isError: true, content: expect.stringContaining('BigInt') });
  expect(await said('return () => 1')).toBe('null');
});

test('[L7] what a tool left open does not keep its answer', async () => {
  expect(await said("setInterval(() => {}, 1000); net.createServer().listen('open.sock'); return 'ok'")).toBe('ok');
});

const leaving = (seconds: string): string =>
  `spawn('setsid', ['sh', '-c', "trap '' TERM HUP; sleep ${seconds}"], { detached: true, stdio: 'ignore' }).unref();
   while (spawnSync('pgrep', ['-f', 'sleep ${seconds}']).stdout?.length === 0);`;

test('[L7] a tool that never ends is stopped at the time limit', async () => {
  const result = await called('for (;;) {}', { timeoutMs: 1500 });
  expect(result).toEqual({ content: 'Stopped after 1.5 s, with everything it had started.', isError: true });
});

test('[L7] a tool that is cancelled is gone with everything it started', async () => {
  const seconds = `86400.${process.pid}`;
  const folder = testFolder();
  const cancel = new AbortController();
  const watcher = watch(folder, () => cancel.abort());
  onTestFinished(() => watcher.close());
  const endless = `${leaving(seconds)} fs.writeFileSync('up', ''); for (;;) {}`;
  const stopped = await called(endless, { folder, signal: cancel.signal });
  expect(stopped).toEqual({ content: 'Cancelled before it was finished.', isError: true });
  expect(existsSync(join(folder, 'up'))).toBe(true);
  expect(runningWith(`sleep\0${seconds}`)).toEqual([]);
});

test('[L7] a daemon that a tool leaves behind is gone with its answer', async () => {
  const seconds = `86401.${process.pid}`;
  expect(await said(`${leaving(seconds)} return 'left it'`)).toBe('left it');
  expect(runningWith(`sleep\0${seconds}`)).toEqual([]);
});

test('[L8] a tool cannot read what is the user’s: keys, the engine’s files, other workspaces', async () => {
  const paths = ['user/.ssh/canary-0815', 'engine/canary-0815', 'other/work/canary-0815'];
  const base = testFolder(Object.fromEntries(paths.map((path) => [path, 'canary'])));
  const home = process.env['HOME'];
  process.env['HOME'] = join(base, 'user');
  onTestFinished(() => void (process.env['HOME'] = home ?? ''));
  const places = [homedir(), join(base, 'engine'), join(base, 'other'), '/root', '/home', tmpdir(), '/run'];
  const listing = `return input.places.flatMap((place) => { try { return fs.readdirSync(place, { recursive: true }) } catch { return [] } })
    .filter((path) => path.includes('canary-0815') || path.includes('.ssh')).join()`;
  expect(await called(listing, { input: { places } })).toEqual({ content: '', isError: false });
  const files = paths.map((path) => join(base, path));
  const reading =
    "return input.files.map((file) => { try { return fs.readFileSync(file, 'utf8') } catch { return 'no' } })";
  expect(await said(reading, { input: { files } })).toBe('["no","no","no"]');
});

test('[L8] a tool writes nowhere but in its workspace: not outside, not at its own file, not through a link', async () => {
  const folder = testFolder();
  const outside = join(dirname(folder), 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'kept'), 'old');
  const body = `const own = new URL(import.meta.url).pathname;
    fs.symlinkSync(input.outside, 'link');
    return [${tried("fs.writeFileSync(input.outside + '/new', 'x')")}, ${tried("fs.writeFileSync('link/kept', 'x')")},
      ${tried("fs.writeFileSync(own, 'x')")}, ${tried("fs.writeFileSync('/etc/troupe-was-here', 'x')")}]`;
  const codes = JSON.parse(await said(body, { folder, input: { outside } })) as readonly string[];
  expect(codes.filter((code) => code === 'done')).toEqual([]);
  expect(readdirSync(outside)).toEqual(['kept']);
  expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('old');
  expect(existsSync('/etc/troupe-was-here')).toBe(false);
});

test('[L8] a tool reaches the network only where its role may', async () => {
  let visits = 0;
  const server = createServer((socket) => {
    visits += 1;
    socket.end('hello');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const body = `return await new Promise((resolve) => {
    const socket = net.connect(input.port, '127.0.0.1');
    socket.on('data', (data) => resolve(String(data))).on('error', (error) => resolve(error.code)); })`;
  expect(await said(body, { input: { port } })).toMatch(/^E(?:CONNREFUSED|NETUNREACH)$/);
  expect(visits).toBe(0);
  expect(await said(body, { input: { port }, network: true })).toBe('hello');
});

test('[L3] a flood of prints costs neither the answer nor what the agent has to read', async () => {
  const flood = `const line = 'x'.repeat(1024 * 1024) + '\\n'; for (let i = 0; i < 50; i += 1) for (const output of [1, 2]) fs.writeSync(output, line);`;
  expect(await said(`${flood} return 'ok'`)).toBe('ok');
  const content = await said(`${flood} fs.writeSync(1, 'the reason'); process.exit(1)`);
  expect(content.length).toBeLessThan(5000);
  expect(content).toMatch(/^The tool ended without an answer \(exit code 1\)\. It printed:\n\[…\]x+\n?[^]*the reason$/);
});

test('[L3] a forged reply is an answer or none, and never longer than answers may be', async () => {
  const forged = (text: string) => `fs.writeSync(4, ${text}); process.exit(0)`;
  expect(await said(forged(`'{"content":"mine","isError":false}'`))).toBe('mine');
  expect(await said(forged(`'[]'`))).toContain('without an answer');
  expect(await said(forged(`JSON.stringify({ content: 'x'.repeat(400_000), isError: false })`))).toContain(
    'without an answer',
  );
});
