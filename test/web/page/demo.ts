import { execFileSync } from 'node:child_process';
import { createSandbox, jsonLines, type Sandbox, type SandboxOptions } from '../../cli/sandbox.ts';
import { demoFiles, TASK, type DemoOptions } from './demo-files.ts';

/** The demo's project as a git repository with one commit. */
export function demoProject(options: DemoOptions & SandboxOptions = {}): Sandbox {
  const sandbox = createSandbox(demoFiles(options), options);
  const words = [
    ['init', '-q', '-b', 'trunk'],
    ['config', 'user.name', 'Ada'],
    ['config', 'user.email', 'ada@example.org'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'A small project'],
  ];
  for (const one of words)
    execFileSync('git', one, {
      cwd: sandbox.project,
      env: { PATH: process.env['PATH'] ?? '', HOME: sandbox.home, GIT_CONFIG_NOSYSTEM: '1' },
    });
  return sandbox;
}

/** Plays the demo as far as it goes without a person, and gives the run's id. */
export async function playDemo(sandbox: Sandbox): Promise<string> {
  const { stdout, stderr } = await sandbox.troupe(['run', 'slug_review', TASK, '--no-input', '--json']);
  const [first] = jsonLines(stdout);
  if (first === undefined) throw new Error(stderr);
  return String(first['run']);
}
