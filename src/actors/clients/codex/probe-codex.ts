import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ClientProbe } from '../../port.ts';
import { findOnPath, type FoundProgram, loginFile, loginOf, nativeProgram, probeProgram } from '../probe-program.ts';
import { baseUrl, CODEX, CODEX_TRAITS, userSettings } from './codex-setup.ts';

/** Checks the user's Codex without contacting any other machine. */
export function probeCodex(found: FoundProgram | null, environment: NodeJS.ProcessEnv): Promise<ClientProbe> {
  // A provider that the user configured may need no login, or use a separate one.
  const isElsewhere = existsSync(userSettings(environment)) || process.platform === 'darwin';
  // Its own login goes before a key, unless another address was named.
  const own = baseUrl(environment) === null ? loginFile(CODEX, environment) : undefined;
  const login = own === undefined ? loginOf(CODEX, environment, isElsewhere) : { isLoggedIn: true, login: own };
  const client = { kind: 'codex', traits: CODEX_TRAITS, ...login };
  return probeProgram(found, { client, command: 'codex', oldest: OLDEST, hints: HINTS }, environment);
}

/** The first that was tried with settings of one turn in their own file, and with copies of conversations. */
const OLDEST = '0.160.0';

const HINTS = {
  install: 'Install it: npm install -g @openai/codex',
  update: 'Update it: codex update',
  reinstall: 'Install it again, with optional packages allowed.',
  logIn: 'Log in with `codex login`, or set OPENAI_API_KEY.',
};

/** The user's `codex`: on the path, or where its installers put it. Null if missing. */
export function findCodex(environment: NodeJS.ProcessEnv): FoundProgram | null {
  const path = findOnPath('codex', environment, ['.local/bin']);
  return path === null ? null : resolveCodex(path);
}

export const resolveCodex = (path: string): FoundProgram => nativeProgram(path, packagedIn);

/** Where npm puts the package with the program, from the script upwards. */
function packagedIn(folder: string): readonly string[] {
  const name = `codex-${process.platform}-${process.arch}`;
  const places = [join(folder, name), join(folder, 'node_modules/@openai', name), folder];
  return places.flatMap((place) => programsIn(join(place, 'vendor')));
}

/** One folder a target, such as `x86_64-unknown-linux-musl`. */
function programsIn(vendor: string): readonly string[] {
  return existsSync(vendor) ? readdirSync(vendor).map((target) => join(vendor, target, 'bin/codex')) : [];
}

/** The folder of the program and its helpers, which lie in folders next to it. */
export function installationFolder(program: string): string | null {
  const around = dirname(dirname(program));
  return basename(dirname(program)) === 'bin' && existsSync(join(around, 'codex-path')) ? around : null;
}
