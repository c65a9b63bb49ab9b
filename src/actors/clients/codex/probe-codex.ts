import { existsSync } from 'node:fs';
import type { ClientProbe } from '../../client-port.ts';
import type { FoundProgram } from '../found-program.ts';
import { probeProgram } from '../probe-program.ts';
import { CODEX_TRAITS } from './codex-actor.ts';
import { baseUrl, keyVariable, codexLoginFile, userSettings } from './codex-environment.ts';

/** What can be said of the user's Codex without asking anybody outside of this machine. */
export function probeCodex(found: FoundProgram | null, environment: NodeJS.ProcessEnv): Promise<ClientProbe> {
  const client = { kind: 'codex', traits: CODEX_TRAITS, ...loginOf(environment) };
  return probeProgram(found, { client, command: 'codex', oldest: OLDEST, hints: HINTS }, environment);
}

/** The first that was tried with settings of one turn in a file of their own, and with copies of conversations. */
const OLDEST = '0.160.0';

const HINTS = {
  install: 'Install it: npm install -g @openai/codex',
  update: 'Update it: codex update',
  reinstall: 'Install it anew, with optional packages allowed.',
  logIn: 'Log in with `codex login`, or set OPENAI_API_KEY.',
};

function loginOf(environment: NodeJS.ProcessEnv): Pick<ClientProbe, 'isLoggedIn' | 'login'> {
  const file = codexLoginFile(environment);
  // Its own login goes before a key, unless another address was named.
  if (existsSync(file) && baseUrl(environment) === null) return { isLoggedIn: true, login: file };
  const variable = keyVariable(environment);
  if (variable !== null) return { isLoggedIn: true, login: variable };
  if (existsSync(file)) return { isLoggedIn: true, login: file };
  // A provider of the user's own may need no login, or have one of its own.
  return { isLoggedIn: existsSync(userSettings(environment)) || process.platform === 'darwin' ? null : false };
}
