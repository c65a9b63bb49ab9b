import { join } from 'node:path';
import type { ClientProbe } from '../../port.ts';
import { findOnPath, type FoundProgram, loginOf, nativeProgram, probeProgram } from '../probe-program.ts';
import { CLAUDE, CLAUDE_TRAITS } from './claude-setup.ts';

/** Checks the user's Claude Code without contacting any other machine. */
export function probeClaude(found: FoundProgram | null, environment: NodeJS.ProcessEnv): Promise<ClientProbe> {
  // A keychain, or another vendor's cloud.
  const isElsewhere = process.platform === 'darwin' || ELSEWHERE.some((name) => (environment[name] ?? '') !== '');
  const client = { kind: 'claude-code', traits: CLAUDE_TRAITS, ...loginOf(CLAUDE, environment, isElsewhere) };
  const variables = { DISABLE_AUTOUPDATER: '1' };
  return probeProgram(found, { client, command: 'claude', oldest: OLDEST, variables, hints: HINTS }, environment);
}

/** The first version that supports `--tools` and reports the usage of a single turn in a resumed conversation. */
const OLDEST = '2.1.0';

const HINTS = {
  install: 'Install it: npm install -g @anthropic-ai/claude-code',
  update: 'Update it: claude update',
  reinstall: 'Install it again, with install scripts and optional packages allowed.',
  logIn: 'Start `claude` and log in, or set ANTHROPIC_API_KEY.',
};

const ELSEWHERE = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'];

/** The user's `claude`: on the path, or where its installers put it. Null if missing. */
export function findClaude(environment: NodeJS.ProcessEnv): FoundProgram | null {
  const path = findOnPath('claude', environment, ['.local/bin', '.claude/local']);
  return path === null ? null : resolveClaude(path);
}

export const resolveClaude = (path: string): FoundProgram => nativeProgram(path, packagedIn);

/** Where npm puts the package with the program, from the script upwards. */
function packagedIn(folder: string): readonly string[] {
  const name = `claude-code-${process.platform}-${process.arch}`;
  const names = [name, `${name}-musl`].map((each) => join(each, 'claude'));
  return names.flatMap((each) => [join(folder, each), join(folder, 'node_modules/@anthropic-ai', each)]);
}
