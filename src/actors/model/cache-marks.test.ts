import { afterEach, describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../core/model/json.ts';
import type { SeenMessage } from '../../core/look/view.ts';
import { sampleRequest } from '../actor.contract.ts';
import type { CallRequest } from '../port.ts';
import { startScriptedServer, type ScriptedServer } from '../scripted/scripted-server.ts';
import { createModelActor } from './model-actor.ts';
import type { ModelConfig } from './model-config.ts';

const user = (content: string): SeenMessage => ({ role: 'user', content });
const meta = {
  provider: 'anthropic',
  model: 'stub-1',
  parts: [
    { kind: 'reasoning', text: 'Hm.', options: { anthropic: { signature: 's' } } },
    { kind: 'text', length: 6 },
  ],
};
const round = (id: string): SeenMessage[] => [
  { role: 'assistant', content: 'I see.', toolCalls: [{ id, name: 'list', arguments: {} }] },
  { role: 'tool', content: `files of ${id}`, toolCallId: id, toolName: 'list' },
];

describe('[A5] cache marks for Anthropic', () => {
  test('a first call marks both system texts, the first part and the newest one', async () => {
    const { body, marked } = await sent({}, [user('The diff.'), user('The order.'), user('Your part.')]);
    expect(marked).toEqual(['Shared.', 'You write code.', 'The diff.', 'Your part.']);
    expect(body['cache_control']).toBeUndefined();
  });

  test('later calls mark the newest block and the one that was the newest before, and never more than four', async () => {
    const talk = [user('The diff.'), user('The order.'), ...round('c1'), ...round('c2'), ...round('c3')];
    expect((await sent({}, talk)).marked).toEqual(['Shared.', 'You write code.', 'files of c2', 'files of c3']);
    const first = talk.slice(0, 4);
    expect((await sent({}, first)).marked).toEqual(['Shared.', 'You write code.', 'The order.', 'files of c1']);
  });

  test('reasoning carries no mark, even where it is the newest block', async () => {
    const { body, marked } = await sent({}, [user('Go.'), { role: 'assistant', content: 'I see.', meta }]);
    expect(marked).toEqual(['Shared.', 'You write code.', 'Go.']);
    expect(JSON.stringify(body['messages'])).toContain('"thinking"');
  });

  test('an hour is asked for by every mark, and "off" sends none', async () => {
    const { marks } = await sent({ caching: '1h' }, [user('Go.')]);
    expect(marks).toEqual(marks.map(() => ({ type: 'ephemeral', ttl: '1h' })));
    expect((await sent({ caching: 'off' }, [user('Go.')])).marks).toEqual([]);
  });
});

describe('[A5] caching at OpenAI', () => {
  const openai = { provider: 'openai', model: 'gpt-6.1' } as const;

  test('a run has one key, also for the runs below it', async () => {
    const { body } = await sent({ ...openai, model: 'gpt-5.1' }, [user('Go.')]);
    expect(body['prompt_cache_key']).toBe('run-1');
    const below = await sent(openai, [user('Go.')], { run: 'run-1/t3/t1' as CallRequest['run'] });
    expect(below.body['prompt_cache_key']).toBe('run-1');
  });

  test('models since GPT-5.6 get breakpoints on what is shared; they mark the newest message themselves', async () => {
    const talk = [user('The diff.'), user('Your part.')];
    expect((await sent(openai, talk)).marked).toEqual(['Shared.', 'You write code.', 'The diff.']);
    expect((await sent(openai, [...talk, ...round('c1')])).marked).toEqual(['Shared.', 'You write code.']);
    expect((await sent({ ...openai, model: 'gpt-5.5' }, talk)).marked).toEqual([]);
  });

  test('lifetime and "off" are said in the words of the model', async () => {
    const talk = [user('Go.')];
    const hour = { ...openai, caching: '1h' } as const;
    expect((await sent(hour, talk)).body['prompt_cache_options']).toEqual({ ttl: '12h' });
    expect((await sent({ ...hour, model: 'gpt-5.1' }, talk)).body['prompt_cache_retention']).toBe('24h');
    const off = await sent({ ...openai, caching: 'off' }, talk);
    expect(off.body).toMatchObject({ prompt_cache_options: { mode: 'explicit' } });
    expect(off.body['prompt_cache_key']).toBeUndefined();
    expect(off.marked).toEqual([]);
  });
});

test('[A5] compatible endpoints get one system message, plain text and no marks', async () => {
  const { body, marks } = await sent({ provider: 'openai-compatible' }, [user('One.'), user('Two.')]);
  expect(marks).toEqual([]);
  expect(body['messages']).toEqual([
    { role: 'system', content: 'Shared.\n\nYou write code.' },
    { role: 'user', content: 'One.\n\nTwo.' },
  ]);
});

describe('[A5] an endpoint that refuses marks', () => {
  test.each([
    ['anthropic', 'stub-1', 'cache_control'],
    ['openai', 'gpt-6.1', 'prompt_cache_breakpoint'],
    ['openai', 'gpt-5.1', 'prompt_cache_key'],
  ] as const)(
    '%s, %s: the call is sent once more without, and later calls have none',
    async (provider, model, field) => {
      const server = await started({ refuses: field });
      const config = { provider, model, baseUrl: server.url };
      const first = await reply(config);
      expect(first).toMatchObject({ kind: 'answered', usage: { calls: 1 } });
      expect(server.requests.map(({ body }) => JSON.stringify(body).includes(field))).toEqual([true, false]);
      // Another actor of the same process knows it too.
      expect(await reply(config)).toMatchObject({ kind: 'answered' });
      expect(server.requests).toHaveLength(3);
      expect(JSON.stringify(server.requests[2]?.body)).not.toContain(field);
    },
  );

  test('a refusal for another reason is not tried again', async () => {
    const server = await started({ refuses: 'max_tokens' });
    const refused = await reply({ provider: 'anthropic', baseUrl: server.url });
    expect(refused).toMatchObject({ kind: 'failed', failure: { code: 'REQUEST_REFUSED' } });
    expect(server.requests).toHaveLength(1);
  });
});

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function started(options: Parameters<typeof startScriptedServer>[0]): Promise<ScriptedServer> {
  const server = await startScriptedServer(options);
  servers.push(server);
  return server;
}

async function reply(config: Partial<ModelConfig>, change: Partial<CallRequest> = {}) {
  const request = sampleRequest({ shared: 'Shared.', messages: [user('Go.')], ...change });
  const actor = createModelActor({ name: 'stub', provider: 'anthropic', model: 'stub-1', ...config });
  return await actor.call(request, { signal: new AbortController().signal });
}

/** The body that left, its marks, and the text of the blocks that carry them. */
async function sent(
  config: Partial<ModelConfig>,
  messages: readonly SeenMessage[],
  change: Partial<CallRequest> = {},
): Promise<{ body: JsonObject; marks: Json[]; marked: Json[] }> {
  const server = await started({});
  await reply({ ...config, baseUrl: server.url }, { messages, ...change });
  const body = server.requests[0]?.body;
  if (!isJsonObject(body)) throw new Error('Nothing was sent.');
  const found: { mark: Json; block: JsonObject }[] = [];
  collect(body, found);
  return { body, marks: found.map(({ mark }) => mark), marked: found.map(({ block }) => textOf(block)) };
}

function textOf(block: JsonObject): Json {
  return block['text'] ?? block['content'] ?? block['output'] ?? null;
}

function collect(value: Json, found: { mark: Json; block: JsonObject }[]): void {
  if (Array.isArray(value)) for (const one of value as readonly Json[]) collect(one, found);
  if (!isJsonObject(value)) return;
  const mark = value['cache_control'] ?? value['prompt_cache_breakpoint'];
  if (mark !== undefined) found.push({ mark, block: value });
  // Anthropic puts the system before the messages, whatever the order of the body.
  const { system, ...rest } = value;
  if (system !== undefined) collect(system, found);
  for (const one of Object.values(rest)) if (one !== undefined) collect(one, found);
}
