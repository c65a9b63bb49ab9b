import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { startScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import { scriptedProject } from '../cli/projects.ts';
import { PROGRAM, type Sandbox } from '../cli/sandbox.ts';
import { findClient } from './find-client.ts';

// Large programs, on machines that may be busy with others.
vi.setConfig({ testTimeout: 180_000 });

const claude = findClient('claude');

const tool = (name: string, given: object) => ({ name: `mcp__troupe__${name}`, arguments: given });

/** What its model says: it looks around, starts a run, and looks again. */
const RULES = [
  {
    when: { contains: 'Run two steps' },
    steps: [
      { say: 'I look.', tools: [tool('list_workflows', {})] },
      { say: 'I start it.', tools: [tool('start_run', { workflow: 'two_steps', input: { task: 'By Claude' } })] },
      { say: 'I look again.', tools: [tool('list_runs', {})] },
      'It runs.',
    ],
  },
];

function ask(sandbox: Sandbox, url: string): Promise<string> {
  const config = join(sandbox.home, 'mcp.json');
  const env = { TROUPE_HOME: sandbox.home, TROUPE_SANDBOX: 'best', PATH: process.env['PATH'] ?? '' };
  const troupe = { type: 'stdio', command: process.execPath, args: [PROGRAM, 'mcp', sandbox.project], env };
  writeFileSync(config, JSON.stringify({ mcpServers: { troupe } }));
  const home = join(sandbox.home, 'user');
  mkdirSync(home);
  const words = [
    '--mcp-config',
    config,
    '--strict-mcp-config',
    '--allowedTools',
    'mcp__troupe',
    '--output-format',
    'json',
  ];
  const child = spawn(claude.program, ['-p', 'Run two steps', ...words], {
    cwd: sandbox.project,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      ANTHROPIC_API_KEY: 'sk-test-0123456789',
      ANTHROPIC_BASE_URL: url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void (child.exitCode === null && child.kill('SIGKILL')));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (text += piece.toString()));
  const { promise, resolve } = Promise.withResolvers<string>();
  child.on('close', () => resolve(text));
  return promise;
}

describe.skipIf(claude.isMissing)(`the real client ${claude.title} with Troupe as its MCP server`, () => {
  test('[U9] finds the workflows, starts one, and the run goes on without it', async () => {
    const parsed = parseScenario(RULES);
    if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
    const server = await startScriptedServer({ scenario: parsed.scenario });
    onTestFinished(() => server.close());
    const sandbox = scriptedProject();
    expect(await ask(sandbox, server.url)).toContain('It runs.');
    const { items: runs } = JSON.parse((await sandbox.troupe(['list', '--json'])).stdout) as {
      items: { run: string; title: string }[];
    };
    expect(runs.map(({ title }) => title)).toEqual(['By Claude']);
    await sandbox.troupe(['watch', runs[0]?.run ?? '']);
    const shown = JSON.parse((await sandbox.troupe(['show', runs[0]?.run ?? '', '--json'])).stdout) as object;
    expect(shown).toMatchObject({ outcome: 'ok', output: 'Done.' });
  });
});
