// Records the golden journals of runs that have workspaces: `node test/golden/record-files.ts`. For a new release; what was
// recorded before is never recorded again. The model is the scripted one; project, files, tools and sandbox are real.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createScriptedActor } from '../../src/actors/scripted/scripted-actor.ts';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { runId } from '../../src/core/model/ids.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import type { World } from '../../src/host/world.ts';
import { testWorld, says } from '../../src/host/testing/test-world.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { chooseSandbox, findSandbox } from '../../src/sandbox/find-sandbox.ts';
import { allTools } from '../../src/tools/all-tools.ts';
import type { Tool } from '../../src/tools/port.ts';
import { createShell } from '../../src/tools/shell.ts';
import { createWorkspaces } from '../../src/workspace/workspaces.ts';
import { FAILING, FILES, SCENARIO, WITH_FILES } from './file-runs.ts';
import { goldenFile, tickingClock, VERSION, writeGolden } from './recording.ts';

process.umask(0o022);
const base = mkdtempSync(join(tmpdir(), 'golden-'));
const [home, project] = [join(base, 'home'), join(base, 'project')];
mkdirSync(project);
for (const [path, content] of Object.entries(FILES)) {
  writeFileSync(join(project, path), content);
  chmodSync(join(project, path), 0o644);
}

const scenario = parseScenario(SCENARIO);
if (scenario.kind !== 'parsed') throw new Error(JSON.stringify(scenario.problems));
const actor = createScriptedActor(scenario.scenario);
const journal = createMemoryJournal();
const sandbox = chooseSandbox(await findSandbox({ scratch: join(base, 'sandbox') }), null);
const clock = tickingClock();
const settings = { resources: { database: { kind: 'name', pattern: 'test_{n}', count: 3 } } } as const;

/** The disk is full until somebody makes room. */
const disk = { isFull: true };
const tools = allTools.map((tool): Tool => {
  if (tool.spec.name !== 'write_file') return tool;
  const run: Tool['run'] = (input, context) => {
    if (disk.isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    return tool.run(input, context);
  };
  return { ...tool, run };
});

function opened() {
  const workspaces = createWorkspaces({ home, settings });
  const world: World = {
    ...testWorld({ journal, answer: () => says(''), tools, workspaces }),
    clock,
    newRunId: () => runId('forked'),
    engine: VERSION,
    actorFor: () => Promise.resolve(actor),
    shell: createShell({ sandbox: () => Promise.resolve(sandbox), hidden: [home], environment: process.env }),
    sandbox: () => Promise.resolve(sandbox.level),
  };
  return { host: createEmbeddedHost(world), workspaces };
}

async function inProcess<T>(work: (bench: ReturnType<typeof opened>) => Promise<T>): Promise<T> {
  const bench = opened();
  const value = await work(bench);
  await bench.host.shutdown();
  await bench.workspaces.close();
  return value;
}

const run = runId('with-files');
await inProcess(async ({ host, workspaces }) => {
  await host.start({ definition: WITH_FILES, input: {}, project, run });
  await host.rest(run);
  disk.isFull = false;
  await host.resume(run);
  await host.rest(run);
  // It waits for a word on its command. Its workspace is lost meanwhile, and a person pauses it.
  rmSync(workspaces.folderOf(run, 'coder'), { recursive: true });
  await host.pause(run, 'ada', 'lunch');
  await host.answer(run, { answer: 'always', by: 'ada' });
  await host.resume(run);
  await host.rest(run);
  // It stands at its question; somebody changes a file of the run.
  writeFileSync(join(workspaces.folderOf(run, 'main'), 'outside.txt'), 'by hand\n');
});
await inProcess(async ({ host }) => {
  const { undo } = await host.rewind(run, { to: 1, files: true, conversation: true, by: 'ada' });
  await host.rewind(run, { to: undo, files: true, conversation: true, by: 'ada' });
  const { files, workspaces } = await host.snapshot(run);
  const [before, after] = [files?.tree, workspaces['main']?.tree];
  if (before === undefined || after === undefined) throw new Error('the run has no files');
  await host.note(run, { kind: 'project.changed', how: 'applied', before, after, kept: ['x'], by: 'ada' });
  await host.fork(run, { at: (await host.snapshot(run)).seq, input: { task: 'another' }, by: 'ada' });
});
const failing = runId('rolled-back');
await inProcess(async ({ host }) => {
  await host.start({ definition: FAILING, input: {}, project, run: failing });
  await host.rest(failing);
});

/** Nothing of the machine it was recorded on. */
const plain = (text: string): string =>
  text
    .replaceAll(project, '/project')
    .replaceAll(home, '/home')
    .replaceAll(/\d+ [kM]B free/g, '0 kB free');

await writeGolden(journal, run, { name: 'files', plain });
await writeGolden(journal, runId('forked'), { name: 'files-forked', plain });
await writeGolden(journal, failing, { name: 'files-rolled-back', plain });
const gitDir = await inProcess(async ({ workspaces }) => (await workspaces.store(project)).gitDir);
const kept = readdirSync(gitDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const store = kept.map(({ parentPath, name }) => [
  relative(gitDir, join(parentPath, name)),
  readFileSync(join(parentPath, name)).toString('base64'),
]);
const started = (await journal.read(run)).flatMap(({ fact }) => (fact.kind === 'run.started' ? [fact] : []));
const named = started.flatMap(({ definition, tools: given }) =>
  given === undefined ? [definition] : [definition, given],
);
const bodies = await Promise.all(named.map((hash) => journal.getBody(hash)));
const stored = { bodies, store: Object.fromEntries(store) };
writeFileSync(goldenFile('files.store.json'), `${plain(JSON.stringify(stored, null, 1))}\n`);
rmSync(base, { recursive: true });
