import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openTreeStore } from '../../src/workspace/store/tree-store.ts';
import { report, settings } from '../harness/report.ts';
import { median } from '../harness/statistics.ts';

/** What it costs to record a project and to put it back, beside `git status` on the same files in the same minute. */
const { folder, files, rounds } = settings() as { folder: string; files: number; rounds: number };
const CHANGES = 10;
/** Longer than the clock of the disk takes to move on, as it is between two turns of an agent. */
const PAUSE_MS = 60;

const project = join(folder, 'project');
const paths = makeProject();
const store = await openTreeStore(join(folder, 'store'));
const options = { index: join(folder, 'index'), leaveOut: () => false };

const first = await timed(() => store.record(project, options));
for (let round = 0; round < 3; round += 1) await afterChanges(() => store.record(project, options));
const pairs: { readonly record: number; readonly status: number }[] = [];
for (let round = 0; round < rounds; round += 1) {
  const status = await afterChanges(async () => git('status', '--porcelain'));
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

function makeProject(): readonly string[] {
  const made: string[] = [];
  for (let at = 0; at < files; at += 1) {
    const place = join(project, 'src', `m${at % 20}`, `p${Math.floor(at / 20) % Math.max(1, files / 400)}`);
    mkdirSync(place, { recursive: true });
    made.push(join(place, `file${at}.ts`));
    writeFileSync(made.at(-1) ?? '', `export const value${at} = ${at};\n`.repeat(10 + (at % 50)));
  }
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=bench', '-c', 'user.email=bench@example.invalid', 'commit', '-qm', 'all');
  return made;
}

function git(...words: readonly string[]): void {
  execFileSync('git', words, { cwd: project, stdio: ['ignore', 'pipe', 'ignore'] });
}

async function afterChanges(work: () => Promise<unknown>): Promise<number> {
  for (let at = 0; at < CHANGES; at += 1) {
    appendFileSync(paths[Math.floor(Math.random() * paths.length)] ?? '', `// ${Math.random()}\n`);
  }
  await delay(PAUSE_MS);
  return timed(work);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
