import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { startScriptedServer, type ScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import type { Fact } from '../../src/core/record/fact.ts';
import { runId } from '../../src/core/model/ids.ts';
import { openPostgresJournal } from '../../src/journal/postgres/postgres-journal.ts';
import { hasServer, startCluster, type TestCluster } from '../../src/journal/postgres/testing/test-cluster.ts';
import { openSharedStore } from '../../src/workspace/travel/open-shared-store.ts';
import { getBlob } from '../../src/workspace/travel/packed-body.ts';
import { git } from '../cli/file-projects.ts';
import { createSandbox, jsonLines, type Running, type Sandbox } from '../cli/sandbox.ts';
import { startWorker, stopWorkers } from '../cluster/support/worker-machines.ts';
import { isRunning } from './client-rig.ts';
import { findClient, type FoundClient } from './find-client.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

const SOON = { timeout: 120_000, interval: 200 };

/** Two turns of one agent, with a person's word in between. */
const TRAVEL = `import { defineWorkflow } from 'troupe';
export const travel = defineWorkflow({
  name: 'travel',
  data: {},
  agents: { coder: {} },
  states: {
    start: { work: { kind: 'turn', agent: 'coder', input: "'Remember the word heron.'" }, transitions: ['ask'] },
    ask: { work: { kind: 'ask', question: "'Go on?'", choices: ['yes', 'no'] }, transitions: ['again'] },
    again: { work: { kind: 'turn', agent: 'coder', input: "'Which word was it?'" }, transitions: ['done'] },
    done: { kind: 'end', output: 'this.last_agent_response' },
  },
});
`;

interface Travelling {
  readonly actor: 'claude-code' | 'codex';
  readonly client: FoundClient;
  readonly settings: object;
  readonly endpoint: (url: string) => Readonly<Record<string, string>>;
  /** Where the client keeps its login below the home of its user, and what is in it. */
  readonly login: { readonly path: string; readonly text: (token: string) => string };
}

const CLIENTS: readonly Travelling[] = [
  {
    actor: 'claude-code',
    client: findClient('claude'),
    settings: {},
    endpoint: (url) => ({ ANTHROPIC_BASE_URL: url }),
    login: {
      path: '.claude/.credentials.json',
      text: (accessToken) =>
        JSON.stringify({
          claudeAiOauth: {
            accessToken,
            refreshToken: `${accessToken}-refresh`,
            expiresAt: Date.now() + 86_400_000,
            scopes: ['user:inference'],
          },
        }),
    },
  },
  {
    actor: 'codex',
    client: findClient('codex'),
    settings: { model: 'scripted' },
    endpoint: (url) => ({ OPENAI_BASE_URL: `${url}/v1` }),
    login: { path: '.codex/auth.json', text: (token) => JSON.stringify({ OPENAI_API_KEY: token }) },
  },
];

// By steps: those look at the newest message of the user, behind which Claude Code puts one of the system.
const FIRST = { when: { contains: 'Remember the word' }, steps: ['I remember the bird.'] };
const SECOND = { contains: 'Which word was it' };

describe.skipIf(!hasServer())('a session on two workers', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.dispose());

  describe.each(CLIENTS)('with the real client $client.title', ({ actor, client, settings, endpoint, login }) => {
    /** A machine with its own home, login and model. */
    const openMachine = async (address: string, token: string, second: object): Promise<Machine> => {
      const machine = createSandbox();
      const actors = { [actor]: { program: client.program, ...settings } };
      put(join(machine.home, '.config/troupe/config.yaml'), JSON.stringify({ actors }));
      put(join(machine.home, login.path), login.text(token));
      const model = await startModel([{ when: SECOND, ...second }, FIRST]);
      const environment = { TROUPE_JOURNAL: address, ...endpoint(model.url) };
      const worker = await startWorker(machine, environment, []);
      return { machine, worker, model };
    };

    const beginRun = async (address: string) => {
      const environment = { TROUPE_JOURNAL: address };
      const user = createSandbox({ 'travel.ts': TRAVEL });
      git(user, 'init', '-q');
      const { stdout } = await user.troupe(['run', 'travel.ts', '--actor', actor, '--detach', '--json'], {
        environment,
      });
      const run = runId(String(jsonLines(stdout)[0]?.['run']));
      const journal = await openPostgresJournal({ address });
      onTestFinished(() => journal.close());
      const answer = (...words: readonly string[]) => user.start(['answer', run, 'yes', ...words], { environment });
      const facts = async (): Promise<readonly Fact[]> => (await journal.read(run)).map(({ fact }) => fact);
      const waits = () =>
        vi.waitFor(
          async () => expect(await journal.run(run)).toMatchObject({ status: 'waiting', driven: false }),
          SOON,
        );
      return { run, user, answer, facts, waits };
    };

    /** The second turn was taken elsewhere, in the conversation of the first one. */
    const expectSameSession = async (address: string, facts: readonly Fact[], { machine, model }: Machine) => {
      const request = model.requests.find(({ body }) => JSON.stringify(body).includes('Which word was it'));
      const heard = JSON.stringify(request?.body);
      for (const text of ['Remember the word heron.', 'I remember the bird.'])
        expect(heard.split(text)).toHaveLength(2);
      const sessions = facts.flatMap((fact) => (fact.kind === 'session.noted' ? [fact.session] : []));
      expect(new Set(sessions).size).toBe(1);
      const [session = ''] = sessions;
      const files = filesIn(join(machine.home, 'agents'));
      expect(files.filter(({ path }) => path.endsWith(`${session}.jsonl`))).toHaveLength(1);
      for (const { path, text } of filesIn(machine.home))
        expect([path, text.includes('login-one')]).toEqual([path, false]);
      const store = await openSharedStore(address);
      onTestFinished(() => store.close());
      const kept = facts.flatMap((fact) => (fact.kind === 'session.kept' ? [fact.conversation?.body ?? ''] : []));
      expect(kept.length).toBeGreaterThan(1);
      for (const body of kept) {
        const text = (await getBlob(store, body)).toString('utf8');
        const { files: sent } = JSON.parse(text) as { readonly files: readonly { readonly path: string }[] };
        expect(sent.map(({ path }) => path)).toEqual([expect.stringContaining(`${session}.jsonl`)]);
        expect(text).not.toMatch(/login-(one|two)/);
      }
    };

    test.skipIf(client.isMissing)(
      '[U8] [Q4] a worker goes on in the session of another one that has ended, without its login',
      async () => {
        const address = await cluster.database();
        const { answer, facts, waits } = await beginRun(address);
        const one = await openMachine(address, 'login-one-5f0c2b7e9a1d', { steps: ['Not here.'] });
        await waits();
        one.worker.child.kill('SIGTERM');
        expect(await one.worker.ended).toMatchObject({ code: 0 });
        one.machine.close();
        const two = await openMachine(address, 'login-two-4836a1d9e7b2', { steps: ['It was the heron.'] });
        expect(await answer().ended).toMatchObject({ code: 0, stdout: 'It was the heron.\n' });
        await expectSameSession(address, await facts(), two);
      },
    );

    test.skipIf(client.isMissing)(
      '[U8] [L7] a worker that has lost a run while it was frozen ends its client when it goes on',
      async () => {
        const address = await cluster.database();
        const { answer, facts, waits } = await beginRun(address);
        const one = await openMachine(address, 'login-one-5f0c2b7e9a1d', { steps: [{ hang: true }] });
        await waits();
        const answering = answer();
        await untilAsked(one);
        one.worker.child.kill('SIGSTOP');
        const two = await openMachine(address, 'login-two-4836a1d9e7b2', { steps: ['It was the heron.'] });
        expect(await answering.ended).toMatchObject({ code: 0, stdout: 'It was the heron.\n' });
        // Stopping the worker has not stopped its client.
        expect(clientsOn(one.machine, client)).not.toEqual([]);
        const before = await facts();
        one.worker.child.kill('SIGCONT');
        await vi.waitFor(() => expect(clientsOn(one.machine, client)).toEqual([]), SOON);
        await stopWorkers([one.worker, two.worker]);
        expect(await facts()).toEqual(before);
      },
    );

    test.skipIf(client.isMissing)(
      '[U8] [Q4] a worker takes over in the middle of a turn, with the session as it was stored before',
      async () => {
        const address = await cluster.database();
        const { answer, facts, waits } = await beginRun(address);
        const one = await openMachine(address, 'login-one-5f0c2b7e9a1d', { steps: [{ hang: true }] });
        await waits();
        const answering = answer();
        await untilAsked(one);
        one.worker.child.kill('SIGKILL');
        const two = await openMachine(address, 'login-two-4836a1d9e7b2', { steps: ['It was the heron.'] });
        expect(await answering.ended).toMatchObject({ code: 0, stdout: 'It was the heron.\n' });
        await expectSameSession(address, await facts(), two);
      },
    );
  });
});

interface Machine {
  readonly machine: Sandbox;
  readonly worker: Running;
  readonly model: ScriptedServer;
}

/** The client waits for its model in the second turn. */
const untilAsked = ({ model }: Machine): Promise<void> =>
  vi.waitFor(() => expect(JSON.stringify(model.requests)).toContain('Which word was it'), SOON);

/** The client's processes that keep their conversations on this machine. */
function clientsOn({ home }: Sandbox, { program }: FoundClient): readonly number[] {
  const isAt = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(join(home, 'agents'));
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isRunning(program, Number(name)) && isAt(name))
    .map(Number);
}

async function startModel(rules: readonly unknown[]): Promise<ScriptedServer> {
  const parsed = parseScenario(rules);
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  const server = await startScriptedServer({ scenario: parsed.scenario });
  onTestFinished(() => server.close());
  return server;
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
}

function filesIn(folder: string): readonly { readonly path: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, text: readFileSync(path, 'latin1') }));
}
