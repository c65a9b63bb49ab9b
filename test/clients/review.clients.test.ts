import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { startScriptedServer, type ScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import type { CompareView } from '../../src/formats/review/views/compare-view.ts';
import type { DebateView } from '../../src/formats/review/views/debate-view.ts';
import { createSandbox, jsonLines, type Sandbox } from '../cli/sandbox.ts';
import { findClient } from './find-client.ts';
import { FIXED, minds, MODELS, REVIEW, TEST } from './review-minds.ts';

// A whole review with large programs, on machines that may be busy with others.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

const claude = findClient('claude');
const codex = findClient('codex');
const acp = findClient('claude-agent-acp');
const clients = [claude, codex, acp];
const title = clients.map((client) => client.title).join(', ');

/** Who played whom, and whether each went on in its own conversation: `new`, then as often as it was asked again. */
const SESSIONS = {
  impl_1: ['claude-code', 'new', 'resumed'],
  impl_2: ['codex', 'new', 'resumed'],
  impl_3: ['acp:claude-agent-acp', 'new', 'resumed'],
  rev_1: ['claude-code', 'new', 'resumed', 'resumed'],
  rev_2: ['codex', 'new', 'resumed', 'resumed'],
};

describe.skipIf(clients.some(({ isMissing }) => isMissing))(`a review by the real clients ${title}`, () => {
  test('[PD1] [PD3] [PD6] [PD7] [Q2] [Q4] three implement, two review at the desk, all revise in their own sessions, and the best is merged', async () => {
    const { sandbox, server, environment } = await project();
    const ran = await sandbox.troupe(['run', 'doubled.yaml', 'Double it', '--json', '--no-input'], { environment });
    const lines = jsonLines(ran.stdout);
    const settled = { outcome: 'ok', output: { winner: 'impl_1', decision: 'APPROVE', revisions: 1, lost: [] } };
    expect([lines.at(-1), ran.stderr]).toMatchObject([settled, '']);

    // Each has one conversation from its first word to its last, and no two share one.
    const noted = lines.filter(({ kind }) => kind === 'session.noted') as unknown as readonly Noted[];
    const byAgent = Map.groupBy(noted, ({ agent }) => agent);
    expect(Object.fromEntries([...byAgent].map(([agent, all]) => [agent, [all[0]?.actor, ...all.map(howOf)]]))).toEqual(
      SESSIONS,
    );
    const ids = [...byAgent.values()].map((all) => [...new Set(all.map(({ session }) => session))]);
    expect(ids.map(({ length }) => length)).toEqual([1, 1, 1, 1, 1]);
    expect(new Set(ids.flat()).size).toBe(5);

    // Reviews came by the desk, as structured findings; a place that does not exist was sent back in the call, and corrected there.
    const run = String(lines.at(-1)?.['run']);
    const view = JSON.parse((await sandbox.troupe(['debate', run, '--json'])).stdout) as DebateView;
    expect(view.findings.map(({ id, by, implementation, line }) => [id, by, implementation, line])).toEqual([
      ['F1', 'rev_1', 'impl_1', 1],
      ['F2', 'rev_2', 'impl_2', 2],
      ['F3', 'rev_2', 'impl_3', 3],
    ]);
    for (const finding of view.findings) expect(finding).toMatchObject({ isVerified: true, isTouched: true });
    expect(view.debates).toMatchObject([
      { came: 'consensus', verdict: 'REVISE_ALL' },
      { came: 'consensus', verdict: 'APPROVE' },
    ]);
    expect(JSON.stringify(lines)).toContain('but not a line 4711.');
    // A reviewer reads the files of all with its own tools.
    expect(JSON.stringify(server.requests.map(({ body }) => body))).toMatch(
      /_output[^}]*const double = \(n\) => n \+ n/,
    );
    const { implementations } = JSON.parse((await sandbox.troupe(['compare', run, '--json'])).stdout) as CompareView;
    expect(implementations.map(({ evidence }) => evidence?.isGreen)).toEqual([true, true, true]);

    // What is merged was verified, waits on a branch, and works there; the user's own files are as they were.
    expect(git(sandbox, 'diff', '--name-only', 'HEAD', `troupe/${run}`)).toBe('double.mjs\n');
    expect(git(sandbox, 'show', `troupe/${run}:double.mjs`)).toBe(FIXED);
    expect(git(sandbox, 'status', '--porcelain')).toBe('');
    git(sandbox, 'checkout', '-q', `troupe/${run}`);
    execFileSync(process.execPath, ['--test', 'test.mjs'], { cwd: sandbox.project });
  });
});

interface Noted {
  readonly agent: string;
  readonly actor: string;
  readonly session: string;
  readonly how: string;
}

const howOf = ({ how }: Noted): string => how;

interface Project {
  readonly sandbox: Sandbox;
  readonly server: ScriptedServer;
  readonly environment: Readonly<Record<string, string>>;
}

/** A project in git whose user has all three clients, and no model of an API besides. */
async function project(): Promise<Project> {
  const parsed = parseScenario(minds());
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  const server = await startScriptedServer({ scenario: parsed.scenario });
  onTestFinished(() => server.close());
  const sandbox = createSandbox({ 'doubled.yaml': REVIEW, 'test.mjs': TEST });
  git(sandbox, 'init', '-q');
  git(sandbox, 'add', '.');
  git(sandbox, '-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'first');
  const settings = join(sandbox.home, '.config/troupe');
  mkdirSync(settings, { recursive: true });
  const actors = {
    'claude-code': { program: claude.program, model: MODELS.claude },
    codex: { program: codex.program, model: MODELS.codex },
    acp: { 'claude-agent-acp': { command: [acp.program] } },
  };
  writeFileSync(join(settings, 'config.yaml'), JSON.stringify({ actors }));
  const environment = {
    ANTHROPIC_API_KEY: 'sk-test-0123456789',
    ANTHROPIC_BASE_URL: server.url,
    // Only the adapter takes its model from here.
    ANTHROPIC_MODEL: MODELS.acp,
    OPENAI_API_KEY: 'sk-test-0123456789',
    OPENAI_BASE_URL: `${server.url}/v1`,
  };
  return { sandbox, server, environment };
}

function git({ project: cwd }: Sandbox, ...words: readonly string[]): string {
  return execFileSync('git', words, { cwd, encoding: 'utf8' });
}
