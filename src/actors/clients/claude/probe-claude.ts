import { existsSync } from 'node:fs';
import type { ClientProbe } from '../../client-port.ts';
import type { FoundProgram } from '../found-program.ts';
import { probeProgram } from '../probe-program.ts';
import { CLAUDE_TRAITS } from './claude-actor.ts';
import { CLAUDE_LOGIN_VARIABLES, claudeLoginFile } from './claude-environment.ts';

/** What can be said of the user's Claude Code without asking anybody outside of this machine. */
export function probeClaude(found: FoundProgram | null, environment: NodeJS.ProcessEnv): Promise<ClientProbe> {
  const client = { kind: 'claude-code', traits: CLAUDE_TRAITS, ...loginOf(environment) };
  const variables = { DISABLE_AUTOUPDATER: '1' };
  return probeProgram(found, { client, command: 'claude', oldest: OLDEST, variables, hints: HINTS }, environment);
}

/** The first that chooses its tools by `--tools` and tells what is new in a conversation that is gone on with. */
const OLDEST = '2.1.0';

const HINTS = {
  install: 'Install it: npm install -g @anthropic-ai/claude-code',
  update: 'Update it: claude update',
  reinstall: 'Install it anew, with install scripts and optional packages allowed.',
  logIn: 'Start `claude` and log in, or set ANTHROPIC_API_KEY.',
};

function loginOf(environment: NodeJS.ProcessEnv): Pick<ClientProbe, 'isLoggedIn' | 'login'> {
  const variable = CLAUDE_LOGIN_VARIABLES.find((name) => (environment[name] ?? '') !== '');
  if (variable !== undefined) return { isLoggedIn: true, login: variable };
  const file = claudeLoginFile(environment);
  if (existsSync(file)) return { isLoggedIn: true, login: file };
  // A keychain, or another vendor's cloud.
  const isElsewhere = process.platform === 'darwin' || ELSEWHERE.some((name) => (environment[name] ?? '') !== '');
  return { isLoggedIn: isElsewhere ? null : false };
}

const ELSEWHERE = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'];
