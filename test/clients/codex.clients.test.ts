import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { actorContract, sampleRole } from '../../src/actors/actor.contract.ts';
import { booksOf } from '../../src/actors/clients/client-home.ts';
import { createCodexActor } from '../../src/actors/clients/codex/codex-actor.ts';
import { probeCodex, resolveCodex } from '../../src/actors/clients/codex/probe-codex.ts';
import type { Actor, CallReply } from '../../src/actors/port.ts';
import type { JsonObject } from '../../src/core/model/json.ts';
import type { Usage } from '../../src/core/model/usage.ts';
import { testSandbox } from '../../src/tools/testing/test-sandbox.ts';
import { clientDesks } from './client-desk.ts';
import {
  callWith,
  clientRig,
  ready,
  isRunning,
  knocking,
  lookAround,
  processesWith,
  script,
  until,
  untilStuck,
  wentOn,
  type Place,
} from './client-rig.ts';
import { contractedClient } from './contracted-client.ts';
import { endpointFailures, OVERLOADED, type EndpointFailure } from './endpoint-failures.ts';
import { findClient } from './find-client.ts';

// Large programs, on machines that may be busy with others.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const command = (cmd: string) => ({ name: 'exec_command', arguments: { cmd } });
const NEW = { how: 'new', id: null } as const;

const client = findClient('codex');

describe.skipIf(client.isMissing)(`the real client ${client.title}`, () => {
  const { program } = client;
  const rig = clientRig(client, [lookAround(command('touch seen.txt'))]);
  const { openSandbox } = rig;
  const environment = () => ({
    PATH: process.env['PATH'],
    OPENAI_API_KEY: 'sk-test-0123456789',
    OPENAI_BASE_URL: `${rig.url()}/v1`,
    SECRET_OF_THE_USER: 'nobody may see this',
  });
  const codex = (change: Partial<NodeJS.ProcessEnv> = {}): Actor =>
    createCodexActor({ program, openSandbox, model: 'scripted', environment: { ...environment(), ...change } });
  const order: Place['order'] = (prompt, change) => rig.place().order(prompt, { session: NEW, ...change });
  const lastRequest = (): string => JSON.stringify(rig.server().requests.at(-1)?.body);

  /** A call, and the conversation it reported. */
  async function converse(place: Place, prompt: string, change: Parameters<Place['order']>[1] = {}) {
    const ids: string[] = [];
    const onSession = async (id: string): Promise<void> => void ids.push(id);
    const called = await callWith(codex(), place.order(prompt, { session: NEW, ...change }), {
      options: { onSession },
    });
    return { ...called, ids };
  }

  test('[Q4] says hello: text, usage of the turn and model; the cost is unknown', async () => {
    const { reply, text, lines } = await callWith(codex(), order('Say hello.'));
    expect(reply).toMatchObject({
      kind: 'answered',
      content: 'Done: Say hello.',
      toolCalls: [],
      usage: { calls: 1, outputTokens: 4, cacheReadTokens: 0 },
      costUsd: null,
      model: 'scripted',
    });
    expect(text).toBe('Done: Say hello.');
    expect(lines.some((line) => line.includes('"type":"turn.completed"'))).toBe(true);
  });

  test('[L8] its commands reach nothing of the network that its role does not allow', async () => {
    const place = rig.place();
    const prompt = script('Look outside.', [{ tools: [command(await knocking(rig))] }, 'Looked.']);
    const { reply } = await callWith(codex(), place.order(prompt, { session: NEW }));
    expect(reply).toMatchObject({ kind: 'answered', content: 'Looked.' });
    expect(readFileSync(join(place.folder, 'reached.txt'), 'utf8')).toBe('endpoint open\nother closed\n');
  });

  test('[L8] an endpoint that is not on loopback is reached by way of a proxy', async () => {
    const { port } = new URL(rig.url());
    const { reply } = await callWith(codex({ OPENAI_BASE_URL: `http://0.0.0.0:${port}/v1` }), order('Say hello.'));
    expect(reply).toMatchObject({ kind: 'answered', content: 'Done: Say hello.' });
  });

  test('[A2] the model hears what all agents share, the role and the words, and nothing that is not its own', async () => {
    const place = rig.place();
    writeFileSync(join(place.folder, 'AGENTS.md'), 'Read by the client itself.');
    mkdirSync(join(place.folder, '.codex'));
    const server = `[mcp_servers.other]\ncommand = "touch"\nargs = ["${join(place.folder, 'started')}"]\n`;
    writeFileSync(join(place.folder, '.codex/config.toml'), `model = "other"\n${server}`);
    const prompt = script('Look at the environment.', [{ tools: [command('env > env.txt')] }, 'Seen.']);
    const role = { ...sampleRole, systemMessage: 'You are the "scribe" of this house.\nWrite \\ well.' };
    const shared = '# The team\n<project_notes file="AGENTS.md">\nUse "tabs".\n</project_notes>';
    for (const turn of [1, 2]) {
      const { reply } = await callWith(codex(), place.order(prompt, { session: NEW }), { request: { role, shared } });
      expect(reply, `turn ${turn}`).toMatchObject({ kind: 'answered', content: 'Seen.', model: 'scripted' });
    }
    const body = rig.server().requests.at(-1)?.body as JsonObject;
    expect(JSON.stringify(body)).toContain(JSON.stringify(`${shared}\n\n${role.systemMessage}`).slice(1, -1));
    expect(JSON.stringify(body)).not.toContain('Read by the client itself.');
    const seen = readFileSync(join(place.folder, 'env.txt'), 'utf8');
    expect(seen).not.toContain('SECRET_OF_THE_USER');
    expect(seen).not.toContain('sk-test');
    expect(seen).toContain(`HOME=${place.home}`);
    expect(existsSync(join(place.folder, 'started'))).toBe(false);
    expect(readdirSync(join(place.home, '.codex')).filter((name) => name.endsWith('.config.toml'))).toEqual([]);
  });

  test('writes files with its own tools, and tells of them', async () => {
    const place = rig.place();
    const patch = 'apply_patch <<EOF\n*** Begin Patch\n*** Add File: a.txt\n+hi\n*** End Patch\nEOF';
    const prompt = script('Write.', [
      { say: 'I write.', tools: [command(patch)] },
      { tools: [command('cat a.txt > b.txt; exit 3')] },
      'Written.',
    ]);
    const { reply, activities, text } = await callWith(codex(), place.order(prompt, { session: NEW }));
    expect(reply).toMatchObject({ kind: 'answered', content: 'Written.', usage: { calls: 3 } });
    expect(readFileSync(join(place.folder, 'b.txt'), 'utf8')).toBe('hi\n');
    expect(activities.filter(({ kind }) => kind === 'tool')).toMatchObject([
      { name: 'apply_patch', status: 'ok', text: join(place.folder, 'a.txt') },
      { name: 'command', status: 'failed', text: 'cat a.txt > b.txt; exit 3' },
    ]);
    expect(text).toBe('I write.\n\nWritten.');
  });

  test.each([
    ['[PH3] a role that may only read writes nothing', 'read'],
    ['[PH3] what commands write in the mode commands is thrown away', 'commands'],
  ] as const)('%s', async (_, mode) => {
    const place = rig.place();
    const prompt = script('Try.', [{ tools: [command('echo x > b.txt; sleep 0.3; cat b.txt')] }, 'Tried.']);
    const { reply } = await callWith(codex(), place.order(prompt, { session: NEW, mode }));
    expect(reply).toMatchObject({ kind: 'answered', content: 'Tried.' });
    expect(existsSync(join(place.folder, 'b.txt'))).toBe(false);
  });

  test('a role that must ask before it acts is not played by one that never asks', async () => {
    const request = { role: { ...sampleRole, ask: ['execute_terminal'] } };
    const { reply } = await callWith(codex(), order('Try.'), { request });
    expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'config', code: 'CLIENT_CANNOT_ASK' } });
  });

  describe('at the desk', () => {
    const open = clientDesks();
    const verdict = {
      name: 'verdict',
      description: 'The verdict.',
      parameters: { type: 'object', properties: { is_good: { type: 'boolean' } }, required: ['is_good'] },
    };
    test('[Q2] hands in a signal by MCP, with a token that its model never sees', async () => {
      const desk = await open();
      const steps = [
        { tools: [command('env; cat $HOME/.codex/*.config.toml')] },
        { tools: [{ name: 'signal_back', arguments: { signal: 'complete' } }] },
        'Signalled.',
      ];
      const { reply, activities, lines } = await callWith(codex(), order(script('Signal.', steps), { desk }));
      expect(reply).toMatchObject({ kind: 'answered' });
      expect(desk.accepted).toMatchObject([{ name: 'signal_back', arguments: { signal: 'complete' } }]);
      expect(activities.at(-1)).toMatchObject({ name: 'signal_back', status: 'ok', text: 'complete' });
      for (const secret of Object.values(desk.headers)) {
        expect(lines.join('\n')).not.toContain(secret);
        expect(JSON.stringify(rig.server().requests.map(({ body }) => body))).not.toContain(secret);
      }
      await desk.close();
    });

    test('hands in a structured reply, and needs no words besides', async () => {
      const desk = await open([verdict]);
      const steps = [{ tools: [{ name: 'verdict', arguments: { is_good: true } }] }, { empty: true }];
      const { reply } = await callWith(codex(), order(script('Judge.', steps), { desk }));
      expect(reply).toMatchObject({ kind: 'answered' });
      expect(desk.accepted).toMatchObject([{ name: 'verdict', arguments: { is_good: true } }]);
      await desk.close();
    });

    test('[A8] one that would go on after its accepted signal is ended cleanly, its use is counted, and it goes on later', async () => {
      const desk = await open();
      const place = rig.place();
      const ids: string[] = [];
      const before = rig.server().requests.length;
      const signal = { name: 'signal_back', arguments: { signal: 'complete' } };
      const steps = [{ tools: [signal] }, ...wentOn(command('true'))];
      const onSession = async (id: string) => void ids.push(id);
      const first = place.order(script('Signal.', steps), { desk, session: NEW });
      const { reply } = await callWith(codex(), first, { options: { onSession } });
      expect(reply).toMatchObject({ kind: 'answered', usage: { inputTokens: expect.any(Number) } });
      expect(reply.kind === 'answered' && reply.usage.inputTokens).toBeGreaterThan(0);
      expect(desk.accepted).toHaveLength(1);
      // It gets a signal, so a request or two may have left before that arrives.
      expect(rig.server().requests.length - before).toBeLessThanOrEqual(10);
      await desk.close();
      const session = { how: 'resumed', id: ids[0] ?? '' } as const;
      const next = await callWith(codex(), place.order('Say hello.', { session }));
      expect(next.reply).toMatchObject({ kind: 'answered' });
      expect(JSON.stringify(rig.server().requests.at(-1)?.body)).toContain('Your last hand-in was accepted');
    });

    test('a desk that is closed fails the turn before the model is asked', async () => {
      const desk = await open();
      await desk.close();
      const before = rig.server().requests.length;
      const { reply } = await callWith(codex(), order('Signal.', { desk }));
      expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'crash', code: 'DESK_UNREACHABLE' } });
      expect(rig.server().requests.length).toBe(before);
    });
  });

  describe('[Q4] conversations', () => {
    const usageOf = (reply: CallReply): Usage | null => (reply.kind === 'answered' ? reply.usage : null);

    test('tells the id of a new one, goes on in it, and counts only what is new', async () => {
      const place = rig.place();
      const first = await converse(place, 'Remember the word teapot.');
      expect(first.ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
      const session = { how: 'resumed', id: first.ids[0] ?? '' } as const;
      const second = await converse(place, 'Go on.', { session });
      expect(second.reply).toMatchObject({ kind: 'answered', content: 'Done: Go on.', usage: { calls: 1 } });
      expect(second.ids).toEqual([]);
      expect(lastRequest()).toContain('teapot');
      const [one, two] = [usageOf(first.reply), usageOf(second.reply)];
      expect(two?.inputTokens).toBeGreaterThan(one?.inputTokens ?? 0);
      expect(two?.inputTokens).toBeLessThan((one?.inputTokens ?? 0) * 1.5);
      expect(two?.outputTokens).toBe(3);
      // What the engine noted is gone: then all of it counts, rather than nothing.
      rmSync(booksOf(place.home), { recursive: true });
      const third = await converse(place, 'Go on.', { session });
      expect(usageOf(third.reply)).toMatchObject({ outputTokens: (one?.outputTokens ?? 0) + 3 + 3, calls: 3 });
    });

    test('[PH3] in a conversation that is gone on with its rights are those of the turn, not of the one before', async () => {
      const place = rig.place();
      const write = (name: string) => script('Write.', [{ tools: [command(`touch ${name}; sleep 0.3`)] }, 'Written.']);
      const first = await converse(place, write('a.txt'), { mode: 'read' });
      const session = { how: 'resumed', id: first.ids[0] ?? '' } as const;
      const second = await converse(place, write('b.txt'), { session });
      expect(second.reply).toMatchObject({ kind: 'answered', content: 'Written.', usage: { calls: 2 } });
      await converse(place, write('c.txt'), { session, mode: 'read' });
      expect(readdirSync(place.folder)).toEqual(['b.txt']);
    });

    test('a copy goes on by itself under its own id, and the first one does not hear of it', async () => {
      const place = rig.place();
      const first = await converse(place, 'Remember the word saucer.');
      const from = first.ids[0] ?? '';
      const copy = await converse(place, 'In the copy: spoon.', { session: { how: 'forked', from, id: null } });
      expect(copy.reply).toMatchObject({ kind: 'answered', content: 'Done: In the copy: spoon.', usage: { calls: 1 } });
      expect(copy.ids).toEqual([expect.not.stringContaining(from)]);
      expect(lastRequest()).toContain('saucer');
      expect(usageOf(copy.reply)?.inputTokens).toBeLessThan((usageOf(first.reply)?.inputTokens ?? 0) * 1.5);
      await converse(place, 'Go on.', { session: { how: 'resumed', id: from } });
      expect(lastRequest()).not.toContain('spoon');
    });

    test.each([
      ['an id that is none', 'nonsense'],
      ['an id that it does not know', randomUUID()],
    ])('%s is a failure of class session, for a copy as well', async (_, id) => {
      const place = rig.place();
      const lost = await converse(place, 'Go on.', { session: { how: 'resumed', id } });
      expect(lost.reply).toMatchObject({ kind: 'failed', failure: { class: 'session', code: 'SESSION_LOST' } });
      const copy = await converse(place, 'Go on.', { session: { how: 'forked', from: id, id: null } });
      expect(copy.reply).toMatchObject({ kind: 'failed', failure: { class: 'session' } });
      expect([...lost.ids, ...copy.ids]).toEqual([]);
    });
  });

  test('[Q8] a sub-agent is reported as a minion, with its usage, which counts as the turn’s', async () => {
    const place = rig.place();
    const prompt = script('Delegate.', [
      { say: 'I delegate.', tools: [{ name: 'spawn_agent', arguments: { message: 'Look around, please.' } }] },
      { tools: [command('until test -e seen.txt; do sleep 0.1; done; sleep 1')] },
      'Done.',
    ]);
    const { reply, activities } = await callWith(codex(), place.order(prompt, { session: NEW }));
    expect(reply).toMatchObject({ kind: 'answered' });
    const minion = activities.find(({ kind }) => kind === 'minion');
    expect(minion).toMatchObject({ status: 'ok', text: 'Look around, please.', usage: { calls: 2 } });
    if (reply.kind !== 'answered') return;
    expect(reply.usage.inputTokens).toBeGreaterThan(3 * (minion?.usage?.inputTokens ?? 0) * 0.5);
    expect(reply.usage.calls).toBeGreaterThanOrEqual(5);
  });

  describe('[Q5] failures', () => {
    test.each<EndpointFailure>(
      endpointFailures(
        'codex',
        OVERLOADED,
        ['a stream that breaks', { cut: true }, { class: 'network', code: 'STREAM_CUT' }],
        ['an empty purse', { status: 429, error: 'insufficient_quota' }, { class: 'quota', code: 'QUOTA_EXCEEDED' }],
        [
          'an allowance that is used up',
          { status: 429, error: 'usage_limit_reached', message: 'The usage limit has been reached' },
          { class: 'quota', code: 'QUOTA_EXCEEDED' },
        ],
        ['a reply that is none', { empty: true }, { class: 'bad-reply', code: 'REPLY_EMPTY' }],
      ),
    )('%s', async (_, reply, failure) => {
      const called = await callWith(codex(), order(script('Try.', [reply])));
      expect(called.reply).toMatchObject({ kind: 'failed', failure });
      expect(JSON.stringify(called.reply)).not.toContain('sk-test');
    });

    test('one that passes is reported as a retry, and the turn goes on', async () => {
      const prompt = script('Try.', [{ status: 429, times: 1, then: 'Second try.', retry_after: 1 }]);
      const { reply, activities } = await callWith(codex(), order(prompt));
      expect(reply).toMatchObject({ kind: 'answered', content: 'Second try.' });
      expect(activities.filter(({ kind }) => kind === 'retry')).toMatchObject([{ status: 'failed' }]);
    });

    test('nothing listens at the endpoint', async () => {
      const { reply } = await callWith(codex({ OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }), order('Try.'));
      expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'network', code: 'ENDPOINT_UNREACHABLE' } });
    });

    test('one of which nothing is heard is stopped; what it used until then is reported', async () => {
      const place = rig.place();
      const prompt = script('Try.', [{ say: 'I begin.', tools: [command('echo x')] }, { hang: true }]);
      const { reply } = await untilStuck((limits) => callWith(codex(), place.order(prompt, { session: NEW, limits })));
      expect(reply).toMatchObject({
        kind: 'failed',
        failure: { class: 'timeout', code: 'CLIENT_STUCK' },
        spent: { usage: { calls: 1 } },
      });
      expect(processesWith(place.home)).toEqual([]);
    });

    test('[L7] killed in the middle of a command: the turn is a crash, and the command is gone too', async () => {
      const place = rig.place();
      const prompt = script('Try.', [{ tools: [command('touch begun; tail -f $PWD/begun')] }, 'Never.']);
      const pending = converse(place, prompt);
      await until(() => existsSync(join(place.folder, 'begun')));
      const pid = processesWith('--skip-git-repo-check').find(
        (each) => isRunning(program, each) && worksIn(place.folder, each),
      );
      if (pid === undefined) throw new Error('The client is not running.');
      process.kill(pid, 'SIGKILL');
      const { reply, ids } = await pending;
      expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'crash', code: 'CLIENT_CRASHED' } });
      expect(processesWith(place.home)).toEqual([]);
      expect(processesWith(`tail -f ${place.folder}`)).toEqual([]);
      const session = { how: 'resumed', id: ids[0] ?? '' } as const;
      const again = await converse(place, 'Go on.', { session });
      expect(again.reply).toMatchObject({ kind: 'answered', content: 'Done: Go on.' });
    });
  });

  const landlock = client.isMissing ? openSandbox : testSandbox('landlock');
  const unboxed = client.isMissing ? openSandbox : testSandbox('none');

  test('without namespaces it is bound by what is there instead', async ({ skip }) => {
    const found = await landlock().catch(() => null);
    if (found === null) skip('This machine has no Landlock.');
    const place = rig.place();
    const outside = join(place.folder, '..', 'outside.txt');
    const prompt = script('Try.', [{ tools: [command(`echo x > a.txt; echo x > ${outside}; sleep 0.3`)] }, 'Tried.']);
    const options = { program, openSandbox: landlock, model: 'scripted', environment: environment() };
    const { reply } = await callWith(createCodexActor(options), place.order(prompt, { session: NEW }));
    expect(reply).toMatchObject({ kind: 'answered', content: 'Tried.' });
    expect(existsSync(join(place.folder, 'a.txt'))).toBe(true);
    expect(existsSync(outside)).toBe(false);
  });

  test('without any box its own sandbox keeps a role that may only read from writing', async () => {
    const place = rig.place();
    const prompt = script('Try.', [{ tools: [command('echo x > a.txt; sleep 0.3')] }, 'Tried.']);
    const options = { program, openSandbox: unboxed, model: 'scripted', environment: environment() };
    const order = place.order(prompt, { session: NEW, mode: 'read' });
    const { reply } = await callWith(createCodexActor(options), order);
    expect(reply).toMatchObject({ kind: 'answered', content: 'Tried.' });
    expect(existsSync(join(place.folder, 'a.txt'))).toBe(false);
  });

  test('is found, with its version and how it is logged in', async () => {
    const probe = await probeCodex(resolveCodex(program), environment());
    expect(probe).toMatchObject(ready({ kind: 'codex', login: 'OPENAI_API_KEY' }));
    expect(probe.problem).toBeUndefined();
  });

  const codexAt = (url: string): Actor => codex({ OPENAI_BASE_URL: `${url}/v1` });
  actorContract('Codex', () => contractedClient(rig, codexAt, { session: NEW }));
});

/** Whether a process has the folder as its own, seen through its sandbox. */
function worksIn(folder: string, pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`PWD=${folder}`);
  } catch {
    return false;
  }
}
