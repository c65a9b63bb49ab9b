import { existsSync, realpathSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Fault } from '../core/model/fault.ts';
import { isReserved, PathRefused, shownPath } from '../lib/confined-path.ts';
import { HeldFolder } from '../lib/held-folder.ts';
import { orElse } from '../lib/or-else.ts';
import { isPartialName } from '../lib/held-file.ts';
import { walkFolder } from './walk-folder.ts';
import { type BytePath, toNames, toBytePath } from './byte-path.ts';
import { askGit, runGit } from './git.ts';

/** Whether a name controls programs on the user's machine: such files are never copied, in either direction. */
export function isControlName(name: Buffer): boolean {
  return isReserved(name.toString('utf8'), ['.git', '.troupe']);
}

const MAX_PATHS = 500_000;

/**
 * What git knows in a folder, and what is new and not ignored; null where it is not a repository. Never `.git` and `.troupe`.
 * Repositories inside the repository come along with their own files.
 */
export async function gitFiles(project: string): Promise<readonly BytePath[] | null> {
  if (!hasGitAbove(project)) return null;
  const [isProject, listed] = await Promise.all([isGitProject(project), askGit(project, LIST)]);
  if (!isProject) return null;
  const lines = (listed ?? (await listedAgain(project))).split('\0').filter((line) => line !== '');
  const plain: BytePath[] = [];
  const nested: Promise<readonly BytePath[]>[] = [];
  for (const line of lines) {
    const path = pathIn(line);
    if (path.endsWith('/') || isSubmodule(line)) nested.push(nestedFiles(project, path));
    else plain.push(path);
  }
  const whole = [...plain, ...(await Promise.all(nested)).flat()];
  // Most paths have no name that begins like one of these.
  return whole.filter(
    (path) => !/(?:^|\/)[.\u0080-\u00ff]/.test(path) || toNames(path).every((name) => !isControlName(name)),
  );
}

/** A folder that an outer repository ignores is its own project. */
export async function isGitProject(project: string): Promise<boolean> {
  if (!hasGitAbove(project)) return false;
  const asked = await askGit(project, ['rev-parse', '--is-inside-work-tree', '--show-prefix']);
  const [inside, prefix] = asked?.split('\n') ?? [];
  return inside === 'true' && (prefix === '' || !(await isIgnored(project)));
}

/** Without a `.git` here or above, git would find no work tree: starting it takes longer than looking. */
function hasGitAbove(project: string): boolean {
  for (let folder = orElse(() => realpathSync(project), project); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return true;
    if (dirname(folder) === folder) return false;
  }
}

/** Whether the repository around a folder ignores it. */
export async function isIgnored(project: string): Promise<boolean> {
  return (await askGit(project, ['check-ignore', '--quiet', '.'])) !== null;
}

/** Tracked files with their mode, new ones without, each with a letter for its status. */
const LIST = ['ls-files', '-tscoz', '--exclude-standard'];
const TAG_LENGTH = 2;
const NEW = '?';
const SUBMODULE = '160000 ';

/** Asked once more, for what it says. */
async function listedAgain(project: string): Promise<string> {
  const { exitCode, output, errorOutput } = await runGit(LIST, { cwd: project, config: 'user' });
  if (exitCode === 0) return output.toString('latin1');
  throw new Fault('PROJECT_UNREADABLE', `git could not list the files of ${project}: ${errorOutput.trim()}`, {
    hint: 'Try `git ls-files` there yourself.',
  });
}

function isSubmodule(line: string): boolean {
  return !line.startsWith(NEW) && line.startsWith(SUBMODULE, TAG_LENGTH);
}

/** Mode, object and stage, and a tab stand before the path of what is known. */
function pathIn(line: string): BytePath {
  return line.slice(line.startsWith(NEW) ? TAG_LENGTH : line.indexOf('\t') + 1);
}

/** A repository inside the repository is one entry to git; its own files are wanted. */
async function nestedFiles(project: string, path: BytePath): Promise<readonly BytePath[]> {
  const folder = path.replace(/\/$/, '');
  const nested = join(project, Buffer.from(folder, 'latin1').toString('utf8'));
  const stats = await lstat(nested).catch(() => null);
  if (stats?.isDirectory() !== true) return [];
  // Without its own repository it would be asked about the outer one again, for ever.
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

function unreadable(project: string, cause: PathRefused): Fault {
  return new Fault(
    'PROJECT_UNREADABLE',
    `A file of the project in ${shownPath(project)} cannot be copied: ${cause.message}`,
    {
      hint: 'Make it readable, or let git ignore it.',
      cause,
    },
  );
}
