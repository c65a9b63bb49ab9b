import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { startScriptedServer, type ScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import { createSandbox, type Sandbox } from '../cli/sandbox.ts';
import type { FoundClient } from './find-client.ts';

/** A project in git, a model on loopback and the command line, whose user has the real Claude Code. */
export interface ClientProject {
  readonly sandbox: Sandbox;
  readonly server: ScriptedServer;
  readonly troupe: (words: readonly string[]) => ReturnType<Sandbox['troupe']>;
  readonly start: (words: readonly string[]) => ReturnType<Sandbox['start']>;
}

/** `rules`: what the client's model says. */
export async function clientProject(
  client: FoundClient,
  files: Readonly<Record<string, string>>,
  rules: readonly unknown[],
): Promise<ClientProject> {
  const parsed = parseScenario(rules);
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  const server = await startScriptedServer({ scenario: parsed.scenario });
  onTestFinished(() => server.close());
  const sandbox = createSandbox(files);
  commitAll(sandbox.project);
  const settings = join(sandbox.home, '.config/troupe');
  mkdirSync(settings, { recursive: true });
  const actors = { 'claude-code': { program: client.program } };
  writeFileSync(join(settings, 'config.yaml'), JSON.stringify({ actors }));
  const environment = { ANTHROPIC_API_KEY: 'sk-test-0123456789', ANTHROPIC_BASE_URL: server.url };
  return {
    sandbox,
    server,
    troupe: (words) => sandbox.troupe(words, { environment }),
    start: (words) => sandbox.start(words, { environment }),
  };
}

function commitAll(folder: string): void {
  const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: folder });
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'first');
}
