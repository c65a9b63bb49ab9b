import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, sep } from 'node:path';
import { lent } from '../../../tools/command-environment.ts';
import type { ClientProbe } from '../../port.ts';
import { findOnPath, loginOf, programVersion } from '../probe-program.ts';
import { type AcpAgent, acpTraits } from './acp-agent.ts';

/** The agent's command with its program by its real path; null where there is no such program. */
export function findAcp(
  { command }: Pick<AcpAgent, 'command'>,
  environment: NodeJS.ProcessEnv,
): readonly string[] | null {
  const [program = '', ...args] = command;
  const path = isAbsolute(program) ? program : findOnPath(program, environment, ['.local/bin', '.opencode/bin']);
  return path === null || !existsSync(path) ? null : [realpathSync(path), ...args];
}

/**
 * Folders to read besides the program: agents are often scripts with packages around them, so the outermost folder of packages
 * contains them all; for a script without packages it is the script's folder.
 */
export function foldersAround(command: readonly string[], hidden: readonly string[]): readonly string[] {
  const scripts = command.slice(1).filter((word) => isAbsolute(word) && existsSync(word) && packagesOf(word) === null);
  const packages = command.map(packagesOf).filter((folder) => folder !== null);
  const folders = [...packages, ...scripts.map((file) => dirname(file))];
  return folders.flatMap((folder) => lent([folder], hidden).map(({ path }) => path));
}

function packagesOf(path: string): string | null {
  const at = path.indexOf(`${sep}node_modules${sep}`);
  return at === -1 ? null : path.slice(0, at + `${sep}node_modules`.length);
}

/** Checks an agent without contacting any other machine. */
export async function probeAcp(agent: AcpAgent, environment: NodeJS.ProcessEnv): Promise<ClientProbe> {
  // An agent of which nothing is known may need no login.
  const isElsewhere = agent.loginFiles.length === 0;
  const base = { kind: `acp:${agent.name}`, traits: acpTraits(agent), ...loginOf(agent, environment, isElsewhere) };
  const command = findAcp(agent, environment);
  if (command === null) {
    const problem = `There is no \`${agent.command[0] ?? agent.name}\` on the path.`;
    return { ...base, isFound: false, problem, hint: agent.install };
  }
  const [path = ''] = command;
  const args = agent.versionArgs;
  const version = args === undefined ? null : await programVersion([path, ...args], environment);
  return {
    ...base,
    isFound: true,
    path,
    ...(version === null ? {} : { version }),
    ...(base.isLoggedIn === false ? { problem: 'No user is logged in.', hint: agent.loginHint } : {}),
  };
}
