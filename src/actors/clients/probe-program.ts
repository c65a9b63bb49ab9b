import type { ClientProbe } from '../client-port.ts';
import type { FoundProgram } from './found-program.ts';
import { programVersion } from './program-version.ts';

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
  /** Where only the script around it was found. */
  readonly reinstall: string;
  readonly logIn: string;
}

/** What can be said of such a client without asking anybody outside of this machine. */
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
  const told = { ...client, isFound: true, path: found.path };
  if (version === null) {
    return { ...told, problem: 'It does not tell its version.', hint: 'Install it anew: it seems to be broken.' };
  }
  return { ...told, version, ...trouble(found, version, about) };
}

function trouble(found: FoundProgram, version: string, about: ProbedProgram): Partial<ClientProbe> {
  const { oldest, hints, client } = about;
  if (isOlder(version, oldest)) return { problem: `Version ${version} is older than ${oldest}.`, hint: hints.update };
  if (!found.isNative) {
    const problem = 'It is started by a script, and the program itself was not found beside it.';
    return { problem, hint: hints.reinstall };
  }
  return client.isLoggedIn === false ? { problem: 'Nobody is logged in.', hint: hints.logIn } : {};
}

function isOlder(version: string, other: string): boolean {
  const [a, b] = [version, other].map((each) => each.split('.').map(Number));
  const at = [0, 1, 2].find((index) => a?.[index] !== b?.[index]);
  return at !== undefined && (a?.[at] ?? 0) < (b?.[at] ?? 0);
}
