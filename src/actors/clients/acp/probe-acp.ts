import { existsSync } from 'node:fs';
import type { ClientProbe } from '../../client-port.ts';
import { programVersion } from '../program-version.ts';
import { acpTraits, userFile, type AcpAgent } from './acp-agent.ts';
import { findAcp } from './find-acp.ts';

/** What can be said of an agent without asking anybody outside of this machine. */
export async function probeAcp(agent: AcpAgent, environment: NodeJS.ProcessEnv): Promise<ClientProbe> {
  const base = { kind: `acp:${agent.name}`, traits: acpTraits(agent), ...loginOf(agent, environment) };
  const command = findAcp(agent, environment);
  if (command === null) {
    const problem = `There is no \`${agent.command[0] ?? agent.name}\` on the path.`;
    return { ...base, isFound: false, problem, hint: agent.install };
  }
  const [path = ''] = command;
  const words = agent.versionWords;
  const version = words === undefined ? null : await programVersion([path, ...words], environment);
  return {
    ...base,
    isFound: true,
    path,
    ...(version === null ? {} : { version }),
    ...(base.isLoggedIn === false ? { problem: 'Nobody is logged in.', hint: agent.loginHint } : {}),
  };
}

function loginOf(agent: AcpAgent, environment: NodeJS.ProcessEnv): Pick<ClientProbe, 'isLoggedIn' | 'login'> {
  const variable = agent.loginVariables.find((name) => (environment[name] ?? '') !== '');
  if (variable !== undefined) return { isLoggedIn: true, login: variable };
  const file = agent.loginFiles.map((each) => userFile(each, environment)).find((path) => existsSync(path));
  if (file !== undefined) return { isLoggedIn: true, login: file };
  // One of which nothing is known may need none.
  return { isLoggedIn: agent.loginFiles.length === 0 ? null : false };
}
