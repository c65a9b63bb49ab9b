import { closeSync, existsSync, openSync, readSync, realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { runProcess } from '../../lib/run-process.ts';
import { commandEnvironment } from '../../tools/command-environment.ts';
import type { ClientProbe } from '../port.ts';
import { type ClientVendor, loginVariable, userLogins } from './client-vendor.ts';

/** A client's program, as it was found on this machine. */
export interface FoundProgram {
  /** Without links. */
  readonly path: string;
  /** It is the program itself, not a script that starts it: a kill then reaches the right one. */
  readonly isNative: boolean;
}

/** ELF, or one of the forms of Mach-O. */
const MAGIC = new Set(['7f454c46', 'cffaedfe', 'cafebabe', 'feedfacf']);

function isProgram(path: string): boolean {
  const head = Buffer.alloc(4);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, head, 0, head.length, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
  return MAGIC.has(head.toString('hex'));
}

/** Finds a program in the search path or below one of these folders of the user's home. */
export function findOnPath(name: string, environment: NodeJS.ProcessEnv, folders: readonly string[]): string | null {
  const home = environment['HOME'] ?? homedir();
  const searched = (environment['PATH'] ?? '').split(delimiter).filter((entry) => isAbsolute(entry));
  const places = [...searched, ...folders.map((folder) => join(home, folder))];
  return places.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}

/** Follows links, and the npm package's script to the program next to it. */
export function nativeProgram(path: string, beside: (folder: string) => readonly string[]): FoundProgram {
  const real = realpathSync(path);
  if (isProgram(real)) return { path: real, isNative: true };
  const found = foldersAbove(real).flatMap(beside).find(isProgram);
  return found === undefined ? { path: real, isNative: false } : { path: realpathSync(found), isNative: true };
}

function foldersAbove(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === dirname(folder) ? [] : [folder, ...foldersAbove(folder)];
}

/** The output of `--version` in an empty home; null if there is none. */
export async function programVersion(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  more: Readonly<Record<string, string>> = {},
): Promise<string | null> {
  const env = { ...commandEnvironment(environment), HOME: tmpdir(), ...more };
  const result = await runProcess([...args], { cwd: '/', env, timeoutMs: 20_000 });
  return /\d+\.\d+\.\d+/.exec(result.output)?.[0] ?? null;
}

/** A client that is one native program, and what a person can do where something is wrong with it. */
export interface ProbedProgram {
  readonly client: Pick<ClientProbe, 'kind' | 'traits' | 'isLoggedIn' | 'login'>;
  /** Its name on the path. */
  readonly command: string;
  /** The first version that can be worked with. */
  readonly oldest: string;
  /** Besides the basics, when it is asked for its version. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly hints: Hints;
}

interface Hints {
  readonly install: string;
  readonly update: string;
  /** For a script without its program. */
  readonly reinstall: string;
  readonly logIn: string;
}

/** Checks such a client without contacting any other machine. */
export async function probeProgram(
  found: FoundProgram | null,
  about: ProbedProgram,
  environment: NodeJS.ProcessEnv,
): Promise<ClientProbe> {
  const { client, command, variables, hints } = about;
  if (found === null) {
    return { ...client, isFound: false, problem: `There is no \`${command}\` on the path.`, hint: hints.install };
  }
  const version = await programVersion([found.path, '--version'], environment, variables);
  const probe = { ...client, isFound: true, path: found.path };
  if (version === null) {
    return { ...probe, problem: 'It does not print its version.', hint: 'Install it again: it seems to be broken.' };
  }
  return { ...probe, version, ...trouble(found, version, about) };
}

function trouble(found: FoundProgram, version: string, about: ProbedProgram): Partial<ClientProbe> {
  const { oldest, hints, client } = about;
  if (isOlder(version, oldest)) return { problem: `Version ${version} is older than ${oldest}.`, hint: hints.update };
  if (!found.isNative) {
    const problem = 'It is started by a script, and the program itself was not found beside it.';
    return { problem, hint: hints.reinstall };
  }
  return client.isLoggedIn === false ? { problem: 'No user is logged in.', hint: hints.logIn } : {};
}

function isOlder(version: string, other: string): boolean {
  const [a, b] = [version, other].map((each) => each.split('.').map(Number));
  const at = [0, 1, 2].find((index) => a?.[index] !== b?.[index]);
  return at !== undefined && (a?.[at] ?? 0) < (b?.[at] ?? 0);
}

/** Where the user is logged in. `isElsewhere`: it may be in a place that is not known here. */
export function loginOf(
  vendor: ClientVendor,
  environment: NodeJS.ProcessEnv,
  isElsewhere: boolean,
): Pick<ClientProbe, 'isLoggedIn' | 'login'> {
  const login = loginVariable(vendor, environment) ?? loginFile(vendor, environment);
  return login === undefined ? { isLoggedIn: isElsewhere ? null : false } : { isLoggedIn: true, login };
}

/** The user's file that holds a login. */
export const loginFile = (vendor: ClientVendor, environment: NodeJS.ProcessEnv): string | undefined =>
  userLogins(vendor, environment).find((path) => existsSync(path));
