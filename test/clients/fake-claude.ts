import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TWO_STEPS } from '../cli/projects.ts';
import { createSandbox, type Running, type Sandbox } from '../cli/sandbox.ts';
import { agentHome } from './agent-home.ts';

/** A line of `--json`. */
export type Line = Readonly<Record<string, unknown>>;

/** The workflow of two steps, played by a program that passes for Claude Code. */
export interface FakeClaude {
  readonly sandbox: Sandbox;
  /** Where the program lies, and can look for files. */
  readonly bin: string;
  /** With the program on the path. */
  readonly environment: Readonly<Record<string, string>>;
  readonly begin: readonly string[];
  /** When it was started for a run, in milliseconds. */
  readonly starts: (run: string) => readonly number[];
}

/** Lines of shell come before a turn that ends well; they run when the start was noted in `$HOME/started`. */
export function fakeClaude(before: string): FakeClaude {
  const sandbox = createSandbox({
    '.troupe/config.yaml': 'retry: { base_ms: 1, max_ms: 1 }\n',
    '.troupe/roles/roles.json': JSON.stringify({ worker: { level: 'base', systemMessage: 'You work.' } }),
    '.troupe/workflows/two_steps.json': JSON.stringify(TWO_STEPS),
  });
  const bin = join(dirname(sandbox.project), 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'claude'), programOf(before));
  chmodSync(join(bin, 'claude'), 0o755);
  return {
    sandbox,
    bin,
    environment: { PATH: `${bin}:${process.env['PATH'] ?? ''}`, ANTHROPIC_API_KEY: 'sk-ant-1' },
    begin: ['run', 'two_steps', 'Go', '--actor', 'claude-code', '--json'],
    starts: (run) => {
      const file = join(agentHome(sandbox.home, run), 'started');
      return readFileSync(file, 'utf8').trim().split('\n').map(Number);
    },
  };
}

const programOf = (before: string): string => `#!/bin/sh
if [ "$1" = --version ]; then echo '2.1.400 (Claude Code)'; exit 0; fi
date +%s%3N >> "$HOME/started"
${before}
echo '{"type":"result","subtype":"success","is_error":false,"result":"Done.","usage":{"output_tokens":1}}'
`;

/** The next line of this kind. */
export async function nextLine({ lines }: Running, kind: string): Promise<Line> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`It ended before ${kind}.`);
    const line = JSON.parse(value) as Line;
    if (line['kind'] === kind) return line;
  }
}
