import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { runProcess } from '../../../lib/run-process.ts';
import { commandEnvironment } from '../../../tools/command-environment.ts';
import type { ClientProbe } from '../../client-port.ts';
import type { FoundProgram } from '../found-program.ts';
import { CLAUDE_TRAITS } from './claude-actor.ts';
import { LOGIN_VARIABLES, userLogin } from './claude-environment.ts';

/** What can be said of the user's Claude Code without asking anybody outside of this machine. */
export async function probeClaude(found: FoundProgram | null, environment: NodeJS.ProcessEnv): Promise<ClientProbe> {
  const base = { kind: 'claude-code', traits: CLAUDE_TRAITS, ...loginOf(environment) };
  if (found === null) {
    return {
      ...base,
      isFound: false,
      problem: 'There is no `claude` on the path.',
      hint: 'Install it: npm install -g @anthropic-ai/claude-code',
    };
  }
  const version = await versionOf(found.path, environment);
  const told = { ...base, isFound: true, path: found.path };
  if (version === null) {
    return { ...told, problem: 'It does not tell its version.', hint: 'Install it anew: it seems to be broken.' };
  }
  return { ...told, version, ...trouble(found, version, base.isLoggedIn) };
}

function trouble(found: FoundProgram, version: string, isLoggedIn: boolean | null): Partial<ClientProbe> {
  if (isOlder(version, OLDEST)) {
    return { problem: `Version ${version} is older than ${OLDEST}.`, hint: 'Update it: claude update' };
  }
  if (!found.isNative) {
    return {
      problem: 'It is started by a script, and the program itself was not found beside it.',
      hint: 'Install it anew, with install scripts and optional packages allowed.',
    };
  }
  if (isLoggedIn === false) {
    return { problem: 'Nobody is logged in.', hint: 'Start `claude` and log in, or set ANTHROPIC_API_KEY.' };
  }
  return {};
}

/** The first that chooses its tools by `--tools` and tells what is new in a conversation that is gone on with. */
const OLDEST = '2.1.0';

function isOlder(version: string, other: string): boolean {
  const [a, b] = [version, other].map((each) => each.split('.').map(Number));
  const at = [0, 1, 2].find((index) => a?.[index] !== b?.[index]);
  return at !== undefined && (a?.[at] ?? 0) < (b?.[at] ?? 0);
}

async function versionOf(program: string, environment: NodeJS.ProcessEnv): Promise<string | null> {
  const result = await runProcess([program, '--version'], {
    cwd: '/',
    env: { ...commandEnvironment(environment), HOME: tmpdir(), DISABLE_AUTOUPDATER: '1' },
    timeoutMs: 20_000,
  });
  return /\d+\.\d+\.\d+/.exec(result.output)?.[0] ?? null;
}

function loginOf(environment: NodeJS.ProcessEnv): Pick<ClientProbe, 'isLoggedIn' | 'login'> {
  const variable = LOGIN_VARIABLES.find((name) => (environment[name] ?? '') !== '');
  if (variable !== undefined) return { isLoggedIn: true, login: variable };
  const file = userLogin(environment);
  if (existsSync(file)) return { isLoggedIn: true, login: file };
  // A keychain, or another vendor's cloud.
  const isElsewhere = process.platform === 'darwin' || ELSEWHERE.some((name) => (environment[name] ?? '') !== '');
  return { isLoggedIn: isElsewhere ? null : false };
}

const ELSEWHERE = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'];
