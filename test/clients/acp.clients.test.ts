import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { actorContract, sampleRole } from '../../src/actors/actor.contract.ts';
import { createAcpActor } from '../../src/actors/clients/acp/acp-actor.ts';
import { acpPreset } from '../../src/actors/clients/acp/acp-presets.ts';
import { findAcp, probeAcp } from '../../src/actors/clients/acp/probe-acp.ts';
import type { Actor, ClientOrder } from '../../src/actors/port.ts';
import { COMPLETE, testDesk, testOffice } from '../../src/host/desk/testing/desk-bench.ts';
import { anthropicUser, callWith, clientRig, deciding, ready, script } from './client-rig.ts';
import { contractedClient } from './contracted-client.ts';
import { endpointFailures, type EndpointFailure } from './endpoint-failures.ts';
import { findClient } from './find-client.ts';

// Large programs, on machines that may be busy with others.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const bash = (command: string) => ({ name: 'Bash', arguments: { command, description: 'A command' } });

const NEW: Partial<ClientOrder> = { session: { how: 'new', id: null } };
const client = findClient('claude-agent-acp');
const preset = acpPreset('claude-agent-acp');
if (preset === null) throw new Error('The preset is gone.');
const agent = { ...preset, command: [client.program] };

describe.skipIf(client.isMissing)(`the real client ${client.title}`, () => {
  const rig = clientRig(client);
  const { openSandbox } = rig;
  const environment = () => anthropicUser(rig);
  const adapter = (change: Partial<NodeJS.ProcessEnv> = {}): Actor =>
    createAcpActor({
      agent,
      command: findAcp(agent, {}) ?? [],
      openSandbox,
      environment: { ...environment(), ...change },
    });
  const bodies = (): string => JSON.stringify(rig.server().requests.map(({ body }) => body));

  test('[Q4] says hello as its role: text, usage of the turn, cost and model, and nothing is asked of the model besides', async () => {
    const before = rig.server().requests.length;
    const role = { ...sampleRole, systemMessage: 'You are the scribe of this house.' };
    const request = { role, shared: '# The team of this house' };
    const { reply, text } = await callWith(adapter(), rig.place().order('Say hello.', NEW), { request });
    expect(reply).toMatchObject({
      kind: 'answered',
      content: 'Done: Say hello.',
      usage: { calls: 1, outputTokens: 4 },
      costUsd: expect.any(Number),
      model: expect.stringMatching(/^claude-/),
    });
    expect(text).toBe('Done: Say hello.');
    const asked = rig.server().requests.slice(before);
    expect(asked).toHaveLength(1);
    expect(JSON.stringify(asked[0]?.body)).toContain('# The team of this house\\n\\nYou are the scribe of this house.');
  });

  test('writes a file with its own tools, tells of them, and sees nothing of the user', async () => {
    const place = rig.place();
    const prompt = script('Write.', [{ say: 'I write.', tools: [bash('env > env.txt')] }, 'Written.']);
    const { reply, activities, text } = await callWith(adapter(), place.order(prompt, NEW));
    expect(reply).toMatchObject({ kind: 'answered', content: 'Written.' });
    expect(text).toBe('I write.\n\nWritten.');
    expect(activities).toMatchObject([{ kind: 'tool', name: 'Bash', status: 'ok', text: 'env > env.txt' }]);
    expect(readFileSync(join(place.folder, 'env.txt'), 'utf8')).not.toContain('SECRET_OF_THE_USER');
  });

  test.each([
    ['allowed', true],
    ['not allowed', false],
  ])('a tool that its role must ask for is asked for, and done when it is %s', async (_, isAllowed) => {
    const place = rig.place();
    const prompt = script('Try.', [{ tools: [bash('touch b.txt')] }, 'Tried.']);
    const { asked, onPermission } = deciding(isAllowed);
    const { reply, activities } = await callWith(adapter(), place.order(prompt, NEW), {
      request: { role: { ...sampleRole, ask: ['execute_terminal'] } },
      options: { onPermission },
    });
    expect(asked).toMatchObject([{ tool: 'Bash', input: { command: 'touch b.txt' } }]);
    expect(reply).toMatchObject({ kind: 'answered', content: 'Tried.' });
    expect(existsSync(join(place.folder, 'b.txt'))).toBe(isAllowed);
    expect(activities).toMatchObject([{ name: 'Bash', status: isAllowed ? 'ok' : 'denied' }]);
  });

  test('[Q2] hands in a signal by MCP, with a token that its model never sees', async () => {
    const desk = await testDesk(await testOffice());
    // Slow enough to be cancelled: at once, its last words would race with the cancel.
    const last = { say: 'Signalled.', delay_ms: 20_000 };
    const steps = [{ tools: [{ name: 'mcp__troupe__signal_back', arguments: COMPLETE }] }, last];
    const { reply, activities } = await callWith(
      adapter(),
      rig.place().order(script('Signal.', steps), { ...NEW, desk }),
    );
    expect(reply).toMatchObject({ kind: 'answered', content: '' });
    expect(desk.accepted).toMatchObject([{ name: 'signal_back', arguments: { signal: 'complete' } }]);
    expect(activities).toMatchObject([{ name: 'signal_back', status: 'ok' }]);
    expect(bodies()).not.toContain(desk.headers['Authorization']?.slice('Bearer '.length) ?? 'none');
  });

  test('a desk that is closed fails the turn', async () => {
    const desk = await testDesk(await testOffice());
    await desk.close();
    const { reply } = await callWith(adapter(), rig.place().order('Signal.', { ...NEW, desk }));
    expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'crash', code: 'DESK_UNREACHABLE' } });
  });

  test('[Q4] goes on in a conversation and in a copy of it, and counts only what is new', async () => {
    const place = rig.place();
    const ids: string[] = [];
    const options = { onSession: async (id: string): Promise<void> => void ids.push(id) };
    const first = await callWith(adapter(), place.order('Remember the word teapot.', NEW), { options });
    const [id = ''] = ids;
    const second = await callWith(adapter(), place.order('Go on.', { session: { how: 'resumed', id } }), { options });
    expect(second.reply).toMatchObject({ kind: 'answered', content: 'Done: Go on.' });
    expect(JSON.stringify(rig.server().requests.at(-1)?.body)).toContain('teapot');
    const cost = (reply: typeof first.reply) => (reply.kind === 'answered' ? (reply.costUsd ?? Number.NaN) : 0);
    expect(cost(second.reply)).toBeGreaterThan(0);
    expect(cost(second.reply)).toBeLessThan(cost(first.reply) * 1.5);
    const copy = { how: 'forked', from: id, id: null } as const;
    const third = await callWith(adapter(), place.order('In the copy.', { session: copy }), { options });
    expect(third.reply).toMatchObject({ kind: 'answered', content: 'Done: In the copy.' });
    expect(JSON.stringify(rig.server().requests.at(-1)?.body)).toContain('teapot');
    expect(new Set(ids).size).toBe(2);
  });

  test('[Q4] one that it does not know is a failure of class session', async () => {
    const session = { how: 'resumed', id: '6f1f6f6e-0000-4000-8000-000000000000' } as const;
    const { reply } = await callWith(adapter(), rig.place().order('Go on.', { session }));
    expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'session', code: 'SESSION_LOST' } });
  });

  test.each<EndpointFailure>(
    endpointFailures('claude-agent-acp', [
      'a stream that breaks',
      { cut: true },
      { class: 'network', code: 'ENDPOINT_UNREACHABLE' },
    ]),
  )('[Q5] %s', async (_, reply, failure) => {
    const called = await callWith(adapter(), rig.place().order(script('Try.', [reply]), NEW));
    expect(called.reply).toMatchObject({ kind: 'failed', failure });
    expect(JSON.stringify(called.reply)).not.toContain('sk-test');
  });

  test('is found, with its version and how it is logged in', async () => {
    const probe = await probeAcp(agent, environment());
    expect(probe).toMatchObject(ready({ kind: 'acp:claude-agent-acp', login: 'ANTHROPIC_API_KEY' }));
    expect(probe.problem).toBeUndefined();
    expect(probe.version).toBe('0.99.1');
  });

  const adapterAt = (url: string): Actor => adapter({ ANTHROPIC_BASE_URL: url });
  actorContract('an ACP adapter', () => contractedClient(rig, adapterAt, NEW));
});
