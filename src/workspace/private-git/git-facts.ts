import { open, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join, resolve, sep } from 'node:path';
import { askGit } from '../git.ts';
import type { RunId } from '../../core/model/ids.ts';
import { constants } from 'node:fs';
import { type BytePath, pathText } from '../byte-path.ts';

/** Facts on the repository of a project; its folders may be anywhere (linked worktrees, submodules). */
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
  const asked = await askGit(project, ['rev-parse', ...FORMAT, ...PLACES.flatMap((path) => ['--git-path', path])]);
  const [format, prefix = '', ...paths] = asked?.split('\n') ?? [];
  const objectFormat = format === 'sha1' || format === 'sha256' ? format : null;
  // A folder with a line break in its name would be read as two. The last line is empty.
  if (objectFormat === null || paths.length !== PLACES.length + 2) return null;
  const top = pathText(paths[0] ?? '');
  const at = (name: (typeof PLACES)[number]): string =>
    ownPlace(pathText(paths[1 + PLACES.indexOf(name)] ?? ''), join(top, '.git', name));
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

/** Git has followed every link. A path with another name then is a link made by the repository, and stays a link. */
function ownPlace(found: string, named: string): string {
  return basename(found) === basename(named) ? found : named;
}

interface Setting {
  /** The source of the setting: the user's configuration, or this repository. */
  readonly scope: string;
  readonly name: string;
  readonly value: string;
}

/** In the order of their say: the last one of a name decides. */
async function askSettings(project: string): Promise<readonly Setting[]> {
  const words = ['config', '--type=path', '--show-scope', '-z', '--get-regexp', String.raw`^core\.`];
  const fields = pathText((await askGit(project, words)) ?? '').split('\0');
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

/**
 * What git says of a project, asked once for a run: starting git costs more than anything else when a workspace is made. Where
 * the user's repository keeps its parts and how it compares bytes is frozen with the run, as its ignore rules are; its commits
 * are read again for each workspace. Runs that ask at the same time hear the same.
 */
export class RunFacts {
  readonly #known = new Map<string, Promise<GitFacts | null>>();
  readonly #asking = new Map<string, Promise<GitFacts | null>>();

  of(root: RunId, project: string): Promise<GitFacts | null> {
    const key = `${root} ${project}`;
    const facts = this.#known.get(key) ?? this.#ask(project);
    this.#known.set(key, facts);
    const forget = (): unknown => this.#known.delete(key);
    // A repository may still be created, so a failure is not cached.
    facts.then((found) => (found === null ? forget() : null), forget);
    for (const [oldest] of this.#known) if (this.#known.size > MOST_RUNS) this.#known.delete(oldest);
    return facts;
  }

  #ask(project: string): Promise<GitFacts | null> {
    const asked = this.#asking.get(project) ?? gitFacts(project).finally(() => this.#asking.delete(project));
    this.#asking.set(project, asked);
    return asked;
  }
}

const MOST_RUNS = 200;

/** Where a repository stands, and its branches and tags, so that an agent can compare with them. */
export interface RefStanding {
  readonly head: GitHead;
  readonly refs: readonly Ref[];
}

/** No commit: nothing was committed yet. No branch: a commit is checked out by its id. */
export interface GitHead {
  /** As a full name, in bytes. */
  readonly branch: string | null;
  readonly commit: string | null;
}

export interface Ref {
  readonly id: string;
  readonly name: string;
}

/** Workspaces are made several at a time, and starting git is most of that: who asks while somebody asks hears the same. */
export function readStanding(project: string): Promise<RefStanding> {
  const asked = ASKING.get(project) ?? askStanding(project).finally(() => ASKING.delete(project));
  ASKING.set(project, asked);
  return asked;
}

const ASKING = new Map<string, Promise<RefStanding>>();

/** Mostly the list of branches says which one is checked out; else git is asked again. */
async function askStanding(project: string): Promise<RefStanding> {
  const lines = await listRefs(project);
  const refs = lines.map((line) => refIn(line.slice(1)));
  const current = lines.find((line) => line.startsWith(CURRENT));
  if (current === undefined) return { head: await readHead(project), refs };
  const { id, name } = refIn(current.slice(1));
  return { head: { branch: name, commit: id }, refs };
}

/** How git marks the branch that is checked out; the others have a blank there. */
const CURRENT = '*';
const REF_FORMAT = '%(HEAD)%(objectname) %(refname)';
const MAX_REFS = 5000;

async function listRefs(project: string): Promise<readonly string[]> {
  const places = ['refs/heads', 'refs/tags', 'refs/remotes'];
  const listed = await askGit(project, ['for-each-ref', `--count=${MAX_REFS}`, `--format=${REF_FORMAT}`, ...places]);
  return (listed ?? '').split('\n').filter((line) => line.includes(' ', 1));
}

function refIn(text: string): Ref {
  const space = text.indexOf(' ');
  return { id: text.slice(0, space), name: text.slice(space + 1) };
}

async function readHead(project: string): Promise<GitHead> {
  const [branch, commit] = await Promise.all([askGit(project, ['symbolic-ref', '-q', 'HEAD']), readCommit(project)]);
  return { branch: branch?.trim() ?? null, commit };
}

/** The commit that is checked out; null where there is none yet. */
export async function readCommit(project: string): Promise<string | null> {
  return (await askGit(project, ['rev-parse', '-q', '--verify', 'HEAD^{commit}']))?.trim() ?? null;
}

/** A regular file of a repository's own folder; null when there is none. A link there would choose what an agent gets to read. */
export async function readPlain(path: string): Promise<Buffer | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (file === null) return null;
  try {
    return (await file.stat()).isFile() ? await file.readFile() : null;
  } finally {
    await file.close();
  }
}
