import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { lent } from '../../../tools/command-environment.ts';
import type { AcpAgent } from './acp-agent.ts';

/** The agent's command with its program by its real path; null where there is no such program. */
export function findAcp(
  { command }: Pick<AcpAgent, 'command'>,
  environment: NodeJS.ProcessEnv,
): readonly string[] | null {
  const [program = '', ...words] = command;
  const path = isAbsolute(program)
    ? program
    : placesOf(environment)
        .map((folder) => join(folder, program))
        .find(isThere);
  return path === undefined || !isThere(path) ? null : [realpathSync(path), ...words];
}

const isThere = (path: string): boolean => existsSync(path);

function placesOf(environment: NodeJS.ProcessEnv): readonly string[] {
  const onPath = (environment['PATH'] ?? '').split(delimiter).filter((entry) => isAbsolute(entry));
  const home = environment['HOME'] ?? homedir();
  return [...onPath, join(home, '.local/bin'), join(home, '.opencode/bin')];
}

/**
 * What must be seen besides the program itself: agents are often scripts whose packages lie around them, so the outermost
 * folder of packages has them all; of a script by itself it is the folder that it is in.
 */
export function foldersAround(command: readonly string[], hidden: readonly string[]): readonly string[] {
  const scripts = command.slice(1).filter((word) => isAbsolute(word) && isThere(word) && packagesOf(word) === null);
  const packages = command.map(packagesOf).filter((folder) => folder !== null);
  const wanted = [...packages, ...scripts.map((file) => dirname(file))];
  return wanted.flatMap((folder) => lent([folder], hidden).map(({ path }) => path));
}

function packagesOf(path: string): string | null {
  const at = path.indexOf(`${sep}node_modules${sep}`);
  return at === -1 ? null : path.slice(0, at + `${sep}node_modules`.length);
}
