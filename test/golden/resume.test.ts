import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { createScriptedActor } from '../../src/actors/scripted/scripted-actor.ts';
import type { JournalRecord } from '../../src/core/record/fact.ts';
import { foldRecords } from '../../src/core/fold/fold.ts';
import type { Json } from '../../src/core/model/json.ts';
import { batchSummary } from '../../src/host/embedded/batch.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import { says, testWorld } from '../../src/host/testing/test-world.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import type { Journal } from '../../src/journal/port.ts';
import { allTools } from '../../src/tools/all-tools.ts';
import { createWorkspaces } from '../../src/workspace/workspaces.ts';
import { FILES, SCENARIO } from './file-runs.ts';

const FOLDER = join(import.meta.dirname, 'journals');
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

interface Kept {
  /** Its definition and its tools, which its first record names. */
  readonly bodies: readonly Json[];
  /** The tree store, file by file. */
  readonly store: Readonly<Record<string, string>>;
}

/** A journal of an earlier release as it would lie on this machine, with the trees it names. */
async function onThisMachine(name: string, store: string) {
  const base = mkdtempSync(join(tmpdir(), 'golden-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [home, project] = [join(base, 'home'), join(base, 'project')];
  mkdirSync(project);
  for (const [path, content] of Object.entries(FILES)) writeFileSync(join(project, path), content);
  const kept = JSON.parse(read(store)) as Kept;
  await bringStore({ home, project }, kept);
  const journal = createMemoryJournal();
  for (const body of kept.bodies) await journal.putBody(body);
  const records = read(name).replaceAll('/project', project).trim().split('\n');
  const run = await bringRun(
    journal,
    records.map((line) => JSON.parse(line) as JournalRecord),
  );
  return { home, project, journal, run };
}

/** Where this version looks for the store of the project is for it to say. */
async function bringStore(place: { readonly home: string; readonly project: string }, { store }: Kept): Promise<void> {
  const workspaces = createWorkspaces({ home: place.home });
  const { gitDir } = await workspaces.store(place.project);
  await workspaces.close();
  rmSync(gitDir, { recursive: true });
  for (const [path, content] of Object.entries(store)) {
    mkdirSync(dirname(join(gitDir, path)), { recursive: true });
    writeFileSync(join(gitDir, path), content, 'base64');
  }
}

async function bringRun(journal: Journal, records: readonly JournalRecord[]) {
  const snapshot = foldRecords(records);
  const { run, parent, workflow, project, at } = snapshot;
  const first = { records, summary: batchSummary(snapshot) };
  await journal.release(await journal.create({ run, parent, workflow, project, title: '', at }, 'before', first));
  return run;
}

test.each(['0.1.0-files.jsonl', '0.1.0-files-forked.jsonl'])(
  '[L2] [FI1] %s can be resumed: every tree it names is there, and the run goes on from its exact files',
  async (name) => {
    const { home, project, journal, run } = await onThisMachine(name, '0.1.0-files.store.json');
    const workspaces = createWorkspaces({ home });
    const store = await workspaces.store(project);
    const trees = (await journal.read(run)).flatMap(({ fact }) => ('tree' in fact && fact.tree ? [fact.tree] : []));
    expect(trees.length).toBeGreaterThan(5);
    expect(await Promise.all(trees.map((tree) => store.has(tree)))).toEqual(trees.map(() => true));
    const scenario = parseScenario(SCENARIO);
    if (scenario.kind !== 'parsed') throw new Error('the scenario is wrong');
    const actor = createScriptedActor(scenario.scenario);
    const host = createEmbeddedHost({
      ...testWorld({ journal, answer: () => says(''), tools: allTools, workspaces, sandbox: 'none' }),
      actorFor: () => Promise.resolve(actor),
    });
    await host.resume(run);
    expect(await host.rest(run)).toMatchObject({ status: 'waiting', questions: [{ text: 'Go on?' }] });
    await host.answer(run, { answer: 'yes', by: 'ada' });
    expect(await host.rest(run)).toMatchObject({ outcome: 'ok', output: 'finished' });
    const folder = workspaces.folderOf(run, 'main');
    const files = ['notes.txt', 'new.txt', 'command.txt', 'outside.txt', 'last.txt'];
    expect(files.map((path) => readFileSync(join(folder, path), 'utf8'))).toEqual([
      'one\nBOTH\nthree\n',
      'by the coder\n',
      'by a command\n',
      'by hand\n',
      'after all\n',
    ]);
    await host.shutdown();
    await workspaces.close();
  },
);
