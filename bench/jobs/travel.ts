import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TreeId } from '../../src/core/model/ids.ts';
import { openTreeStore } from '../../src/workspace/store/tree-store.ts';
import { fetchTree } from '../../src/workspace/travel/fetch-tree.ts';
import { openFolderStore } from '../../src/workspace/travel/folder-store.ts';
import { openPostgresStore } from '../../src/workspace/travel/postgres-store.ts';
import { publishTree } from '../../src/workspace/travel/publish-tree.ts';
import { report, settings } from '../harness/report.ts';
import { changeTen, makeSourceProject } from './source-project.ts';

/** What it takes to bring a workspace to a second worker, whole and after changes, beside what git packs of the same. */
const { folder, files, url } = settings() as { folder: string; files: number; url: string | null };

const project = join(folder, 'project');
const paths = makeSourceProject(project, files);
const [here, there] = [await openTreeStore(join(folder, 'here')), await openTreeStore(join(folder, 'there'))];
const options = { index: join(folder, 'index'), leaveOut: () => false };
const pool = url === null ? null : new pg.Pool({ connectionString: url, max: 2 });
mkdirSync(join(folder, 'shared'));
const shared = pool === null ? await openFolderStore(join(folder, 'shared')) : await openPostgresStore(pool);

const first = (await here.record(project, options)).tree;
const whole = await travel(first, null);
await changeTen(project, paths);
const second = (await here.record(project, options)).tree;
const changed = await travel(second, first);
await Promise.all([here.close(), there.close(), shared.close(), pool?.end()]);
report({ whole, changed });

async function travel(tree: TreeId, before: TreeId | null) {
  const [published, publishMs] = await timed(() => publishTree(here, shared, tree));
  const [fetched, fetchMs] = await timed(() => fetchTree(there, shared, tree));
  const packed = packedBytes(tree, before);
  return {
    publishMs,
    fetchMs,
    bytes: fetched.bytes,
    packed,
    ratio: Math.max(published.bytes, fetched.bytes) / packed,
  };
}

/** The same as git packs it for somebody who has the tree before; git knows by commits what that is, which do not count. */
function packedBytes(tree: TreeId, before: TreeId | null): number {
  const base = before === null ? null : commit(before);
  const next = commit(tree, ...(base === null ? [] : ['-p', base]));
  const own = pack(`${next}\n`) - pack('');
  return pack(`${next}\n${base === null ? '' : `^${base}\n`}`, '--revs', '--thin') - own;
}

function commit(tree: TreeId, ...parents: readonly string[]): string {
  return gitHere('', 'commit-tree', tree, '-m', '', ...parents)
    .toString()
    .trim();
}

function pack(input: string, ...words: readonly string[]): number {
  return gitHere(input, 'pack-objects', '--stdout', '-q', '--no-reuse-object', ...words).length;
}

function gitHere(input: string, ...words: readonly string[]): Buffer {
  const author = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.invalid'];
  return execFileSync('git', ['--git-dir', here.gitDir, ...author, ...words], { input, maxBuffer: 2 ** 30 });
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const start = performance.now();
  const result = await work();
  return [result, performance.now() - start];
}
