import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join, resolve, sep } from 'node:path';
import type { BytePath } from '../byte-path.ts';
import { quietGit } from '../quiet-git.ts';

/** What there is to know of the repository a project lies in; its folders may be anywhere (linked worktrees, submodules). */
export interface GitFacts {
  readonly objectFormat: 'sha1' | 'sha256';
  /** Where the project lies below the top of the repository, with a slash at its end; empty when it is the top. */
  readonly prefix: BytePath;
  readonly top: string;
  readonly objects: string;
  readonly index: string;
  readonly exclude: string;
  readonly shallow: string;
  readonly sparse: string;
  /** The user's own excludes file. */
  readonly excludesFile: string;
  /** Only settings that say how bytes and names are compared; none of them can run anything. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Null where there is no repository, or one that a workspace cannot borrow from. */
export async function gitFacts(project: string): Promise<GitFacts | null> {
  const [places, settings] = await Promise.all([askPlaces(project), askSettings(project)]);
  if (places === null) return null;
  const excludesFile = (await configuredExcludes(settings, places.top)) ?? defaultExcludes();
  const plain = settings.filter(({ name, value }) => PLAIN_SETTINGS.test(name) && PLAIN_VALUES.test(value));
  const values = Object.fromEntries(plain.map(({ name, value }) => [name, value]));
  return { ...places, excludesFile, settings: values };
}

type Places = Omit<GitFacts, 'settings' | 'excludesFile'>;

const PLACES = ['objects', 'index', 'info/exclude', 'shallow', 'info/sparse-checkout'] as const;
const FORMAT = ['--path-format=absolute', '--show-object-format', '--show-prefix', '--show-toplevel'];

async function askPlaces(project: string): Promise<Places | null> {
  const asked = await quietGit(project, ['rev-parse', ...FORMAT, ...PLACES.flatMap((path) => ['--git-path', path])]);
  if (asked?.exitCode !== 0) return null;
  const [format, prefix = '', ...paths] = asked.rawOutput.toString('latin1').split('\n');
  const objectFormat = format === 'sha1' || format === 'sha256' ? format : null;
  // A folder with a line break in its name would be read as two. The last line is empty.
  if (objectFormat === null || paths.length !== PLACES.length + 2) return null;
  const top = toText(paths[0] ?? '');
  const at = (name: (typeof PLACES)[number]): string =>
    ownPlace(toText(paths[1 + PLACES.indexOf(name)] ?? ''), join(top, '.git', name));
  return {
    objectFormat,
    prefix,
    top,
    objects: at('objects'),
    index: at('index'),
    exclude: at('info/exclude'),
    shallow: at('shallow'),
    sparse: at('info/sparse-checkout'),
  };
}

/** Git has followed every link. What has another name then is a link that the repository made, and stays one for whoever reads it. */
function ownPlace(found: string, named: string): string {
  return basename(found) === basename(named) ? found : named;
}

const toText = (path: BytePath): string => Buffer.from(path, 'latin1').toString('utf8');

interface Setting {
  /** Who says it: the user in general, or this repository. */
  readonly scope: string;
  readonly name: string;
  readonly value: string;
}

/** In the order of their say: the last one of a name decides. */
async function askSettings(project: string): Promise<readonly Setting[]> {
  const words = ['config', '--type=path', '--show-scope', '-z', '--get-regexp', String.raw`^core\.`];
  const asked = await quietGit(project, words);
  if (asked?.exitCode !== 0) return [];
  const fields = asked.output.split('\0');
  return fields.flatMap((entry, at) => {
    if (at % 2 === 0) return [];
    const end = entry.indexOf('\n');
    const [name, value] = end === -1 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
    return [{ scope: fields[at - 1] ?? '', name, value }];
  });
}

/**
 * Agents get to read it. A user may keep it anywhere; a repository, which may come from anybody, only in its own folders, or it
 * could name the user's keys.
 */
async function configuredExcludes(settings: readonly Setting[], top: string): Promise<string | null> {
  for (const { scope, name, value } of settings.toReversed()) {
    if (name !== 'core.excludesfile') continue;
    if (scope === 'global' || scope === 'system') return value;
    const path = resolve(top, value);
    if (await isInside(path, top)) return path;
  }
  return null;
}

async function isInside(path: string, folder: string): Promise<boolean> {
  const [real, above] = await Promise.all([path, folder].map((each) => realpath(each).catch(() => null)));
  return typeof real === 'string' && typeof above === 'string' && real.startsWith(`${above}${sep}`);
}

const PLAIN_SETTINGS =
  /^core\.(?:autocrlf|eol|safecrlf|filemode|ignorecase|symlinks|precomposeunicode|quotepath|sparsecheckout|sparsecheckoutcone)$/;
const PLAIN_VALUES = /^(?:true|false|yes|no|on|off|0|1|input|lf|crlf|native|warn)$/i;

function defaultExcludes(): string {
  const configured = process.env['XDG_CONFIG_HOME'];
  const folder = configured === undefined || configured === '' ? join(homedir(), '.config') : configured;
  return join(folder, 'git', 'ignore');
}
