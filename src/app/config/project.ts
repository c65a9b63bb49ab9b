import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { valueOrFault } from '../../source/checked.ts';
import { readSourceFile } from '../../source/read-source-file.ts';
import { Fault, isFault } from '../../core/model/fault.ts';
import { parseAddress } from '../../journal/journal-address.ts';
import { troupeHome } from '../../journal/home.ts';
import { defaultLevel, type SandboxWish } from '../../sandbox/find-sandbox.ts';
import type { SandboxLevel } from '../../sandbox/port.ts';
import type { Power } from '../../workspace/trust.ts';
import type { Caller } from '../caller.ts';
import { addConfigSecrets } from '../secrets/config-secrets.ts';
import type { Supplied } from './supplied-parts.ts';
import { EMPTY_CONFIG, mergeConfig, type Config } from './config.ts';
import { parseConfig } from './parse-config.ts';
import { powersOf, withoutPowers } from './powers.ts';

/** Where the user works, and what they configured for it. */
export interface Project {
  /** The nearest folder upwards that has a `.troupe`, or the folder the command was started in. */
  readonly root: string;
  /** The root's `.troupe`, whether it exists or not. */
  readonly folder: string;
  readonly config: Config;
  /** The configuration files that were read, nearest first. */
  readonly configFiles: readonly string[];
  /** What its settings would do to the user's data. */
  readonly powers: readonly Power[];
  /** Whether the user has not agreed to that: then `config` is without it. */
  readonly isWithheld: boolean;
  /** Why the settings cannot be trusted in their present form: then they are withheld too. */
  readonly unfit: Fault | null;
  /** Roles and workflows of the program that opened it. */
  readonly supplied?: Supplied;
}

export async function openProject(caller: Caller): Promise<Project> {
  const { root, folder, files } = settingsAround(caller);
  let config: Config = EMPTY_CONFIG;
  let own: OwnSettings = { config: EMPTY_CONFIG, powers: [], isWithheld: false, unfit: null };
  for (const file of files.toReversed()) {
    const read = await readConfig(file, caller);
    const isOwn = dirname(file) === folder;
    if (isOwn) refuseWeaker(read.sandbox, config.sandbox ?? defaultLevel(), file);
    if (isOwn) own = await ownSettings(read, root, caller.environment);
    config = mergeConfig(config, isOwn ? own.config : read);
  }
  return { root, folder, configFiles: files, ...own, config };
}

/**
 * The address of the journal: `TROUPE_JOURNAL` before the configuration; null: the file in the home, which the word "local" asks
 * for. Settings that do not mention it are not read, so that a mistake in them stops no command that has no use for them.
 */
export async function journalAddress(caller: Caller): Promise<string | null> {
  const named = caller.environment['TROUPE_JOURNAL'];
  if (named) return named === 'local' ? null : parseAddress(named).url;
  return await journalSetting(caller, 'journal');
}

/**
 * The name of the cluster that the journal has to belong to; null: it has no name. The configuration names the cluster of the
 * database that it names, not of one that `TROUPE_JOURNAL` names instead.
 */
export async function clusterName(caller: Caller): Promise<string | null> {
  const { TROUPE_CLUSTER: named, TROUPE_JOURNAL: journal } = caller.environment;
  if (named !== undefined) return named || null;
  return journal ? null : await journalSetting(caller, 'cluster');
}

async function journalSetting(caller: Caller, name: 'journal' | 'cluster'): Promise<string | null> {
  const mentions = new RegExp(`\\b${name}\\b`);
  const isMentioned = settingsAround(caller).files.some((file) => mentions.test(readFileSync(file, 'utf8')));
  return isMentioned ? (await openProject(caller)).config[name] : null;
}

/** Before a command prints anything. Settings that cannot be read are reported by the commands that need them. */
export async function learnSecrets(caller: Caller): Promise<void> {
  const { files } = settingsAround(caller);
  for (const file of files) await readConfig(file, caller).catch(() => undefined);
}

/** The files are nearest first. */
function settingsAround({ folder: from, environment }: Caller): Pick<Project, 'root' | 'folder'> & {
  readonly files: readonly string[];
} {
  const root = projectRoot(from);
  const folder = join(root, '.troupe');
  const files = [projectConfigFile(folder), userConfigFile(environment)].filter((file) => existsSync(file));
  return { root, folder, files };
}

/** The project around a folder whose settings cannot be read: for those who only look at what else is in it. */
export function bareProject(folder: string): Project {
  const root = projectRoot(folder);
  const own = { config: EMPTY_CONFIG, powers: [], isWithheld: true, unfit: null };
  return { root, folder: join(root, '.troupe'), configFiles: [], ...own };
}

interface OwnSettings {
  readonly config: Config;
  readonly powers: readonly Power[];
  readonly isWithheld: boolean;
  readonly unfit: Fault | null;
}

/** Withheld here, at the one place where settings come in, so that no part of the program can forget to ask. */
async function ownSettings(config: Config, root: string, environment: NodeJS.ProcessEnv): Promise<OwnSettings> {
  const powers = powersOf(config, root);
  if (powers.length === 0) return { config, powers, isWithheld: false, unfit: null };
  const { trustState } = await import('../../workspace/trust.ts');
  const home = troupeHome(environment, environment['HOME'] || homedir());
  // Delivering, rolling back and cancelling still work: only driving a run needs this fault.
  const trust = await trustState({ home, project: root, powers }).catch(unfitOrThrow);
  const unfit = isFault(trust) ? trust : null;
  const isWithheld = isFault(trust) || trust.state !== 'trusted';
  return { config: isWithheld ? withoutPowers(config) : config, powers, isWithheld, unfit };
}

function unfitOrThrow(error: unknown): Fault {
  if (isFault(error) && error.code === 'PROJECT_NOT_TRUSTABLE') return error;
  throw error;
}

const LEVELS: readonly SandboxLevel[] = ['none', 'landlock', 'bubblewrap'];

/** A project may come from anybody: it cannot switch off what protects its user. `best` can be any level, so also none. */
function refuseWeaker(wanted: SandboxWish | null, least: SandboxWish, file: string): void {
  if (wanted === null || wanted === least) return;
  const offered = wanted === 'best' ? 'none' : wanted;
  const needed = least === 'best' ? 'bubblewrap' : least;
  if (LEVELS.indexOf(offered) >= LEVELS.indexOf(needed)) return;
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

/** Secrets that it names are kept out of all output, even if the project is not trusted. */
async function readConfig(path: string, { folder, environment, secrets }: Caller): Promise<Config> {
  const file = pathInProject(path, folder);
  const text = valueOrFault(await readSourceFile(path, { file }), 'CONFIG_INVALID');
  const config = valueOrFault(parseConfig(text, { file, folder: pathsBase(path) }), 'CONFIG_INVALID');
  addConfigSecrets(secrets, config, environment);
  return config;
}

/** Paths in `.troupe/config.yaml` are relative to the project, as people read them. */
export function pathsBase(configFile: string): string {
  const folder = dirname(configFile);
  return basename(folder) === '.troupe' ? dirname(folder) : folder;
}

/** A path as the person would type it from where they stand. */
export function pathInProject(path: string, from: string): string {
  const short = relative(from, path);
  return short === '' || short.startsWith('../../..') ? path : short;
}
