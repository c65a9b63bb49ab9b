import { describe, expect, test } from 'vitest';
import type { Json } from '../../../core/model/json.ts';
import { readChat } from './chat-reply.ts';
import { EventStream } from './event-stream.ts';
import { readerOf } from './post.ts';

const ignore = (): void => undefined;
const encoder = new TextEncoder();

const read = (body: AsyncIterable<Uint8Array>, onText: (text: string) => void = ignore, drop = ignore) =>
  readChat({ read: readerOf(body), drop }, onText);

async function* bytes(text: string, size = text.length * 4): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  const all = encoder.encode(text);
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}

const events = (...chunks: readonly Json[]): AsyncGenerator<Uint8Array> =>
  bytes(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''));

const delta = (change: Json, finish: string | null = null): Json => ({
  choices: [{ delta: change, finish_reason: finish }],
});

const calls = (...deltas: readonly Json[]): AsyncGenerator<Uint8Array> =>
  events(...deltas.map((call) => delta({ tool_calls: [call] })), delta({}, 'tool_calls'));

const called = async (...deltas: readonly Json[]) => (await read(calls(...deltas))).calls;

describe('[U4] the events of a stream', () => {
  test.each([1, 2, 3, 7, 1000])('are the same in pieces of %i bytes', async (size) => {
    const text =
      '\uFEFFdata: first\n\n: hello\r\n\r\nevent: x\ndata:ä\ndata: €\r\n\r\nid: 1\n\ndata: {"a":1}\n\ndata: last\ndata: cut';
    const found: string[] = [];
    const reader = new EventStream((data) => found.push(data));
    for await (const piece of bytes(text, size)) reader.take(piece);
    reader.end();
    expect(found).toEqual(['first', 'ä\n€', '{"a":1}', 'last']);
  });
});

describe('[SM4] the calls of a reply', () => {
  test('come in pieces, each under its index', async () => {
    const got = await called(
      { index: 0, id: 'a', function: { name: 'read', arguments: '{"pa' } },
      { index: 1, id: 'b', function: { name: 'list', arguments: '' } },
      { index: 0, function: { arguments: 'th":1}' } },
    );
    expect(got).toEqual([
      { id: 'a', name: 'read', arguments: { path: 1 } },
      { id: 'b', name: 'list', arguments: {} },
    ]);
  });

  test.each([
    ['no index', null],
    ['one index for all', 0],
  ])('are distinguished for a server that sends %s', async (_, index) => {
    const got = await called(
      { index, id: 'a', function: { name: 'read', arguments: '{"n":1}' } },
      { index, id: 'b', function: { name: 'read', arguments: '{"n":' } },
      { index, id: index === null ? 'b' : null, function: { arguments: '2}' } },
    );
    expect(got.map(({ id, arguments: value }) => [id, value])).toEqual([
      ['a', { n: 1 }],
      ['b', { n: 2 }],
    ]);
  });

  test('get unique ids if a server omits or repeats them', async () => {
    const call = { function: { name: 'list', arguments: '{}' } };
    expect((await called(call, call)).map(({ id }) => id)).toEqual(['call_1', 'call_2']);
    const named = { index: 0, id: 'x', ...call };
    expect((await called(named, named)).map(({ id }) => id)).toEqual(['x', 'x_2']);
  });

  test('may have their name repeated with each piece, or only after the first', async () => {
    const repeated = await called(
      { index: 0, id: 'a', function: { name: 'read', arguments: '{"n":' } },
      { index: 0, id: 'a', function: { name: 'read', arguments: '1}' } },
    );
    const late = await called(
      { index: 0, id: 'a', function: { arguments: '{"n":' } },
      { index: 0, function: { name: 'read', arguments: '1}' } },
    );
    expect([repeated, late]).toEqual([[{ id: 'a', name: 'read', arguments: { n: 1 } }], repeated]);
  });

  test('may have an object for arguments; a number is none', async () => {
    const got = await read(
      calls(
        { index: 0, id: 'a', function: { name: 'read', arguments: { path: 'x' } } },
        { index: 1, id: 'b', function: { name: 'read', arguments: 7 } },
      ),
    );
    expect(got.calls.map((call) => call.arguments)).toEqual([{ path: 'x' }, 7]);
    expect(Object.keys(got.malformed)).toEqual(['b']);
  });

  test('without a name are no answer', async () => {
    const reply = await read(calls({ index: 0, id: 'a', function: { arguments: '{}' } }));
    expect(String(reply.error?.cause)).toContain('without its name');
  });

  test('keep the seal of the thoughts that led to them', async () => {
    const signed = { extra_content: { google: { thought_signature: 'seal' } } };
    const { parts } = await read(calls({ index: 0, id: 'a', function: { name: 'list' }, ...signed }));
    expect(parts).toEqual([{ kind: 'call', id: 'a', options: { endpoint: { thoughtSignature: 'seal' } } }]);
  });
});

test('[U4] thoughts and text are separated, also as a list of parts', async () => {
  const heard: string[] = [];
  const thinking = [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }];
  const reply = await read(
    events(
      delta({ content: thinking }),
      delta({ reasoning_content: ' So.' }),
      delta({ content: [{ type: 'text', text: 'Yes' }] }),
      delta({ content: '.' }, 'stop'),
    ),
    (text) => heard.push(text),
  );
  expect(reply).toMatchObject({ finish: 'stop', parts: [{ text: 'Hm. So.' }, { text: 'Yes.' }] });
  expect(heard).toEqual(['Yes', '.']);
});

test('[L3] an end with an error is no answer', async () => {
  expect(await read(events(delta({ content: 'Half' }, 'error')))).toMatchObject({ finish: 'error' });
});

test('[L3] a refusal is withheld content, also when the model stopped by itself', async () => {
  const reply = await read(events(delta({ refusal: 'I cannot.' }, 'stop')));
  expect(reply).toMatchObject({ finish: 'content-filter', parts: [{ text: 'I cannot.' }] });
});

test('[L3] an event that is none ends the reply, and so does the word of its end', async () => {
  expect((await read(bytes('data: {"a"\n\n'))).error?.cause).toBeInstanceOf(SyntaxError);
  expect(String((await read(events([1]))).error?.cause)).toContain('no JSON object');
  expect(String((await read(events({ a: 1 }))).error?.cause)).toContain('no choices');
  expect((await read(events({ object: 'error', message: 'Out of memory.' }))).error?.cause).toMatchObject({
    message: 'Out of memory.',
  });
  const after = await read(bytes('data: [DONE]\n\ndata: nonsense\n\n'));
  expect([after.error, after.finish]).toEqual([null, null]);
});

test('[L3] a reply that was said to its end counts, however its connection ends', async () => {
  const said = `data: ${JSON.stringify(delta({ content: 'Yes.' }, 'stop'))}\n\ndata: [DONE]\n\n`;
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield* bytes(said);
    throw new Error('reset');
  }
  expect(await read(broken())).toMatchObject({ finish: 'stop', error: null });
  const dropped = Promise.withResolvers<void>();
  async function* hanging(): AsyncGenerator<Uint8Array> {
    yield* bytes(said);
    await dropped.promise;
  }
  expect(await read(hanging(), ignore, dropped.resolve)).toMatchObject({ finish: 'stop', error: null });
});

test('[A5] what was found in a cache is counted, also under the name that DeepSeek has for it', async () => {
  const counted = async (change: Json) => {
    const usage = { prompt_tokens: 100, completion_tokens: 5, ...(change as object) };
    return (await read(events({ choices: [], usage }))).usage;
  };
  const usage = { inputTokens: 100, outputTokens: 5, cacheReadTokens: 64, cacheWriteTokens: 0, calls: 1 };
  expect(await counted({ prompt_cache_hit_tokens: 64 })).toEqual(usage);
  expect(await counted({ prompt_tokens_details: { cached_tokens: 64 } })).toEqual(usage);
  expect(await counted({ prompt_tokens: null })).toBeNull();
});
