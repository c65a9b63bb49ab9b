import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { compressedAnswers } from './compressed-answers.ts';

const LONG = { words: 'a run of many words '.repeat(2000) };

function app(): Hono {
  const made = new Hono();
  made.use(compressedAnswers());
  made.get('/long', (context) => context.json(LONG));
  made.get('/short', (context) => context.json({ ok: true }));
  made.get('/file', (context) =>
    context.body(JSON.stringify(LONG), 200, { 'Content-Type': 'application/json', 'Content-Length': '40013' }),
  );
  made.get('/stream', (context) =>
    context.body('data: x\n\n'.repeat(4000), 200, { 'Content-Type': 'text/event-stream' }),
  );
  return made;
}

const ask = async (path: string, encoding?: string) =>
  await app().request(path, { headers: encoding === undefined ? {} : { 'accept-encoding': encoding } });

const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());

test('[U2] long JSON is compressed in the way that the client names', async () => {
  const brotli = await ask('/long', 'gzip, deflate, br');
  expect([brotli.status, brotli.headers.get('content-encoding')]).toEqual([200, 'br']);
  expect(brotli.headers.get('content-type')).toContain('application/json');
  const bytes = await bytesOf(brotli);
  expect(bytes.length).toBeLessThan(1000);
  expect(JSON.parse(brotliDecompressSync(bytes).toString())).toEqual(LONG);
  const zipped = await ask('/long', 'gzip');
  expect(zipped.headers.get('content-encoding')).toBe('gzip');
  expect(JSON.parse(gunzipSync(await bytesOf(zipped)).toString())).toEqual(LONG);
});

test.for([
  ['/long', undefined],
  ['/long', 'identity'],
  ['/short', 'br'],
  ['/file', 'br'],
  ['/stream', 'br'],
] as const)('[U2] %s asked for with %s is sent as it is', async ([path, encoding]) => {
  const answer = await ask(path, encoding);
  expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, null]);
  expect((await bytesOf(answer)).length).toBeGreaterThan(0);
});
