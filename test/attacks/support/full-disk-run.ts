// A run whose disk is full in the middle of a call, and the same run when there is space again. Says as JSON what came of both.
// Arguments: the small disk, the engine's home, a project, how the disk is met, who goes on.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallRequest } from '../../../src/actors/port.ts';
import { foldRecords } from '../../../src/core/fold/fold.ts';
import { runId } from '../../../src/core/model/ids.ts';
import { createEmbeddedHost } from '../../../src/host/embedded/embedded-host.ts';
import type { World } from '../../../src/host/world.ts';
import { build, end, to, turn, work } from '../../../src/host/testing/build-definition.ts';
import { says, testWorld } from '../../../src/host/testing/test-world.ts';
import { createMemoryJournal } from '../../../src/journal/memory/memory-journal.ts';
import { allTools } from '../../../src/tools/all-tools.ts';
import { expectSoundStore } from '../../../src/workspace/store/testing/sound-store.ts';
import { createWorkspaces } from '../../../src/workspace/workspaces.ts';

const [disk = '', home = '', project = '', how = 'tool', who = 'same'] = process.argv.slice(2);
const ballast = join(disk, 'ballast');
const content = randomBytes(1_000_000).toString('base64');
/** Leaves a trace when it finds what an earlier try of it has written. */
const command = 'if [ -e large.txt ]; then echo found > dirty.txt; fi; head -c 1500000 /dev/urandom > large.txt';
const LAST = {
  tool: { name: 'write_file', arguments: { path: 'large.txt', content } },
  command: { name: 'execute_terminal', arguments: { command } },
}[how === 'command' ? 'command' : 'tool'];
/** `keeping`: there is space for the file, and none for keeping it. `writing`: there is none for the file. */
const left = process.argv[7] === 'keeping' ? content.length + 200_000 : 300_000;
let isFilled = false;

function answer({ call }: CallRequest) {
  if (call === 2 && !isFilled) {
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - left, 1));
    isFilled = true;
  }
  if (call > 2) return says('done');
  if (call === 2) return says('', [{ id: 'w2', ...LAST }]);
  return says('', [{ id: 'w1', name: 'write_file', arguments: { path: 'first.txt', content: 'kept' } }]);
}

const states = [work('start', turn('coder', "'go'"), [to('stop')]), end('stop')];
const definition = build({ roles: { coder: {} }, states });
const journal = createMemoryJournal();
const run = runId('full');

/** Nothing keeps the command in: here its disk is what matters. */
const shell: World['shell'] = (line, { place }) => {
  const { status, stderr } = spawnSync('/bin/sh', ['-c', line], { cwd: place.folder, encoding: 'utf8' });
  const rest = { signal: null, errorOutput: '', rawOutput: Buffer.from(stderr), truncated: false, timedOut: false };
  return Promise.resolve({
    ...rest,
    exitCode: status,
    output: stderr,
    outputBytes: stderr.length,
    cancelled: false,
    startFailure: null,
    containment: 'group',
    discarded: [],
  });
};

function opened() {
  const workspaces = createWorkspaces({ home });
  const base = testWorld({ journal, answer, tools: allTools, workspaces, shell, sandbox: 'bubblewrap' });
  return { workspaces, host: createEmbeddedHost(base) };
}

let bench = opened();

async function seen() {
  const { status, outcome, failure } = await bench.host.rest(run);
  const records = await journal.read(run);
  const tree = foldRecords(records).workspaces['main']?.tree;
  const store = await bench.workspaces.store(project);
  return {
    status,
    outcome,
    failure,
    answered: records.flatMap(({ fact }) => (fact.kind === 'tool.finished' ? [[fact.toolCall, fact.isError]] : [])),
    files: tree === undefined ? [] : [...(await store.entries(tree)).keys()].sort(),
    isWhole: tree !== undefined && (await store.has(tree)),
  };
}

await bench.host.start({ definition, input: {}, project, run });
const full = await seen();
// Still full: it says so again, and nothing is lost by that.
await bench.host.resume(run);
const stillFull = await seen();
rmSync(ballast);
if (who === 'another') {
  await bench.host.shutdown();
  await bench.workspaces.close();
  bench = opened();
}
await bench.host.resume(run);
const later = await seen();
const isDirty = existsSync(join(bench.workspaces.folderOf(run, 'main'), 'dirty.txt'));
await bench.host.shutdown();
const { gitDir } = await bench.workspaces.store(project);
await bench.workspaces.close();
expectSoundStore(gitDir);
process.stdout.write(JSON.stringify({ full, stillFull, later, isDirty }));
