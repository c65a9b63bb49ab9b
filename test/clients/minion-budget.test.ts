import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunView } from '../../src/protocol/run-view.ts';
import { TWO_STEPS } from '../cli/projects.ts';
import { createSandbox, jsonLines, root } from '../cli/sandbox.ts';
import { agentHome } from './agent-home.ts';

/** What the real client once said in a turn with a sub-agent: 4435 tokens for itself, 2288 for the sub-agent. */
const SAID = join(root, 'src/actors/clients/claude/fixtures/minion.ndjson');
const BETWEEN = 5500;

test('[Q8] what a sub-agent of a client used counts towards the budget: without it the next turn would have begun', async () => {
  const sandbox = createSandbox({
    '.troupe/roles/roles.json': JSON.stringify({ worker: { level: 'base', systemMessage: 'You work.' } }),
    '.troupe/workflows/two_steps.json': JSON.stringify(TWO_STEPS),
  });
  const bin = join(dirname(sandbox.project), 'bin');
  mkdirSync(bin);
  const client = `#!/bin/sh\necho >> "$HOME/started"\ncat <<'END'\n${readFileSync(SAID, 'utf8')}END\n`;
  writeFileSync(join(bin, 'claude'), client);
  chmodSync(join(bin, 'claude'), 0o755);
  const environment = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, ANTHROPIC_API_KEY: 'sk-test-0123456789' };
  const words = ['run', 'two_steps', 'Go', '--actor', 'claude-code', '--max-tokens', String(BETWEEN), '--json'];
  const ran = await sandbox.troupe(words, { environment });
  expect(ran.code).toBe(4);
  const last = jsonLines(ran.stdout).at(-1);
  expect(last).toMatchObject({ failure: { code: 'MAX_TOKENS' } });
  const run = String(last?.['run']);
  expect(readFileSync(join(agentHome(sandbox.home, run), 'started'), 'utf8')).toBe('\n');

  const view = JSON.parse((await sandbox.troupe(['show', run, '--json'])).stdout) as RunView;
  const [minion] = view.agents?.[0]?.minions ?? [];
  const ofMinion = (minion?.usage?.inputTokens ?? 0) + (minion?.usage?.outputTokens ?? 0);
  const all = view.usage.inputTokens + view.usage.outputTokens;
  expect(all - ofMinion).toBeLessThan(BETWEEN);
  expect(all).toBeGreaterThan(BETWEEN);
});
