import { existsSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Fault } from '../core/fault.ts';
import { isReserved, PathRefused, shownPath } from '../lib/confined-path.ts';
import { HeldFolder } from '../lib/held-folder.ts';
import { isPartialName } from '../lib/held-file.ts';
import { walkFolder } from '../lib/walk-folder.ts';
import type { BytePath } from './byte-path.ts';
import { toBytePath, toNames } from './byte-path.ts';
import { quietGit } from './quiet-git.ts';

/**
 * The paths of a project that an agent gets to see. In a git repository what git knows and what is new and not ignored;
 * elsewhere everything. Never `.git`, `.troupe` and, outside git, `node_modules`.
 */
export async function projectFiles(project: string, options: { readonly home: string }): Promise<ProjectFiles> {
  const away = await insideOf(project, options.home);
  const fromGit = await gitFiles(project);
  const found = fromGit ?? (await plainFiles(project));
  const paths = found.filter((path) => away === null || (path !== away && !path.startsWith(`${away}/`)));
  return { source: fromGit === null ? 'plain' : 'git', paths: [...new Set(paths)].sort() };
}

export interface ProjectFiles {
  readonly source: 'git' | 'plain';
  readonly paths: readonly BytePath[];
}

/** What steers programs on the user's machine stays out of every copy, in both directions. */
export function isControlName(name: Buffer): boolean {
  return isReserved(name.toString('utf8'), ['.git', '.troupe']);
}

const MAX_PATHS = 500_000;

/** The engine's own folder, when it lies in the project: copying it into itself would never end. */
async function insideOf(project: string, home: string): Promise<BytePath | null> {
  const [from, to] = await Promise.all([realpath(project), realpath(home).catch(() => home)]);
  const path = relative(from, to);
  return path === '' || path.startsWith(`..${sep}`) || path === '..' ? null : Buffer.from(path).toString('latin1');
}

async function gitFiles(project: string): Promise<readonly BytePath[] | null> {
  const inside = await quietGit(project, ['rev-parse', '--is-inside-work-tree']);
  if (inside?.exitCode !== 0 || inside.output.trim() !== 'true') return null;
  // A folder that an outer repository ignores is a project of its own.
  const ignored = await quietGit(project, ['check-ignore', '--quiet', '.']);
  if (ignored?.exitCode === 0) return null;
  const [files, known] = await Promise.all([
    listWith(project, ['ls-files', '-coz', '--exclude-standard']),
    listWith(project, ['ls-files', '-sz']),
  ]);
  const submodules = new Set(known.filter((line) => line.startsWith('160000 ')).map(pathOfStaged));
  const isNested = (path: BytePath) => path.endsWith('/') || submodules.has(path);
  const nested = await Promise.all(files.filter(isNested).map((path) => nestedFiles(project, path)));
  const whole = [...files.filter((path) => !isNested(path)), ...nested.flat()];
  return whole.filter((path) => toNames(path).every((name) => !isControlName(name)));
}

async function listWith(project: string, words: readonly string[]): Promise<readonly BytePath[]> {
  const listed = await quietGit(project, words);
  if (listed?.exitCode === 0 && !listed.truncated) {
    const lines = listed.rawOutput.toString('latin1').split('\0');
    return lines.filter((line) => line !== '');
  }
  const said = listed?.errorOutput.trim() ?? '';
  throw new Fault('PROJECT_UNREADABLE', `git could not list the files of ${project}: ${said}`, {
    hint: 'Try `git ls-files` there yourself.',
  });
}

/** A line of `ls-files -s` is mode, object and stage, a tab, and the path. */
function pathOfStaged(line: string): BytePath {
  return line.slice(line.indexOf('\t') + 1);
}

/** A repository inside the repository is one entry to git; its own files are wanted. */
async function nestedFiles(project: string, path: BytePath): Promise<readonly BytePath[]> {
  const folder = path.replace(/\/$/, '');
  const nested = join(project, Buffer.from(folder, 'latin1').toString('utf8'));
  const stats = await lstat(nested).catch(() => null);
  if (stats?.isDirectory() !== true) return [];
  // Without a repository of its own it would be asked about the outer one again, for ever.
  const isOwn = existsSync(join(nested, '.git'));
  const files = (isOwn ? await gitFiles(nested) : null) ?? (await plainFiles(nested));
  return files.map((file) => `${folder}/${file}`);
}

async function plainFiles(project: string): Promise<readonly BytePath[]> {
  const paths: BytePath[] = [];
  const root = await HeldFolder.open(project);
  const skip = (name: Buffer) =>
    isControlName(name) || name.equals(NODE_MODULES) || isPartialName(name.toString('utf8'));
  try {
    for await (const { names } of walkFolder(root, { skip })) {
      paths.push(toBytePath(names));
      if (paths.length > MAX_PATHS) break;
    }
    return paths;
  } catch (error) {
    throw error instanceof PathRefused ? unreadable(project, error) : error;
  } finally {
    await root.close();
  }
}

const NODE_MODULES = Buffer.from('node_modules');

export function unreadable(project: string, cause: PathRefused): Fault {
  return new Fault(
    'PROJECT_UNREADABLE',
    `A file of the project in ${shownPath(project)} cannot be copied: ${cause.message}`,
    {
      hint: 'Make it readable, or let git ignore it.',
      cause,
    },
  );
}
