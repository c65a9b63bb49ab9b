import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { runProcess } from '../../../lib/run-process.ts';
import { commandEnvironment } from '../../../tools/command-environment.ts';
import type { ClientProbe } from '../../client-port.ts';
import type { FoundProgram } from '../found-program.ts';
import { CODEX_TRAITS } from './codex-actor.ts';
import { baseUrl, keyVariable, userLogin, userSettings } from './codex-environment.ts';

/** What can be said of the user's Codex without asking anybody outside of this machine. */
export async function probeCodex(found: FoundProgram | null, environment: NodeJS.ProcessEnv): Promise<ClientProbe> {
  const base = { kind: 'codex', traits: CODEX_TRAITS, ...loginOf(environment) };
  if (found === null) {
    return {
      ...base,
      isFound: false,
      problem: 'There is no `codex` on the path.',
      hint: 'Install it: npm install -g @openai/codex',
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
    return { problem: `Version ${version} is older than ${OLDEST}.`, hint: 'Update it: codex update' };
  }
  if (!found.isNative) {
    return {
      problem: 'It is started by a script, and the program itself was not found beside it.',
      hint: 'Install it anew, with optional packages allowed.',
    };
  }
  if (isLoggedIn === false) {
    return { problem: 'Nobody is logged in.', hint: 'Log in with `codex login`, or set OPENAI_API_KEY.' };
  }
  return {};
}

/** The first that was tried with settings of one turn in a file of their own, and with copies of conversations. */
const OLDEST = '0.160.0';

function isOlder(version: string, other: string): boolean {
  const [a, b] = [version, other].map((each) => each.split('.').map(Number));
  const at = [0, 1, 2].find((index) => a?.[index] !== b?.[index]);
  return at !== undefined && (a?.[at] ?? 0) < (b?.[at] ?? 0);
}

async function versionOf(program: string, environment: NodeJS.ProcessEnv): Promise<string | null> {
  const result = await runProcess([program, '--version'], {
    cwd: '/',
    env: { ...commandEnvironment(environment), HOME: tmpdir() },
    timeoutMs: 20_000,
  });
  return /\d+\.\d+\.\d+/.exec(result.output)?.[0] ?? null;
}

function loginOf(environment: NodeJS.ProcessEnv): Pick<ClientProbe, 'isLoggedIn' | 'login'> {
  const file = userLogin(environment);
  // Its own login goes before a key, unless another address was named.
  if (existsSync(file) && baseUrl(environment) === null) return { isLoggedIn: true, login: file };
  const variable = keyVariable(environment);
  if (variable !== null) return { isLoggedIn: true, login: variable };
  if (existsSync(file)) return { isLoggedIn: true, login: file };
  // A provider of the user's own may need no login, or have one of its own.
  return { isLoggedIn: existsSync(userSettings(environment)) || process.platform === 'darwin' ? null : false };
}
