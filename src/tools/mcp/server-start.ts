import { existsSync, realpathSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { LentFolder, WrappedStart } from '../../sandbox/port.ts';
import { commandEnvironment, lent, programFolders } from '../command-environment.ts';
import type { McpService } from '../port.ts';
import type { PlacedEndpoint } from './endpoint.ts';

/**
 * What to start so that a server runs in the sandbox: it has the network, a folder of its own that goes with it, what it is
 * made of to be read, and of the user's environment only what the settings name.
 */
export async function serverStart({ endpoint, setting }: PlacedEndpoint, service: McpService): Promise<WrappedStart> {
  const { command = [], env: names = [] } = endpoint;
  const { hidden, environment } = service;
  const env = { ...commandEnvironment(environment), ...named(names, environment, setting) };
  const sandbox = await service.sandbox();
  const own = await mkdtemp(join(tmpdir(), 'mcp-'));
  const remove = (): Promise<void> => rm(own, { recursive: true, force: true });
  try {
    const wrapped = await sandbox.wrap(command, {
      cwd: own,
      env: { ...env, HOME: own, TMPDIR: own },
      folders: [...programFolders(env, hidden), ...partsOf(command, hidden), { path: own, access: 'write' }],
      hidden,
      network: true,
    });
    const dispose = async () => {
      const discarded = await wrapped.dispose();
      await remove();
      return discarded;
    };
    return { ...wrapped, dispose };
  } catch (error) {
    await remove();
    throw error;
  }
}

function named(
  names: readonly string[],
  environment: NodeJS.ProcessEnv,
  setting: string,
): Readonly<Record<string, string>> {
  const missing = names.filter((name) => environment[name] === undefined);
  if (missing.length > 0) {
    throw new Error(`${setting}.env in the configuration names ${missing.join(', ')}, which the user has not set.`);
  }
  return Object.fromEntries(names.map((name) => [name, environment[name] ?? '']));
}

/** Files that the command names: with the packages they are installed with, the package they are part of, else their folder. */
function partsOf(command: readonly string[], hidden: readonly string[]): readonly LentFolder[] {
  const paths = command.filter((word) => isAbsolute(word) && existsSync(word));
  // Installed programs are links into their package.
  return [...new Set(paths.flatMap((path) => [path, realpathSync(path)]))].flatMap((path) => {
    const folder = statSync(path).isDirectory() ? path : dirname(path);
    return lent([...installedWith(path), ...packageAround(folder), folder, path], hidden);
  });
}

function installedWith(path: string): readonly string[] {
  const [before, ...below] = path.split('/node_modules/');
  return below.length === 0 ? [] : [`${before}/node_modules`];
}

function packageAround(folder: string): readonly string[] {
  for (let path = folder; dirname(path) !== path; path = dirname(path)) {
    if (existsSync(join(path, 'package.json')) || existsSync(join(path, 'pyproject.toml'))) return [path];
  }
  return [];
}
