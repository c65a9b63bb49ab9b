import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { valueOrFault } from '../../dialects/source/checked.ts';
import { readSourceFile } from '../../dialects/source/read-source-file.ts';
import { Fault } from '../../core/fault.ts';
import { defaultLevel } from '../../sandbox/choose-sandbox.ts';
import type { SandboxLevel } from '../../sandbox/port.ts';
import { EMPTY_CONFIG, mergeConfig, type Config } from './config.ts';
import { parseConfig } from './parse-config.ts';

/** Where the user works, and what they configured for it. */
export interface Project {
  /** The nearest folder upwards that has a `.troupe`, or the folder the command was started in. */
  readonly root: string;
  /** The root's `.troupe`, whether it exists or not. */
  readonly folder: string;
  readonly config: Config;
  /** The configuration files that were read, nearest first. */
  readonly configFiles: readonly string[];
}

export interface Surroundings {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

export async function openProject(surroundings: Surroundings): Promise<Project> {
  const root = projectRoot(surroundings.folder);
  const folder = join(root, '.troupe');
  const files = [projectConfigFile(folder), userConfigFile(surroundings.environment)].filter((file) =>
    existsSync(file),
  );
  let config: Config = EMPTY_CONFIG;
  for (const file of files.toReversed()) {
    const read = await readConfig(file, surroundings.folder);
    if (file.startsWith(folder)) refuseWeaker(read.sandbox, config.sandbox ?? defaultLevel(), file);
    config = mergeConfig(config, read);
  }
  return { root, folder, config, configFiles: files };
}

const LEVELS: readonly SandboxLevel[] = ['none', 'landlock', 'bubblewrap'];

/** A project may come from anybody: it cannot switch off what protects its user. */
function refuseWeaker(wanted: SandboxLevel | null, least: SandboxLevel, file: string): void {
  if (wanted === null || LEVELS.indexOf(wanted) >= LEVELS.indexOf(least)) return;
  throw new Fault('SANDBOX_WEAKENED', `${file} asks for the sandbox ${wanted}, which is less than ${least}.`, {
    hint: `A project cannot lower it. Say so yourself: --sandbox ${wanted}, or sandbox: ${wanted} in your own configuration.`,
  });
}

export const projectRoot = (folder: string): string => enclosingProject(folder) ?? folder;

/** The project that a folder is in; null where there is none. */
export function enclosingProject(folder: string): string | null {
  for (let candidate = folder; ; candidate = dirname(candidate)) {
    if (existsSync(join(candidate, '.troupe'))) return candidate;
    if (dirname(candidate) === candidate) return null;
  }
}

function projectConfigFile(folder: string): string {
  const names = ['config.yaml', 'config.yml', 'config.json'].map((name) => join(folder, name));
  return names.find((name) => existsSync(name)) ?? join(folder, 'config.yaml');
}

export function userConfigFile(environment: NodeJS.ProcessEnv): string {
  const base = environment['XDG_CONFIG_HOME'] || join(environment['HOME'] || homedir(), '.config');
  return join(base, 'troupe', 'config.yaml');
}

async function readConfig(path: string, from: string): Promise<Config> {
  const file = shownPath(path, from);
  const text = valueOrFault(await readSourceFile(path, { file }), 'CONFIG_INVALID');
  // Paths in `.troupe/config.yaml` are relative to the project, as people read them.
  const folder = dirname(path).endsWith('.troupe') ? dirname(dirname(path)) : dirname(path);
  return valueOrFault(parseConfig(text, { file, folder }), 'CONFIG_INVALID');
}

/** A path as the person would type it from where they stand. */
export function shownPath(path: string, from: string): string {
  const short = relative(from, path);
  return short === '' || short.startsWith('../../..') ? path : short;
}
