import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { actorContract, sampleRole } from '../../src/actors/actor.contract.ts';
import { createClaudeActor } from '../../src/actors/clients/claude/claude-actor.ts';
import { probeClaude, resolveClaude } from '../../src/actors/clients/claude/probe-claude.ts';
import type { Actor } from '../../src/actors/port.ts';
import { clientDesks } from './client-desk.ts';
import {
  anthropicUser,
  callWith,
  clientRig,
  deciding,
  ready,
  isRunning,
  knocking,
  lookAround,
  processesWith,
  script,
  until,
  untilStuck,
  wentOn,
} from './client-rig.ts';
import { contractedClient } from './contracted-client.ts';
import { endpointFailures, OVERLOADED, type EndpointFailure } from './endpoint-failures.ts';
import { findClient } from './find-client.ts';

// Large programs, on machines that may be busy with others.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const writeTool = (path: string) => ({ name: 'Write', arguments: { file_path: path, content: 'hi\n' } });
const bash = (command: string) => ({ name: 'Bash', arguments: { command, description: 'A command' } });

const client = findClient('claude');

describe.skipIf(client.isMissing)(`the real client ${client.title}`, () => {
  const { program } = client;
  const rig = clientRig(client, [lookAround(bash('echo seen > seen.txt'))]);
  const { openSandbox } = rig;
  const environment = () => anthropicUser(rig);
  const claude = (change: Partial<NodeJS.ProcessEnv> = {}): Actor =>
    createClaudeActor({ program, openSandbox, environment: { ...environment(), ...change } });

  test('[Q4] says hello: text, usage of the turn, cost and model', async () => {
    const place = rig.place();
    const { reply, text, lines } = await callWith(claude(), place.order('Say hello.'));
    expect(reply).toMatchObject({
      kind: 'answered',
      content: 'Done: Say hello.',
      toolCalls: [],
      usage: { calls: 1, outputTokens: 4, cacheReadTokens: 0 },
      costUsd: expect.any(Number),
      model: expect.stringMatching(/^claude-/),
    });
    expect(text).toBe('Done: Say hello.');
    expect(lines.some((line) => line.includes('"type":"result"'))).toBe(true);
  });

  test('[L8] its commands reach nothing of the network that its role does not allow', async () => {
    const place = rig.place();
    const prompt = script('Look outside.', [{ tools: [bash(await knocking(rig))] }, 'Looked.']);
    const { reply } = await callWith(claude(), place.order(prompt));
    expect(reply).toMatchObject({ kind: 'answered', content: 'Looked.' });
    const reached = (): string => readFileSync(join(place.folder, 'reached.txt'), 'utf8');
    expect(reached()).toBe('endpoint open\nother closed\n');
    await callWith(claude(), place.order(prompt, { network: true, session: { how: 'new', id: randomUUID() } }));
    expect(reached()).toBe('endpoint open\nother open\n');
  });

  test('[L8] an endpoint that is not on loopback is reached by way of a proxy', async () => {
    const { port } = new URL(rig.url());
    const actor = claude({ ANTHROPIC_BASE_URL: `http://0.0.0.0:${port}` });
    const { reply } = await callWith(actor, rig.place().order('Say hello.'));
    expect(reply).toMatchObject({ kind: 'answered', content: 'Done: Say hello.' });
  });

  test('[A2] the model hears what all agents share, the role and the words, and nothing that is not its own', async () => {
    const place = rig.place();
    writeFileSync(join(place.folder, 'CLAUDE.md'), 'Words of the project.\n');
    mkdirSync(join(place.folder, '.claude'));
    const hook = { type: 'command', command: `touch ${join(place.folder, 'hooked')}` };
    const settings = { hooks: { SessionStart: [{ hooks: [hook] }], Stop: [{ hooks: [hook] }] }, env: { HOOKED: '1' } };
    writeFileSync(join(place.folder, '.claude/settings.json'), JSON.stringify(settings));
    const prompt = script('Look at the environment.', [
      { tools: [bash('env > env.txt; ls -a $HOME/.. > home.txt')] },
      'Seen.',
    ]);
    const role = { ...sampleRole, systemMessage: 'You are the scribe of this house.' };
    const shared = '# The team\n<project_notes file="CLAUDE.md">\nUse "tabs".\n</project_notes>';
    const { reply } = await callWith(claude(), place.order(prompt), { request: { role, shared } });
    expect(reply).toMatchObject({ kind: 'answered', content: 'Seen.' });
    const asked = JSON.stringify(rig.server().requests.map(({ body }) => body));
    expect(asked).toContain(JSON.stringify(`${shared}\n\n${role.systemMessage}`).slice(1, -1));
    expect(asked).not.toContain('Words of the project.');
    const seen = readFileSync(join(place.folder, 'env.txt'), 'utf8');
    expect(seen).not.toContain('SECRET_OF_THE_USER');
    expect(seen).not.toContain('HOOKED');
    expect(seen).toContain(`HOME=${place.home}`);
    expect(existsSync(join(place.folder, 'hooked'))).toBe(false);
  });

  test('writes a file with its own tools, and tells of them', async () => {
    const place = rig.place();
    const prompt = script('Write.', [
      { say: 'I write.', tools: [writeTool(join(place.folder, 'a.txt')), bash('cat a.txt > b.txt')] },
      'Written.',
    ]);
    const { reply, activities, text } = await callWith(claude(), place.order(prompt));
    expect(reply).toMatchObject({ kind: 'answered', content: 'Written.', usage: { calls: 2 } });
    expect(readFileSync(join(place.folder, 'b.txt'), 'utf8')).toBe('hi\n');
    expect(activities).toMatchObject([
      { kind: 'tool', name: 'Write', status: 'ok', text: join(place.folder, 'a.txt') },
      { kind: 'tool', name: 'Bash', status: 'ok', text: 'cat a.txt > b.txt' },
    ]);
    expect(text).toBe('I write.\n\nWritten.');
  });

  test('[PH3] a role that may only read has no tools that write, and the sandbox would not let it', async () => {
    const place = rig.place();
    const prompt = script('Write.', [
      { tools: [writeTool(join(place.folder, 'a.txt')), bash('touch b.txt')] },
      'I could not.',
    ]);
    const { reply, activities } = await callWith(claude(), place.order(prompt, { mode: 'read' }));
    expect(reply).toMatchObject({ kind: 'answered', content: 'I could not.' });
    expect(activities.map(({ name, status }) => `${name} ${status}`)).toEqual(['Write denied', 'Bash denied']);
    expect(reply).toMatchObject({ denials: [`Write: ${join(place.folder, 'a.txt')}`, 'Bash: touch b.txt'] });
    expect(existsSync(join(place.folder, 'a.txt'))).toBe(false);
  });

  test('[PH3] what commands write in the mode commands is thrown away', async () => {
    const place = rig.place();
    const prompt = script('Try.', [{ tools: [bash('echo x > b.txt; cat b.txt')] }, 'Tried.']);
    const { reply, activities } = await callWith(claude(), place.order(prompt, { mode: 'commands' }));
    expect(reply).toMatchObject({ kind: 'answered', content: 'Tried.' });
    expect(activities).toMatchObject([{ name: 'Bash', status: 'ok' }]);
    expect(existsSync(join(place.folder, 'b.txt'))).toBe(false);
  });

  test.each([
    ['allowed', true],
    ['not allowed', false],
  ])('a tool that its role must ask for is asked for, and done when it is %s', async (_, isAllowed) => {
    const place = rig.place();
    const prompt = script('Try.', [{ tools: [bash('touch b.txt')] }, 'Tried.']);
    const { asked, onPermission } = deciding(isAllowed);
    const { reply, activities } = await callWith(claude(), place.order(prompt), {
      request: { role: { ...sampleRole, ask: ['execute_terminal'] } },
      options: { onPermission },
    });
    expect(asked).toMatchObject([{ tool: 'Bash', input: { command: 'touch b.txt' } }]);
    expect(reply).toMatchObject({ kind: 'answered', content: 'Tried.' });
    expect(existsSync(join(place.folder, 'b.txt'))).toBe(isAllowed);
    expect(activities).toMatchObject([{ name: 'Bash', status: isAllowed ? 'ok' : 'denied' }]);
    const denials = reply.kind === 'answered' ? reply.denials : undefined;
    expect(denials).toEqual(isAllowed ? undefined : ['Bash: touch b.txt']);
  });

  describe('at the desk', () => {
    const open = clientDesks();

    test('[Q2] hands in a signal by MCP, with a token that its model never sees', async () => {
      const place = rig.place();
      const desk = await open();
      const steps = [
        { tools: [bash('cat $TMPDIR/turn-*/servers.json; env')] },
        { tools: [{ name: 'mcp__troupe__signal_back', arguments: { signal: 'complete' } }] },
        'Signalled.',
      ];
      const { reply, activities, lines } = await callWith(claude(), place.order(script('Signal.', steps), { desk }));
      expect(reply).toMatchObject({ kind: 'answered', content: '' });
      expect(desk.accepted).toMatchObject([{ name: 'signal_back', arguments: { signal: 'complete' } }]);
      expect(activities).toMatchObject([{ name: 'Bash' }, { name: 'signal_back', status: 'ok', text: 'complete' }]);
      for (const secret of Object.values(desk.headers)) {
        expect(lines.join('\n')).not.toContain(secret);
        expect(JSON.stringify(rig.server().requests.map(({ body }) => body))).not.toContain(secret);
      }
      await desk.close();
    });

    test('[A8] asks its model nothing more after its accepted signal, ends cleanly, and can be gone on with', async () => {
      const desk = await open();
      const place = rig.place();
      const id = randomUUID();
      const before = rig.server().requests.length;
      const signal = { name: 'mcp__troupe__signal_back', arguments: { signal: 'complete' } };
      const steps = [
        { tools: [signal] },
        ...wentOn({ name: 'Bash', arguments: { command: 'true', description: 'On' } }),
      ];
      const prompt = script('Signal.', steps);
      const { reply } = await callWith(claude(), place.order(prompt, { desk, session: { how: 'new', id } }));
      expect(reply).toMatchObject({ kind: 'answered', usage: { calls: 1 }, costUsd: expect.any(Number) });
      expect(desk.accepted).toHaveLength(1);
      expect(rig.server().requests.length - before).toBe(1);
      await desk.close();
      const next = await callWith(claude(), place.order('Say hello.', { session: { how: 'resumed', id } }));
      expect(next.reply).toMatchObject({ kind: 'answered', content: 'Done: Say hello.' });
      expect(JSON.stringify(rig.server().requests.at(-1)?.body)).not.toContain('interrupted');
    });

    test('a desk that is closed fails the turn, after one request to the model at most', async () => {
      const place = rig.place();
      const desk = await open();
      await desk.close();
      const before = rig.server().requests.length;
      const { reply } = await callWith(claude(), place.order('Signal.', { desk }));
      expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'crash', code: 'DESK_UNREACHABLE' } });
      // It tells of its servers when it has its order, and by then it may have asked.
      expect(rig.server().requests.length).toBeLessThanOrEqual(before + 1);
    });
  });

  describe('[Q4] conversations', () => {
    test('goes on in one, and counts only what is new', async () => {
      const place = rig.place();
      const id = randomUUID();
      const first = await callWith(claude(), place.order('Remember the word teapot.', { session: { how: 'new', id } }));
      const second = await callWith(claude(), place.order('Go on.', { session: { how: 'resumed', id } }));
      expect(first.reply).toMatchObject({ kind: 'answered', usage: { calls: 1 } });
      expect(second.reply).toMatchObject({ kind: 'answered', content: 'Done: Go on.', usage: { calls: 1 } });
      const last = JSON.stringify(rig.server().requests.at(-1)?.body);
      expect(last).toContain('teapot');
      const usage = (reply: typeof first.reply) => (reply.kind === 'answered' ? reply.usage.inputTokens : 0);
      expect(usage(second.reply)).toBeLessThan(usage(first.reply) * 1.5);
    });

    test('an attempt under an id that was used already goes on in that conversation', async () => {
      const place = rig.place();
      const session = { how: 'new', id: randomUUID() } as const;
      await callWith(claude(), place.order('Remember the word kettle.', { session }));
      const again = await callWith(claude(), place.order('Once more.', { session }));
      expect(again.reply).toMatchObject({ kind: 'answered', content: 'Done: Once more.' });
      expect(JSON.stringify(rig.server().requests.at(-1)?.body)).toContain('kettle');
    });

    test('a copy goes on by itself, and the first one does not hear of it', async () => {
      const place = rig.place();
      const [from, id] = [randomUUID(), randomUUID()];
      await callWith(claude(), place.order('Remember the word saucer.', { session: { how: 'new', id: from } }));
      const copy = await callWith(
        claude(),
        place.order('In the copy: spoon.', { session: { how: 'forked', from, id } }),
      );
      expect(copy.reply).toMatchObject({ kind: 'answered', content: 'Done: In the copy: spoon.' });
      expect(JSON.stringify(rig.server().requests.at(-1)?.body)).toContain('saucer');
      await callWith(claude(), place.order('Go on.', { session: { how: 'resumed', id: from } }));
      expect(JSON.stringify(rig.server().requests.at(-1)?.body)).not.toContain('spoon');
    });

    test('one that it does not know is a failure of class session, for a copy as well', async () => {
      const place = rig.place();
      const id = randomUUID();
      const lost = await callWith(claude(), place.order('Go on.', { session: { how: 'resumed', id } }));
      expect(lost.reply).toMatchObject({ kind: 'failed', failure: { class: 'session', code: 'SESSION_LOST' } });
      const copy = { how: 'forked', from: id, id: randomUUID() } as const;
      const alsoLost = await callWith(claude(), place.order('Go on.', { session: copy }));
      expect(alsoLost.reply).toMatchObject({ kind: 'failed', failure: { class: 'session' } });
    });

    test('two who go on in the same one at once do it one after the other, and both are in its history', async () => {
      const place = rig.place();
      const id = randomUUID();
      await callWith(claude(), place.order('Remember the word cup.', { session: { how: 'new', id } }));
      const session = { how: 'resumed', id } as const;
      const both = ['And the word plate.', 'And the word bowl.'].map((prompt) =>
        callWith(claude(), place.order(prompt, { session })),
      );
      for (const { reply } of await Promise.all(both)) expect(reply.kind).toBe('answered');
      await callWith(claude(), place.order('Go on.', { session }));
      const history = JSON.stringify(rig.server().requests.at(-1)?.body);
      for (const word of ['cup', 'plate', 'bowl']) expect(history).toContain(`the word ${word}`);
    });

    test('chooses an id itself and tells it before it starts, where the engine did not', async () => {
      const place = rig.place();
      const ids: string[] = [];
      const onSession = async (id: string): Promise<void> => void ids.push(id);
      const order = place.order('Say hello.', { session: { how: 'new', id: null } });
      const { reply, lines } = await callWith(claude(), order, { options: { onSession } });
      expect(reply.kind).toBe('answered');
      expect(ids).toHaveLength(1);
      expect(lines.join('\n')).toContain(`"session_id":"${ids[0]}"`);
    });
  });

  test('[Q8] a sub-agent is reported as a minion, with its tools below it and its usage', async () => {
    const place = rig.place();
    const minion = { description: 'Scouting', prompt: 'Look around, please.', subagent_type: 'general-purpose' };
    const prompt = script('Delegate.', [
      { say: 'I delegate.', tools: [{ name: 'Agent', arguments: minion }] },
      'Done.',
    ]);
    const { reply, activities } = await callWith(claude(), place.order(prompt));
    expect(reply).toMatchObject({ kind: 'answered', content: 'Done.' });
    const [first, tool] = activities;
    expect(first).toMatchObject({ kind: 'minion', name: 'general-purpose', status: 'ok', text: 'Scouting' });
    expect(tool).toMatchObject({ kind: 'tool', name: 'Bash', status: 'ok', parent: first?.id });
    expect(existsSync(join(place.folder, 'seen.txt'))).toBe(true);
    if (reply.kind !== 'answered') return;
    expect(first?.usage?.inputTokens).toBeGreaterThan(0);
    expect(first?.usage?.inputTokens).toBeLessThan(reply.usage.inputTokens);
    expect(first?.usage?.outputTokens).toBeGreaterThan(0);
  });

  describe('[Q5] failures', () => {
    test.each<EndpointFailure>(
      endpointFailures(
        'claude',
        OVERLOADED,
        ['a stream that breaks', { cut: true }, { class: 'network', code: 'ENDPOINT_UNREACHABLE' }],
        ['a reply that is none', { malformed: true }, { class: 'bad-reply', code: 'REPLY_MALFORMED' }],
        [
          'an empty purse',
          { status: 400, message: 'Your credit balance is too low.' },
          { class: 'quota', code: 'QUOTA_EXCEEDED' },
        ],
      ),
    )('%s', async (_, reply, failure) => {
      const called = await callWith(claude(), rig.place().order(script('Try.', [reply])));
      expect(called.reply).toMatchObject({ kind: 'failed', failure });
      expect(JSON.stringify(called.reply)).not.toContain('sk-test');
    });

    test('one that passes is reported as a retry, and the turn goes on', async () => {
      const prompt = script('Try.', [{ status: 500, times: 1, then: 'Second try.' }]);
      const { reply, activities } = await callWith(claude(), rig.place().order(prompt));
      expect(reply).toMatchObject({ kind: 'answered', content: 'Second try.' });
      expect(activities).toMatchObject([{ kind: 'retry', name: 'server_error', status: 'failed' }]);
    });

    test('an allowance that is used up says when it is there again', async () => {
      const moment = Math.floor(Date.now() / 1000) + 3600;
      const message = `Claude AI usage limit reached|${moment}`;
      const { reply } = await callWith(claude(), rig.place().order(script('Try.', [{ status: 429, message }])));
      expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'quota', code: 'QUOTA_EXCEEDED' } });
      const wait = reply.kind === 'failed' ? (reply.failure.retryAfterMs ?? 0) : 0;
      expect(wait).toBeGreaterThan(3_500_000);
      expect(wait).toBeLessThanOrEqual(3_600_000);
    });

    test('no user is logged in', async () => {
      const { reply } = await callWith(claude({ ANTHROPIC_API_KEY: undefined }), rig.place().order('Try.'));
      expect(reply).toMatchObject({
        kind: 'failed',
        failure: { class: 'auth', hint: expect.stringContaining('claude') },
      });
    });

    test('nothing listens at the endpoint', async () => {
      const actor = claude({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' });
      const { reply } = await callWith(actor, rig.place().order('Try.'));
      expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'network', code: 'ENDPOINT_UNREACHABLE' } });
    });

    test('one of which nothing is heard is interrupted; what it used until then is reported', async () => {
      const place = rig.place();
      const prompt = script('Try.', [{ say: 'I begin.', tools: [bash('echo x')] }, { hang: true }]);
      const { reply } = await untilStuck((limits) => callWith(claude(), place.order(prompt, { limits })));
      expect(reply).toMatchObject({
        kind: 'failed',
        failure: { class: 'timeout', code: 'CLIENT_STUCK' },
        spent: { usage: { calls: 1 } },
      });
      expect(processesWith(place.root)).toEqual([]);
    });

    test('[L7] killed in the middle of a command: the turn is a crash, and the command is gone too', async () => {
      const place = rig.place();
      const prompt = script('Try.', [{ tools: [bash('touch begun; tail -f $PWD/begun')] }, 'Never.']);
      const order = place.order(prompt);
      const pending = callWith(claude(), order);
      await until(() => existsSync(join(place.folder, 'begun')));
      // Those around it have its words in their command lines too, but another first one.
      const pid = processesWith(order.session.id ?? 'none').find((each) => isRunning(program, each));
      if (pid === undefined) throw new Error('The client is not running.');
      process.kill(pid, 'SIGKILL');
      const { reply } = await pending;
      expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'crash', code: 'CLIENT_CRASHED' } });
      expect(processesWith(order.session.id ?? 'none')).toEqual([]);
      expect(processesWith(`tail -f ${place.folder}`)).toEqual([]);
    });
  });

  test('is found, with its version and how it is logged in', async () => {
    const probe = await probeClaude(resolveClaude(program), environment());
    expect(probe).toMatchObject(ready({ kind: 'claude-code', login: 'ANTHROPIC_API_KEY' }));
    expect(probe.problem).toBeUndefined();
  });

  actorContract('Claude Code', () => contractedClient(rig, (url) => claude({ ANTHROPIC_BASE_URL: url })));
});
