import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createClaudeActor } from '../../src/actors/clients/claude/claude-actor.ts';
import { createCodexActor } from '../../src/actors/clients/codex/codex-actor.ts';
import type { Actor, CallReply, ClientOrder } from '../../src/actors/port.ts';
import { runId, taskId } from '../../src/core/model/ids.ts';
import { openDeskOffice } from '../../src/host/desk/desk-office.ts';
import type { OpenDesk } from '../../src/host/desk/port.ts';
import { testSandbox } from '../../src/tools/testing/test-sandbox.ts';
import { callWith, clientRig, script, until, type Place } from './client-rig.ts';
import { findClient, type FoundClient } from './find-client.ts';

// Large programs, on machines that may be busy with others.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

/** What keeps a turn apart from other turns, other clients and the user (L4, L8, Q2, Q4), with the real clients. */

const bash = (command: string) => ({ name: 'Bash', arguments: { command, description: 'A command' } });
const exec = (cmd: string) => ({ name: 'exec_command', arguments: { cmd } });

const claude = findClient('claude');
const codex = findClient('codex');

/** All that a user may have at once. */
const everything = (url: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  ANTHROPIC_API_KEY: 'sk-ant-0123456789',
  ANTHROPIC_BASE_URL: url,
  CLAUDE_CODE_MAX_OUTPUT_TOKENS: '1000',
  OPENAI_API_KEY: 'sk-oai-0123456789',
  OPENAI_BASE_URL: `${url}/v1`,
  CODEX_HOME: '/nowhere/codex',
  GEMINI_API_KEY: 'gem-0123456789',
  GITHUB_TOKEN: 'ghp-0123456789',
  SSH_AUTH_SOCK: '/nowhere/agent.sock',
  AWS_SECRET_ACCESS_KEY: 'aws-0123456789',
});

interface Met {
  readonly client: FoundClient;
  readonly actor: (options: { readonly url: string; readonly openSandbox: Options['openSandbox'] }) => Actor;
  readonly shell: typeof bash | typeof exec;
  /** Of the desk's tools, as its model knows them. */
  readonly prefix: string;
  readonly session: () => ClientOrder['session'];
  /** Variables of the others, by how they begin. */
  readonly others: RegExp;
}

type Options = Parameters<typeof createClaudeActor>[0];

const MET: readonly Met[] = [
  {
    client: claude,
    actor: ({ url, openSandbox }) =>
      createClaudeActor({ program: claude.program, openSandbox, environment: everything(url) }),
    shell: bash,
    prefix: 'mcp__troupe__',
    session: () => ({ how: 'new', id: randomUUID() }),
    others: /^(OPENAI|CODEX|GEMINI|GITHUB|SSH|AWS)_|sk-oai|gem-0|ghp-0|aws-0/m,
  },
  {
    client: codex,
    actor: ({ url, openSandbox }) =>
      createCodexActor({ program: codex.program, openSandbox, model: 'scripted', environment: everything(url) }),
    shell: exec,
    prefix: '',
    session: () => ({ how: 'new', id: null }),
    others: /^(ANTHROPIC|CLAUDE|GEMINI|GITHUB|SSH|AWS)_|sk-ant|gem-0|ghp-0|aws-0/m,
  },
];

for (const { client, actor, shell, prefix, session, others } of MET) {
  describe.skipIf(client.isMissing)(`the real client ${client.title}`, () => {
    const rig = clientRig(client);
    const own = (): Actor => actor({ url: rig.url(), openSandbox: rig.openSandbox });

    test('[L8] has the keys of no other client, and nothing else of the user', async () => {
      const place = rig.place();
      // What the program itself was given, and what its commands are.
      const look = 'tr "\\0" "\\n" < /proc/$PPID/environ > program.txt; env > command.txt; sleep 0.3';
      const order = place.order(script('Look.', [{ tools: [shell(look)] }, 'Seen.']), { session: session() });
      const { reply } = await callWith(own(), order);
      expect(reply).toMatchObject({ kind: 'answered', content: 'Seen.' });
      for (const name of ['program.txt', 'command.txt']) {
        const seen = readFileSync(join(place.folder, name), 'utf8');
        expect(seen).toContain(`HOME=${place.home}`);
        expect(seen).not.toMatch(others);
      }
    });

    test('[Q2] a desk that goes in the middle of a turn takes nothing, and the turn comes to its end', async () => {
      const place = rig.place();
      const desk = await openDesk();
      const signal = { name: `${prefix}signal_back`, arguments: { signal: 'complete' } };
      const steps = [{ tools: [shell('touch up; sleep 2')] }, { tools: [signal] }, 'I tried.'];
      const pending = callWith(own(), place.order(script('Signal.', steps), { desk, session: session() }));
      await until(() => existsSync(join(place.folder, 'up')));
      await desk.close();
      const { reply, activities } = await pending;
      expect(reply).toMatchObject({ kind: 'answered', content: 'I tried.', toolCalls: [] });
      expect(activities.find(({ name }) => name === 'signal_back')).toMatchObject({ status: 'failed' });
      expect(desk.accepted).toEqual([]);
    });

    test('[Q2] its commands find the token nowhere', async () => {
      const place = rig.place();
      const desk = await openDesk();
      const token = desk.headers['Authorization']?.slice('Bearer '.length) ?? '';
      // As a pattern, so that the search is not what is found.
      const pattern = `[${token.slice(0, 1)}]${token.slice(1)}`;
      const find = `(cat /proc/[0-9]*/cmdline; env; grep -rsa . $HOME) | grep -ca '${pattern}' > found.txt; sleep 0.3`;
      const order = place.order(script('Find.', [{ tools: [shell(find)] }, 'Found.']), { desk, session: session() });
      expect((await callWith(own(), order)).reply).toMatchObject({ kind: 'answered' });
      expect(readFileSync(join(place.folder, 'found.txt'), 'utf8')).toBe('0\n');
      await desk.close();
    });
  });
}

describe.skipIf(claude.isMissing)(`conversations of the real client ${claude.title}`, () => {
  const rig = clientRig(claude);

  test('[Q4] [A3] what was said before a copy was made is not counted again, though the client tells it', async () => {
    const actor = createClaudeActor({
      program: claude.program,
      openSandbox: rig.openSandbox,
      environment: everything(rig.url()),
    });
    const place = rig.place();
    const [from, id] = [randomUUID(), randomUUID()];
    const work = script('Work.', Array.from({ length: 4 }, () => ({ tools: [bash('true')] })).concat('Done.' as never));
    const first = await callWith(actor, place.order(work, { session: { how: 'new', id: from } }));
    const copy = await callWith(actor, place.order('Say hello.', { session: { how: 'forked', from, id } }));
    expect(spentOf(first.reply).calls).toBe(5);
    expect(spentOf(copy.reply)).toMatchObject({ calls: 1, outputTokens: 4 });
    expect(costOf(copy.reply)).toBeLessThan(costOf(first.reply));
    const result = copy.lines.map((line) => JSON.parse(line) as Result).find(({ type }) => type === 'result');
    expect(result?.total_cost_usd).toBeGreaterThan(costOf(first.reply));
  });
});

interface Result {
  readonly type: string;
  readonly total_cost_usd?: number;
}

const spentOf = (reply: CallReply) => (reply.kind === 'answered' ? reply.usage : { calls: 0, outputTokens: 0 });
const costOf = (reply: CallReply): number => (reply.kind === 'answered' ? (reply.costUsd ?? Number.NaN) : Number.NaN);

describe.skipIf(codex.isMissing)(`without any box, the real client ${codex.title}`, () => {
  const rig = clientRig(codex);
  const unboxed = codex.isMissing ? rig.openSandbox : testSandbox('none');

  test('[PH3] [Q4] its own sandbox is set again in a conversation that is gone on with', async () => {
    const place = rig.place();
    const actor = createCodexActor({
      program: codex.program,
      openSandbox: unboxed,
      model: 'scripted',
      environment: everything(rig.url()),
    });
    const ids: string[] = [];
    const options = { onSession: async (id: string): Promise<void> => void ids.push(id) };
    const write = async (name: string, change: Parameters<Place['order']>[1]): Promise<boolean> => {
      const prompt = script('Write.', [{ tools: [exec(`touch ${name}; sleep 0.3`)] }, 'Tried.']);
      const { reply } = await callWith(actor, place.order(prompt, change), { options });
      expect(reply).toMatchObject({ kind: 'answered', content: 'Tried.' });
      return existsSync(join(place.folder, name));
    };
    expect(await write('a.txt', { session: { how: 'new', id: null }, mode: 'read' })).toBe(false);
    const session = { how: 'resumed', id: ids[0] ?? '' } as const;
    expect(await write('b.txt', { session })).toBe(true);
    expect(await write('c.txt', { session, mode: 'read' })).toBe(false);
  });
});

async function openDesk(): Promise<OpenDesk> {
  const office = await openDeskOffice();
  onTestFinished(() => office.close());
  const parameters = { type: 'object', properties: { signal: { type: 'string' } }, required: ['signal'] };
  return await office.open({
    run: runId('run-1'),
    task: taskId('task-1'),
    tools: [{ name: 'signal_back', description: 'Tells how the step stands.', parameters }],
    take: async () => ({ isAccepted: true, text: 'Received.' }),
  });
}
