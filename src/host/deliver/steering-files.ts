import { setImmediate } from 'node:timers/promises';
import { isJsonObject, parseObject } from '../../core/model/json.ts';
import type { TreeChange, TreeEntry, TreeStore } from '../../workspace/store/port.ts';
import { changedPathText } from './change-view.ts';
import type { MergeReport } from './merge-outcome.ts';

/**
 * Files that make the user's programs run something: on opening the project, entering its folder, installing, committing or
 * pushing. A result that changes one reports it first, and `--apply` holds it back until the user allows it.
 */
export async function steeringFiles(
  store: TreeStore,
  changes: readonly TreeChange[],
): Promise<readonly SteeringFile[]> {
  const found: SteeringFile[] = [];
  for (const [index, change] of changes.entries()) {
    // Yields, so that a server can answer other requests meanwhile.
    if (index % PATHS_AT_ONCE === PATHS_AT_ONCE - 1) await setImmediate();
    const why = steeringReason(change.path) ?? (await installScripts(store, change));
    if (why !== null) found.push({ change, report: { path: changedPathText(change.path), why } });
  }
  return found;
}

const PATHS_AT_ONCE = 200;

export interface SteeringFile {
  readonly change: TreeChange;
  readonly report: MergeReport;
}

const AGENT = 'steers a coding agent: its commands, hooks, permissions or servers';
const EDITOR = 'an editor runs tasks, debuggers or settings from it';
const HOOK = 'git runs it on commit, push or checkout';
const CI = 'a build server runs it with your secrets';
const PACKAGES = 'steers a package manager: registry, credentials, programs that run on install';
const SHELL = 'a shell runs it when it starts or enters the folder';
const GIT = 'steers git: filters, other repositories, settings';

/** By the name of a file, wherever it lies. */
const NAMES: Readonly<Record<string, string>> = {
  '.mcp.json': AGENT,
  '.cursorrules': AGENT,
  '.aider.conf.yml': AGENT,
  '.exrc': EDITOR,
  '.vimrc': EDITOR,
  '.nvimrc': EDITOR,
  '.nvim.lua': EDITOR,
  '.dir-locals.el': EDITOR,
  '.npmrc': PACKAGES,
  '.yarnrc': PACKAGES,
  '.yarnrc.yml': PACKAGES,
  '.pnpmfile.cjs': PACKAGES,
  '.pnpmfile.mjs': PACKAGES,
  'pnpm-workspace.yaml': PACKAGES,
  '.pnp.cjs': PACKAGES,
  '.pnp.loader.mjs': PACKAGES,
  'binding.gyp': PACKAGES,
  'bunfig.toml': PACKAGES,
  'pip.conf': PACKAGES,
  '.envrc': SHELL,
  '.rvmrc': SHELL,
  '.bashrc': SHELL,
  '.bash_profile': SHELL,
  '.bash_login': SHELL,
  '.bash_logout': SHELL,
  '.profile': SHELL,
  '.zshrc': SHELL,
  '.zshenv': SHELL,
  '.zprofile': SHELL,
  '.zlogin': SHELL,
  '.kshrc': SHELL,
  'config.fish': SHELL,
  'mise.toml': SHELL,
  '.mise.toml': SHELL,
  '.gitmodules': GIT,
  '.gitattributes': GIT,
  '.gitconfig': GIT,
  '.pre-commit-config.yaml': HOOK,
  '.pre-commit-config.yml': HOOK,
  'lefthook.yml': HOOK,
  'lefthook.yaml': HOOK,
  '.lefthook.yml': HOOK,
  '.gitlab-ci.yml': CI,
  '.gitlab-ci.yaml': CI,
  '.travis.yml': CI,
  jenkinsfile: CI,
  'azure-pipelines.yml': CI,
  'bitbucket-pipelines.yml': CI,
};

/** By a folder on the way to it. */
const FOLDERS: Readonly<Record<string, string>> = {
  '.claude': AGENT,
  '.codex': AGENT,
  '.cursor': AGENT,
  '.gemini': AGENT,
  '.windsurf': AGENT,
  '.continue': AGENT,
  '.troupe': AGENT,
  '.vscode': EDITOR,
  '.idea': EDITOR,
  '.zed': EDITOR,
  '.devcontainer': EDITOR,
  '.husky': HOOK,
  '.githooks': HOOK,
  '.circleci': CI,
  '.buildkite': CI,
  '.yarn': PACKAGES,
};

/** By two names in a row. */
const NESTED: Readonly<Record<string, string>> = {
  '.github/workflows': CI,
  '.github/actions': CI,
  '.gitea/workflows': CI,
  '.forgejo/workflows': CI,
  '.cargo/config': PACKAGES,
  '.cargo/config.toml': PACKAGES,
};

/** Why a path steers a program; null where it does not. `path`: bytes, each written as one character. */
export function steeringReason(path: string): string | null {
  const names = Buffer.from(path, 'latin1').toString('utf8').split('/').map(folded);
  const last = names.at(-1) ?? '';
  const nested = names.slice(1).map((name, index) => `${names[index] ?? ''}/${name}`);
  if (last.endsWith('.code-workspace')) return EDITOR;
  return known(NAMES, [last]) ?? known(FOLDERS, names) ?? known(NESTED, nested);
}

/** Names that a file system takes for the same one: case, composed letters, invisible characters, dots and spaces at the end. */
const folded = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu, '')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[. ]+$/, '');

function known(table: Readonly<Record<string, string>>, names: readonly string[]): string | null {
  const name = names.find((one) => Object.hasOwn(table, one));
  return name === undefined ? null : (table[name] ?? null);
}

const ON_INSTALL = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare', 'prepublish'];

/** Scripts of a package that run on install. A file that cannot be read here may have them: npm reads what it can. */
async function installScripts(store: TreeStore, { path, before, after }: TreeChange): Promise<string | null> {
  if (after === null || folded(path.slice(path.lastIndexOf('/') + 1)) !== 'package.json') return null;
  const [old, made] = [await scriptsOf(store, before), await scriptsOf(store, after)];
  if (made === null) return 'may have scripts that run on install: it could not be read';
  const changed = ON_INSTALL.filter((name) => made[name] !== undefined && made[name] !== old?.[name]);
  return changed.length === 0 ? null : `changes scripts that run on install: ${changed.join(', ')}`;
}

const MOST_BYTES = 1024 * 1024;

/** Null for a link, for a file that is too large, and for one that is no JSON object. */
async function scriptsOf(store: TreeStore, entry: TreeEntry | null): Promise<Scripts | null> {
  if (entry === null || entry.kind === 'folder') return {};
  if (entry.kind !== 'file' || (await store.sizeOf(entry.blob)) > MOST_BYTES) return null;
  const parsed = parseObject((await store.read(entry.blob)).toString('utf8').replace(/^\uFEFF/, ''));
  if (parsed === null) return null;
  const scripts = isJsonObject(parsed['scripts']) ? parsed['scripts'] : {};
  return Object.fromEntries(Object.entries(scripts).map(([name, text]) => [name, JSON.stringify(text)]));
}

type Scripts = Readonly<Record<string, string>>;
