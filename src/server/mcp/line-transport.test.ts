import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { LineTransport, type LineBounds } from './line-transport.ts';

const BOUNDS: LineBounds = { lineBytes: 1000, requests: 3, bytes: 1500 };

interface Talk {
  readonly transport: LineTransport;
  readonly input: PassThrough;
  readonly heard: readonly JSONRPCMessage[];
  /** What it wrote so far. */
  readonly answers: () => readonly Answer[];
  readonly say: (text: string | Buffer) => Promise<void>;
}

interface Answer {
  readonly id: string | number | null;
  readonly error?: { readonly code: number; readonly message: string };
}

async function talk(bounds = BOUNDS): Promise<Talk> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new LineTransport(input, output, bounds);
  const heard: JSONRPCMessage[] = [];
  transport.onmessage = (message) => void heard.push(message);
  await transport.start();
  let text = '';
  output.on('data', (piece: Buffer) => (text += piece.toString()));
  return {
    transport,
    input,
    heard,
    answers: () =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Answer),
    say: async (words) => {
      input.write(words);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const request = (id: number | string, more = ''): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping', params: { more } })}\n`;

test('[U9] what is no message is answered by its kind of error, and what follows is heard', async () => {
  const { say, answers, heard } = await talk();
  await say('hello\n');
  await say(Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]));
  await say('[]\n[1]\n{}\n7\nnull\n{"jsonrpc":"1.0","id":4,"method":"x"}\n{"jsonrpc":"2.0","id":"five","method":7}\n');
  await say(`${'x'.repeat(1001)}\n\n\r\n`);
  await say(request(1));
  expect(answers().map(({ id, error }) => [id, error?.code])).toEqual([
    [null, -32_700],
    [null, -32_700],
    [null, -32_600],
    [null, -32_600],
    [null, -32_600],
    [null, -32_600],
    [null, -32_600],
    [4, -32_600],
    ['five', -32_600],
    [null, -32_600],
  ]);
  expect(answers().at(-1)?.error?.message).toBe('A line may have 1000 bytes at most; a longer one was left out.');
  expect(heard).toMatchObject([{ id: 1, method: 'ping' }]);
});

test('[U9] a message may come in pieces, cut in the middle of a letter', async () => {
  const { say, heard, answers } = await talk();
  const bytes = Buffer.from(request(1, 'ä€😀'));
  for (let at = 0; at < bytes.length; at += 1) await say(bytes.subarray(at, at + 1));
  expect(heard).toMatchObject([{ params: { more: 'ä€😀' } }]);
  expect(answers()).toEqual([]);
});

test('[U9] more requests than are worked on at once are refused by name, and answers make room', async () => {
  const { say, heard, answers, transport } = await talk();
  await say([1, 2, 3, 4].map((id) => request(id)).join(''));
  await say(request(2));
  expect(heard).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
  expect(answers()).toMatchObject([
    { id: 4, error: { code: -32_000, message: expect.stringContaining('3 requests are not answered yet') } },
    { id: 2, error: { code: -32_600 } },
  ]);
  await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
  await say(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } })}\n`);
  await say(request(5) + request(6) + request(7));
  expect(heard.flatMap((message) => ('id' in message ? [message.id] : []))).toEqual([1, 2, 3, 5, 6]);
});

test('[U9] what waits for an answer has so many bytes at most', async () => {
  const { say, answers, heard } = await talk();
  await say(request(1, 'x'.repeat(800)) + request(2, 'x'.repeat(800)) + request(3));
  expect([answers().map(({ id }) => id), heard.length]).toEqual([[2], 2]);
});

test('[U9] nothing more is read while the caller takes no answers', async () => {
  const [input, output] = [new PassThrough(), new PassThrough({ highWaterMark: 64 })];
  const transport = new LineTransport(input, output, BOUNDS);
  await transport.start();
  const paused = once(input, 'pause');
  input.write('nonsense\n');
  await paused;
  const resumed = once(input, 'resume');
  output.resume();
  await resumed;
  expect(input.isPaused()).toBe(false);
});

test('[U9] a caller that takes no more answers has hung up, though the input is open', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new LineTransport(input, output, BOUNDS);
  const errors: Error[] = [];
  transport.onerror = (error) => void errors.push(error);
  await transport.start();
  const closed = once(input, 'close');
  output.destroy(new Error('broken pipe'));
  await closed;
  expect(errors.map(({ message }) => message)).toEqual(['broken pipe']);
});

test('[U9] an input that ends in the middle of a line is reported', async () => {
  const { input, answers, transport } = await talk();
  const { promise, resolve } = Promise.withResolvers<void>();
  transport.onclose = resolve;
  input.end('{"jsonrpc":');
  await promise;
  expect(answers()).toMatchObject([{ id: null, error: { code: -32_700, message: expect.stringContaining('middle') } }]);
  await expect(transport.send({ jsonrpc: '2.0', id: 1, result: {} })).rejects.toThrow('over');
});
