import { expect, test } from 'vitest';
import { defineTool, refusedTool } from './define-tool.ts';
import { isPassing, isPassingStatus, Passing } from './passing.ts';
import type { ToolServices } from './port.ts';
import { testServer } from './testing/test-server.ts';
import { webFetchTool } from './web-fetch.ts';
import { webSearchTool } from './web-search.ts';

const failing = (code: string): Error => Object.assign(new Error(code), { code });

test.for<[string, unknown, boolean]>([
  ['no listener', failing('ECONNREFUSED'), true],
  ['the connection broke', failing('ECONNRESET'), true],
  ['no name server answers', failing('EAI_AGAIN'), true],
  ['a file is in use', failing('EBUSY'), true],
  ['too many processes', failing('EAGAIN'), true],
  ['a reason behind another', new TypeError('fetch failed', { cause: failing('ETIMEDOUT') }), true],
  ['a server in trouble', Object.assign(new Error('503'), { status: 503 }), true],
  ['said so', new Passing('Later.'), true],
  ['no such file', failing('ENOENT'), false],
  ['no such name', failing('ENOTFOUND'), false],
  ['not allowed', failing('EACCES'), false],
  ['a server that does not want it', Object.assign(new Error('404'), { status: 404 }), false],
  ['any error', new Error('No.'), false],
  ['no error at all', 'ECONNREFUSED', false],
])('[PH6] %s', ([, error, passes]) => {
  expect(isPassing(error)).toBe(passes);
});

test('[PH6] statuses that pass are those of a server in trouble', () => {
  const passing = [200, 301, 400, 401, 403, 404, 408, 410, 422, 425, 429, 500, 501, 502, 503, 504].filter(
    isPassingStatus,
  );
  expect(passing).toEqual([408, 425, 429, 500, 502, 503, 504]);
});

const context = (services: ToolServices = {}) => ({ folder: '/', signal: new AbortController().signal, services });

test('[PH6] a tool that throws something passing says so; one that refuses or was cancelled does not', async () => {
  const throwing = (error: Error) =>
    defineTool({
      name: 't',
      description: '',
      parameters: {},
      repeat: 'safe',
      access: 'talk',
      run: () => {
        throw error;
      },
    });
  expect(await throwing(failing('EBUSY')).run({}, context())).toEqual({
    content: 'EBUSY',
    isError: true,
    transient: true,
  });
  expect(await throwing(failing('ENOENT')).run({}, context())).toEqual({ content: 'ENOENT', isError: true });
  expect(await throwing(failing('EBUSY')).run({}, { ...context(), signal: AbortSignal.abort() })).toEqual(
    refusedTool('Cancelled before it was finished.'),
  );
});

test.for([
  [503, true],
  [429, true],
  [404, false],
  [200, undefined],
] as const)('[PH6] a page with status %i', async ([status, isTransient]) => {
  const { host, url } = await testServer((_request, response) => response.writeHead(status).end('words'));
  const result = await webFetchTool.run({ url }, context({ web: { allow: [host] } }));
  expect(result.isError).toBe(status !== 200);
  expect(result.transient).toBe(isTransient === true ? true : undefined);
});

test('[PH6] a page that does not come in time, or has no server, may come later', async () => {
  const { host, url } = await testServer(() => undefined);
  const late = await webFetchTool.run({ url }, context({ web: { allow: [host], timeoutMs: 50 } }));
  expect(late).toEqual({ content: 'No answer within 0.05 s.', isError: true, transient: true });
  const gone = await webFetchTool.run({ url: 'http://127.0.0.1:1' }, context({ web: { allow: ['127.0.0.1:1'] } }));
  expect(gone).toMatchObject({ isError: true, transient: true });
  const forbidden = await webFetchTool.run({ url: 'http://127.0.0.1:1' }, context({ web: { allow: [] } }));
  expect(forbidden.transient).toBeUndefined();
});

test('[PH6] a name that no server resolves may resolve later; one that does not exist will not', async () => {
  const ask = async (code: string) =>
    await webFetchTool.run(
      { url: 'http://a.example' },
      context({ web: { allow: ['a.example'], resolve: () => Promise.reject(failing(code)) } }),
    );
  expect(await ask('EAI_AGAIN')).toMatchObject({
    content: 'The name a.example could not be resolved.',
    transient: true,
  });
  expect((await ask('ENOTFOUND')).transient).toBeUndefined();
});

test('[PH6] a search that is down may come up again; one that refuses its key will not', async () => {
  const search = async (status: number) => {
    const { url } = await testServer((_request, response) => response.writeHead(status).end('[]'));
    return await webSearchTool.run({ query: 'x' }, context({ search: { url: `${url}/?q={query}`, kind: 'json' } }));
  };
  expect(await search(502)).toMatchObject({ isError: true, transient: true });
  expect((await search(401)).transient).toBeUndefined();
  const gone = { url: 'http://127.0.0.1:1/?q={query}', kind: 'json' } as const;
  expect(await webSearchTool.run({ query: 'x' }, context({ search: gone }))).toMatchObject({ transient: true });
  // One that hangs up is as good as none.
  const { url } = await testServer(({ socket }) => socket.destroy());
  const server = { url, tool: 'search' };
  expect(await webSearchTool.run({ query: 'x' }, context({ search: { mcp: server } }))).toMatchObject({
    transient: true,
  });
});
