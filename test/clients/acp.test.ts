import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { actorContract, sampleRole } from '../../src/actors/actor.contract.ts';
import { createAcpActor, type AcpOptions } from '../../src/actors/clients/acp/acp-actor.ts';
import { plainAgent, type AcpAgent } from '../../src/actors/clients/acp/acp-agent.ts';
import type { Actor, ClientOrder, ClientPrompt, PermissionRequest } from '../../src/actors/port.ts';
import { COMPLETE, testDesk, testOffice } from '../../src/host/desk/testing/desk-bench.ts';
import { callWith, clientRig, ordering, processesWith, until, type Place } from './client-rig.ts';
import { orderOf, type ScriptedStep } from './scripted-acp-step.ts';

// Each turn starts a process in a sandbox, on machines that may be busy with others.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const program = join(import.meta.dirname, 'scripted-acp-agent.ts');
const rig = clientRig({ isMissing: false, program, title: 'a scripted agent' });
const NEW: Partial<ClientOrder> = { session: { how: 'new', id: null } };

interface Change extends Partial<AcpOptions> {
  /** Words on the agent's command line. */
  readonly words?: readonly string[];
  readonly about?: Partial<AcpAgent>;
}

function scripted({ words = [], about = {}, ...change }: Change = {}): Actor {
  const command = [process.execPath, '--no-warnings', program, ...words];
  return createAcpActor({
    agent: { ...plainAgent({ name: 'scripted', command, variables: ['SCRIPTED_'] }), ...about },
    command,
    openSandbox: rig.openSandbox,
    environment: {
      PATH: process.env['PATH'],
      SCRIPTED_KEY: 'sk-scripted-1',
      SECRET_OF_THE_USER: 'nobody may see this',
    },
    ...change,
  });
}

const orderIn = (place: Place, steps: readonly ScriptedStep[], change: Partial<ClientOrder> = {}): ClientOrder =>
  place.order(orderOf('Go.', steps), { ...NEW, ...change });

const callScripted = (steps: readonly ScriptedStep[], change: Change = {}, order: Partial<ClientOrder> = {}) =>
  callWith(scripted(change), orderIn(rig.place(), steps, order));

const isQuiet = { role: { ...sampleRole, systemMessage: '' } };

test('[Q4] says hello: text, usage of the turn, and the id of its conversation before anything else is said', async () => {
  const ids: string[] = [];
  const usage = { inputTokens: 10, outputTokens: 2, cachedReadTokens: 5, cachedWriteTokens: 0, totalTokens: 17 };
  const steps: ScriptedStep[] = [{ say: 'Hel' }, { say: 'lo.' }, { end: { stopReason: 'end_turn', usage } }];
  const { reply, text, lines } = await callWith(scripted(), orderIn(rig.place(), steps), {
    options: { onSession: async (id) => void ids.push(id) },
  });
  expect(reply).toEqual({
    kind: 'answered',
    content: 'Hello.',
    toolCalls: [],
    usage: { inputTokens: 15, outputTokens: 2, cacheReadTokens: 5, cacheWriteTokens: 0, calls: 1 },
    costUsd: null,
    model: 'small',
  });
  expect(text).toBe('Hello.');
  expect(ids).toHaveLength(1);
  expect(lines.join('\n')).toContain(`"sessionId":"${ids[0]}"`);
});

test('[A2] hears what all agents share and its role in front of its first order', async () => {
  const place = rig.place();
  const request = { shared: 'The team.' };
  const given: ClientPrompt[] = [];
  const options = { onPrompt: (prompt: ClientPrompt) => given.push(prompt) };
  const { reply } = await callWith(scripted(), orderIn(place, [{ recall: true }]), { request, options });
  expect(reply).toMatchObject({ content: expect.stringMatching(/^The team\.\n\nYou write code\.\n\nGo\.\n/) });
  // It reports what it was really given: here the agent takes no system prompt.
  expect(given).toEqual([{ system: '', prompt: reply.kind === 'answered' ? reply.content : '' }]);
});

test('hears its role in front of the order, and has nothing of the user that is not its own', async () => {
  const { reply } = await callScripted([{ recall: true }]);
  expect(reply).toMatchObject({ content: expect.stringMatching(/^You write code\.\n\nGo\.\n/) });
  const seen = await callScripted([{ environment: true }]);
  const names = seen.reply.kind === 'answered' ? seen.reply.content.split(' ') : [];
  expect(names).toContain('SCRIPTED_KEY');
  expect(names).not.toContain('SECRET_OF_THE_USER');
});

test('its pieces of text are separate where it did something in between, and its tools are reported', async () => {
  const call = { toolCallId: 't1', title: 'Run it', kind: 'execute', rawInput: { command: 'ls  -l' } };
  const { reply, text, activities } = await callScripted([
    { say: 'I look.' },
    { update: { sessionUpdate: 'tool_call', ...call, status: 'pending' } },
    { update: { sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'completed' } },
    { update: { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'Hm.' } } },
    { say: 'I saw.' },
  ]);
  expect(reply).toMatchObject({ kind: 'answered', content: 'I saw.' });
  expect(text).toBe('I look.\n\nI saw.');
  expect(activities).toEqual([{ id: 't1', kind: 'tool', name: 'execute', status: 'ok', text: 'ls -l' }]);
});

test('a model is chosen where it offers that; one that it does not have fails the turn before it begins', async () => {
  expect((await callScripted([{ say: 'Yes.' }], { model: 'large' })).reply).toMatchObject({
    kind: 'answered',
    model: 'large',
  });
  const { reply } = await callScripted([{ say: 'Yes.' }], { model: 'huge' });
  expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'config', code: 'MODEL_NOT_OFFERED' } });
});

test.each([
  ['over HTTP', [], 'http: Received.'],
  ['by a program that passes it on, where it has no HTTP', ['--no-http'], 'stdio: Received.'],
])('[Q2] hands in a signal %s', async (_, words, content) => {
  const desk = await testDesk(await testOffice());
  const { reply, lines } = await callScripted([{ signal: COMPLETE }], { words }, { desk });
  expect(reply).toMatchObject({ kind: 'answered', content });
  expect(desk.accepted).toMatchObject([{ name: 'signal_back', arguments: { signal: 'complete' } }]);
  expect(lines.join('\n')).not.toContain(desk.headers['Authorization']?.slice('Bearer '.length) ?? 'none');
});

test('[A8] one that goes on after its signal was accepted is ended within its grace time, and its signal counts', async () => {
  const desk = await testDesk(await testOffice());
  const limits = { idleMs: 60_000, wallMs: 60_000, graceMs: 300 };
  const { reply } = await callScripted([{ signal: COMPLETE }, { hang: true }], { words: ['--deaf'] }, { desk, limits });
  expect(reply).toMatchObject({ kind: 'failed', failure: { code: 'CLIENT_WENT_ON' } });
  expect(desk.accepted).toMatchObject([{ name: 'signal_back', arguments: { signal: 'complete' } }]);
});

test('[A8] one that would go on after its accepted signal is cancelled when it has heard so, and that is a good end', async () => {
  const desk = await testDesk(await testOffice());
  const { reply, lines } = await callScripted([{ signal: COMPLETE }, { hang: true }, { say: 'More.' }], {}, { desk });
  expect(reply).toMatchObject({ kind: 'answered', content: expect.stringContaining('http: Received.') });
  expect(lines.join('\n')).toContain('"stopReason":"cancelled"');
});

test('with a desk it may end without a word; without one that is no reply', async () => {
  const desk = await testDesk(await testOffice());
  const end: ScriptedStep[] = [{ end: { stopReason: 'end_turn' } }];
  expect((await callScripted(end, {}, { desk })).reply).toMatchObject({ kind: 'answered', content: '' });
  expect((await callScripted(end)).reply).toMatchObject({ kind: 'failed', failure: { class: 'bad-reply' } });
});

describe('[PH3] when it asks whether it may', () => {
  const ask = { toolCallId: 'a1', title: 'touch b.txt', kind: 'execute', rawInput: { command: 'touch b.txt' } };

  test('what the role may do is allowed for this once, without anybody being asked', async () => {
    const { reply } = await callScripted([{ ask }]);
    expect(reply).toMatchObject({ kind: 'answered', content: 'yes' });
  });

  test('what the mode does not allow is not, and is reported as denied', async () => {
    const { reply, activities } = await callScripted([{ ask }], {}, { mode: 'read' });
    expect(reply).toMatchObject({ content: 'no', denials: ['execute: touch b.txt'] });
    expect(activities).toMatchObject([{ id: 'a1', name: 'execute', status: 'denied' }]);
  });

  test.each([
    ['allowed', true, 'yes'],
    ['not allowed', false, 'no'],
  ])('what the role must ask for is asked for, and %s', async (_, isAllowed, content) => {
    const asked: PermissionRequest[] = [];
    const { reply } = await callWith(scripted(), orderIn(rig.place(), [{ ask }]), {
      request: { role: { ...sampleRole, ask: ['execute_terminal'] } },
      options: {
        onPermission: async (request) => {
          asked.push(request);
          return { isAllowed };
        },
      },
    });
    expect(asked).toEqual([{ tool: 'execute', input: { command: 'touch b.txt' }, reason: 'touch b.txt' }]);
    expect(reply).toMatchObject({ kind: 'answered', content });
  });

  test('without a person who could allow it, it may not', async () => {
    const { reply } = await callWith(scripted(), orderIn(rig.place(), [{ ask }]), {
      request: { role: { ...sampleRole, ask: ['execute_terminal'] } },
    });
    expect(reply).toMatchObject({ content: 'no' });
  });

  test('the sandbox holds it, whatever it thinks of its rights', async () => {
    const place = rig.place();
    const path = join(place.folder, 'a.txt');
    const { reply } = await callWith(scripted(), orderIn(place, [{ write: path }], { mode: 'read' }));
    expect(reply).toMatchObject({ content: expect.stringContaining('Not written') });
    expect((await callWith(scripted(), orderIn(place, [{ write: path }]))).reply).toMatchObject({
      content: 'Written.',
    });
    expect(existsSync(path)).toBe(true);
  });
});

describe('[Q4] conversations', () => {
  test.each([
    ['by loading it, without saying its history once more', []],
    ['by resuming it, where it can', ['--resume']],
  ])('goes on in one %s', async (_, words) => {
    const place = rig.place();
    const ids: string[] = [];
    const options = { onSession: async (id: string): Promise<void> => void ids.push(id) };
    const actor = scripted({ words });
    await callWith(actor, place.order('Remember teapot.', NEW), { options, request: isQuiet });
    const session = { how: 'resumed', id: ids[0] ?? '' } as const;
    const again = await callWith(actor, place.order(orderOf('Go on.', [{ recall: true }]), { session }), { options });
    expect(again.reply).toMatchObject({ content: expect.stringMatching(/^Remember teapot\. \| Go on\./) });
    expect(again.text).not.toContain('Said before.');
    expect(ids).toHaveLength(1);
  });

  test('two that go on in the same one at once do so one after the other', async () => {
    const place = rig.place();
    const ids: string[] = [];
    const options = { onSession: async (id: string): Promise<void> => void ids.push(id) };
    await callWith(scripted(), place.order('First.', NEW), { options, request: isQuiet });
    const session = { how: 'resumed', id: ids[0] ?? '' } as const;
    const order = place.order(orderOf('Go on.', [{ recall: true }]), { session });
    const replies = await Promise.all([callWith(scripted(), order), callWith(scripted(), order)]);
    const heard = replies.map(({ reply }) => (reply.kind === 'answered' ? reply.content.split(' | ').length : 0));
    expect(heard.toSorted((a, b) => a - b)).toEqual([2, 3]);
  });

  test('one that it does not know, and one that it cannot copy, are failures of class session', async () => {
    const lost = await callScripted([{ say: 'Yes.' }], {}, { session: { how: 'resumed', id: 'nobody' } });
    expect(lost.reply).toMatchObject({ kind: 'failed', failure: { class: 'session', code: 'SESSION_LOST' } });
    const copy = await callScripted([{ say: 'Yes.' }], {}, { session: { how: 'forked', from: 'nobody', id: null } });
    expect(copy.reply).toMatchObject({ kind: 'failed', failure: { class: 'session', code: 'SESSION_LOST' } });
  });

  test('[A3] the cost is that of the turn, though the agent tells that of the conversation', async () => {
    const place = rig.place();
    const ids: string[] = [];
    const options = { onSession: async (id: string): Promise<void> => void ids.push(id) };
    const cost = (amount: number): ScriptedStep[] => [
      { say: 'So much.' },
      { update: { sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount, currency: 'USD' } } },
    ];
    const first = await callWith(scripted(), orderIn(place, cost(0.5)), { options });
    const session = { how: 'resumed', id: ids[0] ?? '' } as const;
    const second = await callWith(scripted(), orderIn(place, cost(0.75), { session }), { options });
    expect(first.reply).toMatchObject({ costUsd: 0.5 });
    expect(second.reply).toMatchObject({ costUsd: 0.25 });
  });
});

describe('a login that has to be chosen', () => {
  const loginMethods = [{ id: 'key', variable: 'SCRIPTED_KEY' }];

  test('is chosen by what the user has', async () => {
    const { reply } = await callScripted([{ say: 'Yes.' }], { words: ['--login'], about: { loginMethods } });
    expect(reply).toMatchObject({ kind: 'answered', content: 'Yes.' });
  });

  test('is a failure of class auth where there is none', async () => {
    const { reply } = await callScripted([{ say: 'Yes.' }], { words: ['--login'] });
    expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'auth', code: 'AUTH_FAILED' } });
  });
});

describe('[Q5] failures', () => {
  test('one of which nothing is heard is stuck', async () => {
    const { reply } = await callScripted([{ hang: true }], {}, { limits: { idleMs: 3000, wallMs: 60_000 } });
    expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'timeout', code: 'CLIENT_STUCK' } });
  });

  test.each([
    ['max_tokens', { class: 'bad-reply', code: 'REPLY_TRUNCATED' }],
    ['max_turn_requests', { class: 'limit', code: 'CLIENT_LIMIT' }],
    ['refusal', { class: 'bad-request', code: 'REPLY_FILTERED' }],
    ['cancelled', { class: 'crash', code: 'CLIENT_FAILED' }],
  ])('a turn that ends with %s', async (stopReason, failure) => {
    const usage = { inputTokens: 3, outputTokens: 1, totalTokens: 4 };
    const { reply } = await callScripted([{ say: 'Well.' }, { end: { stopReason, usage } }]);
    expect(reply).toMatchObject({ kind: 'failed', failure, spent: { usage: { inputTokens: 3, outputTokens: 1 } } });
  });

  test('the words of an error say its class, and never a key', async () => {
    const fail = {
      code: -32_603,
      message: 'Internal error',
      data: { details: 'API Error: 401 sk-scripted-1 is wrong' },
    };
    const { reply } = await callScripted([{ fail }]);
    expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'auth' } });
    const strange = await callScripted([{ fail: { code: -32_603, message: 'sk-scripted-1 broke' } }]);
    expect(strange.reply).toMatchObject({ kind: 'failed', failure: { class: 'crash', code: 'CLIENT_FAILED' } });
    expect(JSON.stringify([reply, strange.reply])).not.toContain('sk-scripted-1');
  });

  test('an error that comes as last words is one, where an agent is known for it', async () => {
    const words = 'unexpected status 429 Too Many Requests: slow down';
    expect((await callScripted([{ say: words }])).reply.kind).toBe('answered');
    const { reply } = await callScripted([{ say: words }], { about: { errorWords: /^unexpected status/ } });
    expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'rate', code: 'RATE_LIMITED' } });
  });

  test('one that speaks another version of the protocol is refused', async () => {
    const { reply } = await callScripted([], { words: ['--version-2'] });
    expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'config', code: 'ACP_VERSION' } });
  });

  test('lines that are none of the protocol are reported, and the answer still counts', async () => {
    const { reply, activities } = await callScripted([
      { line: 'Warning: x' },
      { line: '{"jsonrpc":"2.0"}' },
      { say: 'Fine.' },
    ]);
    expect(reply).toMatchObject({ kind: 'answered', content: 'Fine.' });
    expect(activities).toMatchObject([{ kind: 'notice', text: expect.stringMatching(/^2 lines/) }]);
  });

  test('unknown messages are passed over, or refused where they ask', async () => {
    const { reply, activities } = await callScripted([
      { line: '{"jsonrpc":"2.0","method":"_new/thing","params":{}}' },
      { line: '{"jsonrpc":"2.0","id":77,"result":{}}' },
      { line: '{"jsonrpc":"2.0","id":"q","method":"fs/read_text_file","params":{"path":"/etc/passwd"}}' },
      { update: { sessionUpdate: 'plan', entries: [] } },
      { say: 'Fine.' },
    ]);
    expect(reply).toMatchObject({ kind: 'answered', content: 'Fine.' });
    expect(activities).toEqual([]);
  });

  test('[L7] one that crashes in the middle, and leaves nothing behind', async () => {
    const place = rig.place();
    const steps: ScriptedStep[] = [{ say: 'I begin.' }, { child: true }, { crash: 7 }];
    const { reply } = await callWith(scripted(), orderIn(place, steps));
    expect(processesWith(join(place.folder, 'left-behind'))).toEqual([]);
    expect(reply).toMatchObject({
      kind: 'failed',
      failure: { class: 'crash', code: 'CLIENT_CRASHED', message: expect.stringContaining('exit code 7') },
    });
  });

  test('one that says that it is done and then ends badly', async () => {
    const { reply } = await callScripted([{ say: 'Done.' }], { words: ['--bad-end'] });
    expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'crash', code: 'CLIENT_CRASHED' } });
  });

  test('one that stays when its input ends is stopped, and its answer counts', async () => {
    const { reply } = await callScripted([{ say: 'Done.' }], { words: ['--stay'], about: { staysAtEnd: true } });
    expect(reply).toMatchObject({ kind: 'answered', content: 'Done.' });
  });

  test('[L7] nothing that it leaves behind is left', async () => {
    const place = rig.place();
    const { reply } = await callWith(scripted(), orderIn(place, [{ child: true }, { say: 'Done.' }]));
    expect(reply).toMatchObject({ kind: 'answered', content: 'Done.' });
    expect(processesWith(join(place.folder, 'left-behind'))).toEqual([]);
  });

  test('[A2] cancelled, it ends its turn by itself; and one that hears nothing is killed', async () => {
    for (const words of [[], ['--deaf']]) {
      const controller = new AbortController();
      const pending = callWith(scripted({ words }), orderIn(rig.place(), [{ say: 'I begin.' }, { hang: true }]), {
        options: { signal: controller.signal, onText: () => controller.abort() },
      });
      const { reply, lines } = await pending;
      expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'cancelled' } });
      expect(lines.some((line) => line.includes('"stopReason":"cancelled"'))).toBe(words.length === 0);
    }
  });

  test('what keeps it from starting is a failure of class config', async () => {
    const missing = await callWith(scripted({ command: ['/nowhere/agent'] }), rig.place().order('Go.', NEW));
    expect(missing.reply).toMatchObject({ kind: 'failed', failure: { class: 'config', code: 'CLIENT_MISSING' } });
  });

  test('a conversation that cannot be written down is not begun', async () => {
    const { reply, text } = await callWith(scripted(), orderIn(rig.place(), [{ say: 'Yes.' }]), {
      options: { onSession: () => Promise.reject(new Error('The disk is full.')) },
    });
    expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'cancelled' } });
    expect(text).toBe('');
  });
});

actorContract('an agent that speaks ACP', async () => {
  const place = rig.place();
  const hanging = orderIn(place, [{ write: join(place.folder, 'begun') }, { hang: true }]);
  const isThere = (): boolean => processesWith(place.folder).length > 0;
  return {
    answering: ordering(scripted(), () => rig.place().order('Say hello.', NEW)),
    failing: ordering(scripted(), () => orderIn(rig.place(), [{ crash: 1 }])),
    hanging: {
      actor: ordering(scripted(), () => hanging),
      underWay: async () => {
        await until(() => existsSync(join(place.folder, 'begun')));
      },
      gone: () => until(() => !isThere()),
    },
    close: async () => undefined,
  };
});
