import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { startScriptedServer, type ScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import type { RunView } from '../../src/protocol/run-view.ts';
import { createSandbox, jsonLines, type Sandbox } from '../cli/sandbox.ts';
import { findClient, type FoundClient } from './find-client.ts';

// Large programs, on machines that may be busy with others.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

/** How a client is met: what its model calls the tools, and where it looks for it. */
interface Met {
  readonly actor: 'claude-code' | 'codex';
  readonly client: FoundClient;
  readonly shell: (command: string) => object;
  readonly verdictTool: string;
  readonly settings: object;
  readonly environment: (url: string) => Readonly<Record<string, string>>;
  readonly login: string;
}

const KEY = 'sk-test-0123456789';

const MET: readonly Met[] = [
  {
    actor: 'claude-code',
    client: findClient('claude'),
    shell: (command) => ({ name: 'Bash', arguments: { command, description: 'A command' } }),
    verdictTool: 'mcp__troupe__review_work',
    settings: {},
    environment: (url) => ({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url }),
    login: 'ANTHROPIC_API_KEY',
  },
  {
    actor: 'codex',
    client: findClient('codex'),
    shell: (cmd) => ({ name: 'exec_command', arguments: { cmd } }),
    verdictTool: 'review_work',
    settings: { model: 'scripted' },
    environment: (url) => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1` }),
    login: 'OPENAI_API_KEY',
  },
];

/** What the client's model says. In one conversation all is heard, so what is said last is looked for first. */
const spoken = ({ shell, verdictTool }: Met) => [
  {
    when: { contains: 'Say it louder' },
    steps: [{ say: 'I mend it.', tools: [shell('echo HELLO >> greeting.txt')] }, 'It is louder now.'],
  },
  {
    when: { contains: 'Review the work of the coder' },
    steps: [
      {
        say: 'I judge.',
        tools: [{ name: verdictTool, arguments: { improvement_needed: false, work_summary: 'Judged by a client.' } }],
      },
      'That is my word.',
    ],
  },
  {
    when: { contains: 'Write the greeting' },
    steps: [{ say: 'I write it.', tools: [shell('echo hello > greeting.txt')] }, 'The greeting is written.'],
  },
];

/** What the configured model says as reviewer: content at once, or only the second time. */
const reviewer = (isContentAtOnce: boolean): string =>
  JSON.stringify({
    rules: [
      ...(isContentAtOnce
        ? []
        : [
            {
              when: { state: 'review', visit: 1 },
              reply: review({ improvement_needed: true, continue_message: 'Say it louder.' }),
            },
          ]),
      { when: { state: 'review' }, reply: review({ improvement_needed: false, work_summary: 'A greeting.' }) },
    ],
  });

const review = (verdict: object) => ({ say: 'My verdict.', tools: [{ name: 'review_work', arguments: verdict }] });

describe.each(MET)('the command line with the real client $client.title', (met) => {
  const { actor, client } = met;
  let server: ScriptedServer;
  beforeAll(async () => {
    const parsed = parseScenario(spoken(met));
    if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
    server = await startScriptedServer({ scenario: parsed.scenario });
  });
  afterAll(() => server.close());

  const project = (): Sandbox => {
    const sandbox = createSandbox({
      '.troupe/config.yaml': 'models:\n  base: { provider: scripted, scenario: answers.json }\n',
      'answers.json': reviewer(true),
    });
    const settings = join(sandbox.home, '.config/troupe');
    mkdirSync(settings, { recursive: true });
    const actors = { [actor]: { program: client.program, ...met.settings } };
    writeFileSync(join(settings, 'config.yaml'), JSON.stringify({ actors }));
    return sandbox;
  };
  const environment = () => met.environment(server.url);
  const start = async (sandbox: Sandbox, cast: string): Promise<RunView> => {
    const words = ['run', 'coder_reviewer', 'Write the greeting', '--actor', cast, '--json'];
    const ran = await sandbox.troupe(words, { environment: environment() });
    const run = String(jsonLines(ran.stdout).at(-1)?.['run']);
    return JSON.parse((await sandbox.troupe(['show', run, '--json'])).stdout) as RunView;
  };

  test.skipIf(client.isMissing)(
    '[Q4] a coder that is the client and a reviewer that is a model do the work together',
    async () => {
      const sandbox = project();
      const view = await start(sandbox, `coder=${actor}`);
      expect(view).toMatchObject({
        outcome: 'ok',
        output: 'A greeting.',
        agents: [{ agent: 'coder', actor, turns: 1, tools: 1, denials: [] }, { agent: 'reviewer' }],
      });
      expect(readFileSync(join(view.folder ?? '', 'greeting.txt'), 'utf8')).toBe('hello\n');
      const raw = await sandbox.troupe(['logs', view.run, '--raw']);
      expect(raw.stdout).toContain('The greeting is written.');
      expect((await sandbox.troupe(['logs', view.run])).stdout).toMatch(/✓ \S+ echo hello > greeting\.txt/);
    },
  );

  test.skipIf(client.isMissing)('[Q2] a structured reply of a client comes over the desk', async () => {
    const view = await start(project(), actor);
    expect(view).toMatchObject({ outcome: 'ok', output: 'Judged by a client.' });
    expect(view.agents?.map(({ agent }) => agent)).toEqual(['coder', 'reviewer']);
  });

  test.skipIf(client.isMissing)('[Q4] a fork goes on in a copy of the session, in its own home', async () => {
    const sandbox = project();
    const { run } = await start(sandbox, `coder=${actor}`);
    sandbox.write('answers.json', reviewer(false));
    const forked = await sandbox.troupe(['fork', run, '--at', 'review', '--json'], { environment: environment() });
    const lines = jsonLines(forked.stdout);
    const fork = String(lines.at(-1)?.['run']);
    expect(lines.at(-1)).toMatchObject({ outcome: 'ok', output: 'A greeting.' });
    const noted = lines.filter(({ kind }) => kind === 'session.noted');
    expect(noted).toMatchObject([{ agent: 'coder', how: 'forked' }]);
    const shown = JSON.parse((await sandbox.troupe(['show', fork, '--json'])).stdout) as RunView;
    expect(readFileSync(join(shown.folder ?? '', 'greeting.txt'), 'utf8')).toBe('hello\nHELLO\n');
    const sessions = (name: string): readonly string[] =>
      readdirSync(join(sandbox.home, 'agents', name), { recursive: true, encoding: 'utf8' }).filter((path) =>
        /[0-9a-f-]{36}\.jsonl$/.test(path),
      );
    expect(sessions(run)).toHaveLength(1);
    expect(sessions(fork).length).toBeGreaterThan(1);
  });

  test.skipIf(client.isMissing)('[U4] the doctor finds it, and says how it is logged in', async () => {
    const sandbox = project();
    const report = await sandbox.troupe(['doctor', '--json'], { environment: environment() });
    const { items: findings } = JSON.parse(report.stdout) as {
      readonly items: readonly { readonly client?: { readonly kind: string } }[];
    };
    expect(findings.find(({ client: one }) => one?.kind === actor)).toMatchObject({
      level: 'ok',
      client: {
        isFound: true,
        path: client.program,
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        login: met.login,
      },
    });
  });
});
