import { spawn } from 'node:child_process';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../src/journal/postgres/testing/test-cluster.ts';
import type { Tool } from '../../src/tools/port.ts';
import { openServers } from '../../src/tools/mcp/server-tools.ts';
import type { McpServerSettings } from '../../src/tools/mcp/endpoint.ts';
import { call } from '../../src/tools/testing/test-folder.ts';
import { testSandbox } from '../../src/tools/testing/test-sandbox.ts';
import { findClient } from './find-client.ts';

// A large program, on machines that may be busy with others.
vi.setConfig({ testTimeout: 60_000 });

const { isMissing, program, title } = findClient('mcp-server-everything');
const service = { sandbox: testSandbox(), hidden: [], environment: process.env };

/** The same program as a server at an address. */
async function atAddress(): Promise<McpServerSettings> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [program, 'streamableHttp'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const listening = Promise.withResolvers<void>();
  for (const output of [child.stdout, child.stderr]) {
    output.on('data', (chunk: Buffer) => chunk.toString().includes(String(port)) && listening.resolve());
  }
  child.on('exit', () => listening.reject(new Error('The server ended.')));
  await listening.promise;
  return { url: `http://127.0.0.1:${port}/mcp`, mode: 'write' };
}

const PLACES = [
  ['stdio', () => Promise.resolve<McpServerSettings>({ command: [process.execPath, program], mode: 'write' })],
  ['HTTP', atAddress],
] as const;

describe.skipIf(isMissing)(`the real server ${title}`, () => {
  test.each(PLACES)('[A9] its tools are offered and called over %s', async (_, settings) => {
    const { tools, problems, close } = await openServers({ all: await settings() }, service);
    onTestFinished(close);
    expect(problems).toEqual([]);
    const names = tools.map(({ spec }) => spec.name);
    expect(names.length).toBeGreaterThan(5);
    expect(names).toContain('mcp__all__echo');
    const used = (name: string, input = {}) =>
      call(tools.find(({ spec }) => spec.name === `mcp__all__${name}`) as Tool, input, { folder: '/nowhere' });
    expect(await used('echo', { message: 'hi' })).toEqual({ content: 'Echo: hi', isError: false });
    expect(await used('echo')).toMatchObject({ isError: true, content: expect.stringContaining('message') });
    const sum = await used('get-sum', { a: 2, b: 3 });
    expect(sum).toMatchObject({ isError: false, content: expect.stringContaining('5') });
    expect((await used('get-tiny-image')).content).toContain('[image, image/png,');
  });
});
