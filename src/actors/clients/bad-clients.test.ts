import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Fault } from '../../core/model/fault.ts';
import type { Actor, ClientOrder } from '../port.ts';
import { createAcpActor } from './acp/acp-actor.ts';
import { plainAgent } from './acp/acp-agent.ts';
import { createClaudeActor } from './claude/claude-actor.ts';
import { createCodexActor } from './codex/codex-actor.ts';
import { fakeClients, type FakeProgram } from './testing/fake-clients.ts';

/** Errors that any client may make (docs/spec/clients.md), each played by a small program that speaks its protocol. */
interface Player {
  /** As it is called in messages. */
  readonly title: string;
  readonly actor: (fake: FakeProgram) => Actor;
  /** Lines of shell, as all that follows: the beginning of a turn in a new conversation, and in one that is gone on with. */
  readonly begins: string;
  readonly resumes: string;
  /** All that is left of a turn that comes out well, and its end. */
  readonly ends: string;
  /** A line of an unknown kind. */
  readonly unknown: string;
  readonly losesSession: string;
  readonly missesDesk: string;
}

const SESSION = '01a1e2b1-d2eb-7f01-b46b-7ec4c26fd44b';
const echo = (line: object): string => `echo '${JSON.stringify(line)}'`;
const answer = (id: number, result: object): string => `read -r line; ${echo({ jsonrpc: '2.0', id, result })}`;
const refusal = (message: string): string =>
  `read -r line; ${echo({ jsonrpc: '2.0', id: 1, error: { code: -32_603, message } })}; read -r end`;

const thread = echo({ type: 'thread.started', thread_id: SESSION });
const abilities = { loadSession: true, mcpCapabilities: { http: true } };
const greeting = answer(0, { protocolVersion: 1, agentCapabilities: abilities });
const chunk = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Fine.' } };

const PLAYERS: Readonly<Record<string, Player>> = {
  'Claude Code': {
    title: 'Claude Code',
    actor: createClaudeActor,
    begins: echo({ type: 'system', subtype: 'init' }),
    resumes: echo({ type: 'system', subtype: 'init' }),
    ends: echo({ type: 'result', subtype: 'success', is_error: false, result: 'Fine.', usage: { output_tokens: 1 } }),
    unknown: echo({ type: 'tomorrow', subtype: 'x' }),
    losesSession: `echo 'No conversation found with session ID: ${SESSION}' >&2; exit 1`,
    missesDesk: `${echo({ type: 'system', subtype: 'init', mcp_servers: [{ name: 'troupe', status: 'failed' }] })}; exec tail -f /dev/null`,
  },
  Codex: {
    title: 'Codex',
    actor: createCodexActor,
    begins: `cat > /dev/null; ${thread}`,
    resumes: `cat > /dev/null; ${thread}`,
    ends: [
      echo({ type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text: 'Fine.' } }),
      echo({ type: 'turn.completed', usage: { input_tokens: 10, output_tokens: 1 } }),
    ].join('; '),
    unknown: echo({ type: 'item.tomorrow', item: { type: 'x' } }),
    losesSession: `echo 'Error: thread/resume failed: no rollout found for thread id ${SESSION}' >&2; exit 1`,
    missesDesk: `echo 'Error: required MCP servers failed to initialize: troupe: connection refused' >&2; exit 1`,
  },
  'an agent by ACP': {
    title: 'Agent fake',
    actor: ({ program, ...fake }) => {
      const agent = plainAgent({ name: 'fake', command: [program] });
      return createAcpActor({ agent, command: [program], ...fake });
    },
    begins: `${greeting}; ${answer(1, { sessionId: 's' })}; read -r order`,
    resumes: `${greeting}; ${answer(1, {})}; read -r order`,
    ends: [
      echo({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update: chunk } }),
      echo({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: SESSION, update: chunk } }),
      echo({ jsonrpc: '2.0', id: 2, result: { stopReason: 'end_turn' } }),
      'read -r end; exit 0',
    ].join('; '),
    unknown: echo({ jsonrpc: '2.0', method: 'session/tomorrow', params: {} }),
    losesSession: `${greeting}; ${refusal('Resource not found')}`,
    missesDesk: `${greeting}; ${refusal('MCP server troupe: connection refused')}`,
  },
};

/** It has no listener. */
const DESK: NonNullable<ClientOrder['desk']> = {
  url: 'http://127.0.0.1:1/mcp',
  headers: {},
  tools: ['signal_back'],
  bridge: { command: [], environment: {}, folders: [] },
};

const RESUMED = { how: 'resumed', id: SESSION } as const;

describe.each(Object.entries(PLAYERS))('[Q5] %s', (_name, player) => {
  const { make, callFake } = fakeClients<FakeProgram>('bad-clients', (fake, change) =>
    player.actor({ ...fake, ...change }),
  );

  const replyTo = async (...given: Parameters<typeof callFake>) => (await callFake(...given)).reply;

  test('malformed lines and lines of unknown kinds cost nothing but themselves', async () => {
    const bad = `echo 'no JSON'; echo '{"type":'; echo '[]'; echo; printf '\\377\\n'`;
    const reply = await replyTo(`${bad}; ${player.begins}; ${player.unknown}; ${bad}; ${player.ends}`);
    expect(reply).toMatchObject({ kind: 'answered', content: 'Fine.' });
  });

  test('nothing but malformed lines is a crash that says how many there were', async () => {
    const reply = await replyTo('i=0; while [ $i -lt 50 ]; do echo nonsense; i=$((i+1)); done');
    const crash = { class: 'crash', message: expect.stringContaining('50 lines of it could not be understood') };
    expect(reply).toMatchObject({ kind: 'failed', failure: crash });
  });

  test('one that prints nothing is stuck while it stays, and has crashed when it ends', async () => {
    const limits = { idleMs: 300, wallMs: 60_000 };
    const stays = await replyTo('exec tail -f /dev/null', { order: { limits } });
    expect(stays).toMatchObject({ kind: 'failed', failure: { class: 'timeout', code: 'CLIENT_STUCK' } });
    const message = `${player.title} ended with exit code 0 without a result.`;
    expect(await replyTo('exit 0')).toMatchObject({ kind: 'failed', failure: { class: 'crash', message } });
  });

  test('one that never stops talking runs into the wall', async () => {
    const limits = { idleMs: 60_000, wallMs: 500 };
    const reply = await replyTo(`while :; do ${player.unknown}; sleep 0.05; done`, { order: { limits } });
    expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'timeout', code: 'CLIENT_TIMEOUT' } });
  });

  test('one that speaks and exits 0 without a result has crashed', async () => {
    const reply = await replyTo(`${player.begins}; ${player.unknown}; exit 0`);
    const failure = { class: 'crash', message: expect.stringContaining('ended with exit code 0 without a result') };
    expect(reply).toMatchObject({ kind: 'failed', failure });
  });

  test('what keeps it from starting is a failure of class config', async () => {
    const missing = await replyTo('exit 0', { actor: { program: '/nowhere/client' } });
    expect(missing).toMatchObject({ kind: 'failed', failure: { class: 'config', code: 'CLIENT_MISSING' } });
    const fault = new Fault('SANDBOX_UNAVAILABLE', 'No box.', { hint: 'Get one.' });
    const refused = await replyTo('exit 0', { actor: { openSandbox: () => Promise.reject(fault) } });
    const failure = { class: 'config', code: 'SANDBOX_UNAVAILABLE', hint: 'Get one.' };
    expect(refused).toMatchObject({ kind: 'failed', failure });
  });

  test('a signal that fired before starts nothing', async () => {
    const { reply, folder } = await callFake('touch started', { options: { signal: AbortSignal.abort() } });
    expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'cancelled' } });
    expect(readdirSync(join(folder, 'work'))).toEqual([]);
  });

  test('[A2] one that ignores SIGTERM is gone all the same, with its children', async () => {
    const controller = new AbortController();
    const deaf = `trap '' TERM HUP INT; (tail -f up & echo > up; while :; do sleep 0.1; done) & while :; do sleep 0.1; done`;
    const { call, folder, work } = make(deaf, { options: { signal: controller.signal } });
    const called = call();
    while (!existsSync(join(work, 'up'))) await delay(5);
    expect(runningFor(folder).length).toBeGreaterThan(2);
    controller.abort();
    expect((await called).reply).toMatchObject({ kind: 'failed', failure: { class: 'cancelled' } });
    expect(runningFor(folder)).toEqual([]);
  });

  test('[L7] children that it leaves behind are gone, and its answer counts', async () => {
    const { reply, folder } = await callFake(
      `(tail -f /dev/null > /dev/null 2>&1 & echo > up); ${player.begins}; ${player.ends}`,
    );
    expect(reply).toMatchObject({ kind: 'answered', content: 'Fine.' });
    expect(existsSync(join(folder, 'work/up'))).toBe(true);
    expect(runningFor(folder)).toEqual([]);
  });

  test('[Q4] a conversation that it does not know is a failure of class session', async () => {
    const reply = await replyTo(player.losesSession, { order: { session: RESUMED } });
    expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'session', code: 'SESSION_LOST' } });
  });

  test('[Q4] two who go on in the same conversation at once do so one after the other', async () => {
    const script = `echo in >> log; ${player.resumes}; sleep 0.2; echo out >> log; ${player.ends}`;
    const { call, work } = make(script, { order: { session: RESUMED } });
    for (const { reply } of await Promise.all([call(), call()])) expect(reply).toMatchObject({ kind: 'answered' });
    expect(readFileSync(join(work, 'log'), 'utf8')).toBe('in\nout\nin\nout\n');
  });

  test('[Q2] a desk that is down fails the turn as such', async () => {
    const reply = await replyTo(player.missesDesk, { order: { desk: DESK } });
    expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'crash', code: 'DESK_UNREACHABLE' } });
  });
});

/** Of all processes that there are, those whose environment speaks of the folder, as that of a turn does. */
function runningFor(folder: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && environmentOf(pid).includes(folder));
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}
