import { join } from 'node:path';
import { openTreeStore } from '../../src/workspace/store/tree-store.ts';
import { report, settings } from '../harness/report.ts';
import { median } from '../harness/statistics.ts';
import { changeTen, git, makeSourceProject } from './source-project.ts';

/** What it costs to record a project and to put it back, beside `git status` on the same files in the same minute. */
const { folder, files, rounds } = settings() as { folder: string; files: number; rounds: number };

const project = join(folder, 'project');
const paths = makeSourceProject(project, files);
const store = await openTreeStore(join(folder, 'store'));
const options = { index: join(folder, 'index'), leaveOut: () => false };

const first = await timed(() => store.record(project, options));
for (let round = 0; round < 3; round += 1) await afterChanges(() => store.record(project, options));
const pairs: { readonly record: number; readonly status: number }[] = [];
for (let round = 0; round < rounds; round += 1) {
  const status = await afterChanges(async () => git(project, 'status', '--porcelain'));
  pairs.push({ status, record: await timed(() => store.record(project, options)) });
}
const { tree } = await store.record(project, options);
const restores: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  restores.push(await afterChanges(() => store.restore(tree, project, options)));
}
await store.close();
report({
  firstMs: first,
  statusMs: median(pairs.map(({ status }) => status)),
  recordMs: median(pairs.map(({ record }) => record)),
  ratio: median(pairs.map(({ record, status }) => record / status)),
  restoreMs: median(restores),
});

async function afterChanges(work: () => Promise<unknown>): Promise<number> {
  await changeTen(project, paths);
  return timed(work);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
