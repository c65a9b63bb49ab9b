import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { placeBeside, testSandbox } from '../../tools/test-sandbox.ts';
import { sampleRequest } from '../actor.contract.ts';
import type { ClientOrder } from '../client-port.ts';
import type { Actor, CallOptions } from '../port.ts';
import { createAcpActor } from './acp/acp-actor.ts';
import { plainAgent } from './acp/acp-agent.ts';
import { createClaudeActor } from './claude/claude-actor.ts';
import { createCodexActor } from './codex/codex-actor.ts';

/** What a client of any kind may do wrong (docs/spec/clients.md), each played by a small program that speaks its protocol. */
const openSandbox = testSandbox();
const root = mkdtempSync(join(tmpdir(), 'bad-clients-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Lines of shell. */
interface Player {
  readonly actor: (program: string) => Actor;
  /** The beginning of a turn in a new conversation, and in one that is gone on with. */
  readonly begins: string;
  readonly resumes: string;
  /** All that is left of a turn that comes out well, and its end. */
  readonly ends: string;
  /** Of a kind that nobody knows. */
  readonly unknown: string;
  readonly losesSession: string;
  readonly missesDesk: string;
}

const SESSION = '01a1e2b1-d2eb-7f01-b46b-7ec4c26fd44b';
const environment = { PATH: '/usr/bin:/bin', HOME: join(root, 'nobody') };
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
    actor: (program) => createClaudeActor({ program, openSandbox, environment }),
    begins: echo({ type: 'system', subtype: 'init' }),
    resumes: echo({ type: 'system', subtype: 'init' }),
    ends: echo({ type: 'result', subtype: 'success', is_error: false, result: 'Fine.', usage: { output_tokens: 1 } }),
    unknown: echo({ type: 'tomorrow', subtype: 'x' }),
    losesSession: `echo 'No conversation found with session ID: ${SESSION}' >&2; exit 1`,
    missesDesk: `${echo({ type: 'system', subtype: 'init', mcp_servers: [{ name: 'troupe', status: 'failed' }] })}; exec tail -f /dev/null`,
  },
  Codex: {
    actor: (program) => createCodexActor({ program, openSandbox, environment }),
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
    actor: (program) => {
      const agent = plainAgent({ name: 'fake', command: [program] });
      return createAcpActor({ agent, command: [program], openSandbox, environment });
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

/** Nobody listens there. */
const DESK: NonNullable<ClientOrder['desk']> = {
  url: 'http://127.0.0.1:1/mcp',
  headers: {},
  tools: ['signal_back'],
  bridge: { command: [], environment: {}, folders: [] },
};

const RESUMED = { how: 'resumed', id: SESSION } as const;

describe.each(Object.entries(PLAYERS))('[Q5] %s', (_name, player) => {
  interface Given {
    readonly order?: Partial<ClientOrder>;
    readonly options?: Partial<CallOptions>;
  }

  function play(script: string, given: Given = {}) {
    const folder = mkdtempSync(join(root, 'c-'));
    const program = join(folder, 'client');
    writeFileSync(program, `#!/bin/sh\n${script}\n`);
    chmodSync(program, 0o755);
    mkdirSync(join(folder, 'work'));
    const actor = player.actor(program);
    const client: ClientOrder = {
      place: placeBeside(join(folder, 'work')),
      mode: 'write',
      network: false,
      session: { how: 'new', id: actor.client?.choosesSession === true ? SESSION : null },
      unheard: [{ role: 'user', content: 'Go.' }],
      desk: null,
      home: join(folder, 'agents'),
      limits: { idleMs: 60_000, wallMs: 60_000 },
      ...given.order,
    };
    const call = () =>
      actor.call(sampleRequest({ client }), { signal: new AbortController().signal, ...given.options });
    return { call, folder, work: join(folder, 'work') };
  }

  test('malformed lines and lines of unknown kinds cost nothing but themselves', async () => {
    const bad = `echo 'no JSON'; echo '{"type":'; echo '[]'; echo; printf '\\377\\n'`;
    const { call } = play(`${bad}; ${player.begins}; ${player.unknown}; ${bad}; ${player.ends}`);
    expect(await call()).toMatchObject({ kind: 'answered', content: 'Fine.' });
  });

  test('nothing but malformed lines is a crash that says how many there were', async () => {
    const { call } = play('for i in 1 2 3 4 5 6 7; do echo "line $i"; done');
    const crash = { class: 'crash', message: expect.stringContaining('7 lines of it could not be understood') };
    expect(await call()).toMatchObject({ kind: 'failed', failure: crash });
  });

  test('one that prints nothing is stuck while it stays, and has crashed when it ends', async () => {
    const stays = play('exec tail -f /dev/null', { order: { limits: { idleMs: 300, wallMs: 60_000 } } });
    expect(await stays.call()).toMatchObject({ kind: 'failed', failure: { class: 'timeout', code: 'CLIENT_STUCK' } });
    expect(await play('exit 0').call()).toMatchObject({ kind: 'failed', failure: { class: 'crash' } });
  });

  test('one that speaks and exits 0 without a result has crashed', async () => {
    const failure = { class: 'crash', message: expect.stringContaining('ended with exit code 0 without a result') };
    expect(await play(`${player.begins}; ${player.unknown}; exit 0`).call()).toMatchObject({ kind: 'failed', failure });
  });

  test('[A2] one that ignores SIGTERM is gone all the same, with its children', async () => {
    const controller = new AbortController();
    const deaf = `trap '' TERM HUP INT; (tail -f up & echo > up; while :; do sleep 0.1; done) & while :; do sleep 0.1; done`;
    const { call, folder, work } = play(deaf, { options: { signal: controller.signal } });
    const called = call();
    while (!existsSync(join(work, 'up'))) await delay(5);
    expect(runningFor(folder).length).toBeGreaterThan(2);
    controller.abort();
    expect(await called).toMatchObject({ kind: 'failed', failure: { class: 'cancelled' } });
    expect(runningFor(folder)).toEqual([]);
  });

  test('[L7] children that it leaves behind are gone, and its answer counts', async () => {
    const { call, folder, work } = play(
      `(tail -f /dev/null > /dev/null 2>&1 & echo > up); ${player.begins}; ${player.ends}`,
    );
    expect(await call()).toMatchObject({ kind: 'answered', content: 'Fine.' });
    expect(existsSync(join(work, 'up'))).toBe(true);
    expect(runningFor(folder)).toEqual([]);
  });

  test('[Q4] a conversation that it does not know is a failure of class session', async () => {
    const { call } = play(player.losesSession, { order: { session: RESUMED } });
    expect(await call()).toMatchObject({ kind: 'failed', failure: { class: 'session', code: 'SESSION_LOST' } });
  });

  test('[Q4] two who go on in the same conversation at once do so one after the other', async () => {
    const script = `echo in >> log; ${player.resumes}; sleep 0.2; echo out >> log; ${player.ends}`;
    const { call, work } = play(script, { order: { session: RESUMED } });
    const replies = await Promise.all([call(), call()]);
    expect(replies).toMatchObject([{ kind: 'answered' }, { kind: 'answered' }]);
    expect(readFileSync(join(work, 'log'), 'utf8')).toBe('in\nout\nin\nout\n');
  });

  test('[Q2] a desk that is down fails the turn as such', async () => {
    const { call } = play(player.missesDesk, { order: { desk: DESK } });
    expect(await call()).toMatchObject({ kind: 'failed', failure: { class: 'crash', code: 'DESK_UNREACHABLE' } });
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
