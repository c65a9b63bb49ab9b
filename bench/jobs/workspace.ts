import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isFault } from '../../src/core/model/fault.ts';
import { runId } from '../../src/core/model/ids.ts';
import type { TreeId } from '../../src/core/model/ids.ts';
import { diffTrees } from '../../src/workspace/changes/diff-trees.ts';
import { mergeTrees } from '../../src/workspace/changes/merge-trees.ts';
import { createWorkspaces } from '../../src/workspace/workspaces.ts';
import { processTime } from '../harness/process-time.ts';
import type { ProcessTime } from '../harness/process-time.ts';
import { report, settings } from '../harness/report.ts';
import { meanTime, wholeTime } from '../harness/whole-time.ts';
import { changeTen, makeSourceProject } from './source-project.ts';

/**
 * Workspaces of a project in a process that has done nothing before, as a command finds it: the first with all that it
 * needs, a second, and then what every turn of an agent costs. `cp -a` and `git status` come before and after.
 */
const { folder, files, rounds } = settings() as { folder: string; files: number; rounds: number };
const project = join(folder, 'project');
const paths = makeSourceProject(project, files);
const home = join(folder, 'home');
const workspaces = createWorkspaces({ home });
const began: TreeId[] = [];
const begin = async (): Promise<unknown> => began.push((await workspaces.begin(project)).tree);
const open = (name: string, from = workspaces) =>
  from.open({ root: runId('r1'), name, project, tree: began[0] ?? missing() });

const copies = [copy()];
const beginCold = await wholeTime(begin);
const openFirst = await wholeTime(() => open('one'));
copies.push(copy());
const openSecond = await wholeTime(() => open('two'));
copies.push(copy());
const [one, two] = [await open('one'), await open('two')];
const recordFirst = await wholeTime(() => one.record());

const turns: Record<'beginWarm' | 'record' | 'status' | 'restore' | 'diff' | 'merge', ProcessTime[]> = {
  beginWarm: [],
  record: [],
  status: [],
  restore: [],
  diff: [],
  merge: [],
};
const store = await workspaces.store(project);
const base = began[0] ?? missing();
// The first status writes down what git remembers of the files.
for (let round = -2; round < rounds; round += 1) {
  await changeTen(one.folder, paths);
  const status = () => processTime({ words: ['git', 'status', '--porcelain'], folder: one.folder });
  const before = status();
  const record = await wholeTime(() => one.record());
  const after = await one.record();
  await changeTen(two.folder, paths);
  const trees = { base, ours: after, theirs: await two.record() };
  const found = {
    status: meanTime([before, status()]),
    record,
    diff: await wholeTime(() => diffTrees(store, { before: base, after })),
    merge: await wholeTime(() => mergeTrees(store, trees)),
    restore: await wholeTime(() => one.restore(base)),
    beginWarm: await wholeTime(begin),
  };
  await two.restore(base);
  if (round < 0) continue;
  for (const [name, time] of Object.entries(found)) turns[name as keyof typeof turns].push(time);
}
await workspaces.close();
copies.push(copy());
const overlays = await overlayTimes();
const means = Object.fromEntries(Object.entries(turns).map(([name, times]) => [name, meanTime(times)]));
report({ copy: meanTime(copies), beginCold, openFirst, openSecond, recordFirst, ...overlays, ...means });

/** Nothing where this system or user cannot mount one. */
async function overlayTimes(): Promise<Readonly<Record<string, ProcessTime>>> {
  const layered = createWorkspaces({ home, settings: { method: 'overlay' } });
  try {
    const overlayFirst = await wholeTime(() => open('layer-one', layered));
    const overlaySecond = await wholeTime(() => open('layer-two', layered));
    return { overlayFirst, overlaySecond };
  } catch (error) {
    if (isFault(error)) return {};
    throw error;
  } finally {
    await layered.close();
  }
}

function copy(): ProcessTime {
  const to = join(folder, 'copy');
  rmSync(to, { recursive: true, force: true });
  return processTime({ words: ['cp', '-a', project, to], folder });
}

function missing(): never {
  throw new Error('nothing was recorded');
}
