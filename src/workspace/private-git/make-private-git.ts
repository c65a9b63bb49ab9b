import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Fault } from '../../core/fault.ts';
import type { BytePath } from '../byte-path.ts';
import { quietGit } from '../quiet-git.ts';
import type { TreeEntry } from '../store/port.ts';
import { borrowedObjects } from './borrowed-objects.ts';
import type { GitFacts } from './git-facts.ts';
import { hideMissing } from './hide-missing.ts';
import { readStanding } from './git-refs.ts';
import type { GitHead } from './git-refs.ts';
import { readPlain } from './read-plain.ts';

/**
 * A git folder for a workspace, made from nothing: no hooks, no remotes, no configuration of the user's but how bytes are
 * compared. It stands where the user's stands and reads the user's objects; nothing an agent does in it reaches the user's.
 * After an agent could have written it, the engine never runs git with it.
 */
export async function makePrivateGit(request: PrivateGitRequest): Promise<void> {
  const { facts, project, own } = request;
  const { head, refs } = await readStanding(project);
  await mkdir(join(own, 'objects', 'info'), { recursive: true });
  await Promise.all(['info', 'refs/heads', 'refs/tags'].map((name) => mkdir(join(own, name), { recursive: true })));
  const borrowed = await borrowedObjects(facts.objects);
  await Promise.all([
    writeFile(join(own, 'config'), configText(facts)),
    writeFile(join(own, 'objects', 'info', 'alternates'), borrowed.map((path) => `${path}\n`).join('')),
    writeFile(join(own, 'info', 'exclude'), await excludeText(facts)),
    writeFile(join(own, 'HEAD'), headText(head), 'latin1'),
    writeFile(join(own, 'packed-refs'), refs.map(({ id, name }) => `${id} ${name}\n`).join(''), 'latin1'),
    copyIfThere(facts.shallow, join(own, 'shallow')),
  ]);
  if (facts.prefix === '') await copyIndex(facts, own);
  else await standInPart(request, head);
  await hideMissing({ ...request, idBytes: facts.objectFormat === 'sha1' ? 20 : 32 });
}

export interface PrivateGitRequest {
  readonly project: string;
  readonly facts: GitFacts;
  /** The workspace, with its files in place. */
  readonly folder: string;
  /** Where the git folder is made, out of every agent's reach; the caller moves it into the workspace when it is whole. */
  readonly own: string;
  /** What the workspace was made from. */
  readonly known: ReadonlyMap<BytePath, TreeEntry>;
}

/** Agents may commit; who they are is nobody's business. */
const IDENTITY = '[user]\n\tname = Agent\n\temail = agent@troupe.invalid\n';

function configText({ objectFormat, settings }: GitFacts): string {
  const version = objectFormat === 'sha1' ? 0 : 1;
  const fixed = [`repositoryformatversion = ${version}`, 'bare = false', 'logallrefupdates = true'];
  const own = Object.entries(settings).map(([name, value]) => `${name.slice('core.'.length)} = ${value}`);
  const core = [...fixed, ...own].map((line) => `\t${line}\n`).join('');
  const format = objectFormat === 'sha1' ? '' : '[extensions]\n\tobjectformat = sha256\n';
  return `[core]\n${core}${format}${IDENTITY}[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n`;
}

/** In the order of their say: the last line that matches decides. */
async function excludeText({ excludesFile, exclude }: GitFacts): Promise<Buffer> {
  const own = await readFile(excludesFile).catch(() => Buffer.alloc(0));
  const shared = (await readPlain(exclude)) ?? Buffer.alloc(0);
  return Buffer.concat([own, shared].flatMap((text) => [text, Buffer.from('\n')]));
}

function headText({ branch, commit }: GitHead): string {
  if (branch !== null) return `ref: ${branch}\n`;
  return commit === null ? 'ref: refs/heads/main\n' : `${commit}\n`;
}

/** The user's index, so that what is staged for the user is staged here. A split one has a second file. */
async function copyIndex({ index, sparse }: GitFacts, own: string): Promise<void> {
  await copyIfThere(index, join(own, 'index'));
  const names = await readdir(dirname(index)).catch(() => []);
  const shared = names.filter((name) => name.startsWith('sharedindex.') && basename(index) === 'index');
  await Promise.all(shared.map((name) => copyIfThere(join(dirname(index), name), join(own, name))));
  await copyIfThere(sparse, join(own, 'info', 'sparse-checkout'));
}

async function copyIfThere(from: string, to: string): Promise<void> {
  const content = await readPlain(from);
  if (content !== null) await writeFile(to, content);
}

/** The project is a part of its repository: a commit of that part alone stands for the user's. */
async function standInPart(request: PrivateGitRequest, head: GitHead): Promise<void> {
  const { project, own } = request;
  const tree = head.commit === null ? null : await quietGit(project, ['rev-parse', '--verify', '-q', 'HEAD:./']);
  await writeFile(join(own, 'packed-refs'), '');
  await writeFile(join(own, 'HEAD'), headText({ branch: head.branch ?? 'refs/heads/main', commit: null }), 'latin1');
  if (tree?.exitCode !== 0) return;
  const id = tree.output.trim();
  const commit = await inOwn(request, ['commit-tree', '-m', `This folder at ${head.commit}`, id]);
  await inOwn(request, ['update-ref', '--no-deref', head.branch ?? 'refs/heads/main', commit]);
  await inOwn(request, ['read-tree', id]);
}

async function inOwn({ folder, own }: PrivateGitRequest, words: readonly string[]): Promise<string> {
  const done = await quietGit(folder, [`--git-dir=${own}`, `--work-tree=${folder}`, ...words]);
  if (done?.exitCode === 0) return done.output.trim();
  throw new Fault('WORKSPACE_GIT_FAILED', `git could not make the workspace's own repository: ${done?.errorOutput}`, {
    facts: { folder, words },
  });
}
