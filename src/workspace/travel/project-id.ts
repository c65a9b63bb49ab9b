import { basename, resolve } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import { pathText } from '../byte-path.ts';
import { askGit } from '../git.ts';

/**
 * Names a project on every machine: by the address of its remote, without credentials, so that all clones are one project; else
 * by the name that the settings give it, or by that of its folder.
 */
export async function projectId(folder: string, name?: string): Promise<string> {
  const [remote, prefix] = await Promise.all([
    askGit(folder, ['remote', 'get-url', 'origin']),
    askGit(folder, ['rev-parse', '--show-prefix']),
  ]);
  const place = remote === null ? null : remotePlace(pathText(remote).trim());
  if (place === null) return `${NAMED}${name ?? basename(resolve(folder))}`;
  const part = pathText(prefix ?? '')
    .trim()
    .replace(/\/$/, '');
  return `${REMOTE}${place}${part === '' ? '' : `//${part}`}`;
}

const REMOTE = 'git:';
const NAMED = 'name:';

/** No path of a folder begins like this. */
export const isProjectId = (project: string): boolean => project.startsWith(REMOTE) || project.startsWith(NAMED);

/** Host and path of an address; null for one that means something only on this machine. */
function remotePlace(address: string): string | null {
  const short = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)(.+)$/.exec(address);
  if (short !== null) return joined(short[1] ?? '', short[2] ?? '');
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || url.hostname === '') return null;
  const port = url.port === '' || url.port === USUAL_PORTS[url.protocol] ? '' : `:${url.port}`;
  return joined(`${url.hostname}${port}`, decodeURIComponent(url.pathname));
}

const USUAL_PORTS: Readonly<Record<string, string>> = { 'ssh:': '22', 'https:': '443', 'http:': '80', 'git:': '9418' };

function joined(host: string, path: string): string {
  const plain = path
    .replace(/^\/+/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  return `${host.toLowerCase()}/${plain}`;
}

export function projectElsewhere(project: string): Fault {
  return new Fault('PROJECT_ELSEWHERE', `The folder of the project ${project} is not on this machine.`, {
    hint: 'Start the run where the folder is. A worker gets its files from the shared store, once they were sent there.',
    facts: { project },
  });
}
