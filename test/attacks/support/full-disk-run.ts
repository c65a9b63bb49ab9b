// A run whose disk is full in the middle of a snapshot, and one when there is space again. Says as JSON what came of both.
// Arguments: a small disk for the engine's files, a project.
import { randomBytes } from 'node:crypto';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallRequest } from '../../../src/actors/port.ts';
import { foldRecords } from '../../../src/core/fold.ts';
import { runId } from '../../../src/core/ids.ts';
import { createEmbeddedHost } from '../../../src/host/embedded/embedded-host.ts';
import { build, end, to, turn, work } from '../../../src/host/testing/build-definition.ts';
import { says, testWorld } from '../../../src/host/testing/test-world.ts';
import { createMemoryJournal } from '../../../src/journal/memory/memory-journal.ts';
import { allTools } from '../../../src/tools/all-tools.ts';
import { expectSoundStore } from '../../../src/workspace/store/testing/sound-store.ts';
import { createWorkspaces } from '../../../src/workspace/workspaces.ts';

const [disk = '', project = ''] = process.argv.slice(2);
const ballast = join(disk, 'ballast');
const content = randomBytes(1_000_000).toString('base64');
let isFilled = false;

/** Before the second file is written there is space for that file, and none for keeping it. */
function answer({ call }: CallRequest) {
  if (call === 2 && !isFilled) {
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - content.length - 200_000, 1));
    isFilled = true;
  }
  if (call > 2) return says('done');
  const input = call === 1 ? { path: 'first.txt', content: 'kept' } : { path: 'large.txt', content };
  return says('', [{ id: `w${call}`, name: 'write_file', arguments: input }]);
}

const states = [work('start', turn('coder', "'go'"), [to('stop')]), end('stop')];
const definition = build({ roles: { coder: {} }, states });
const journal = createMemoryJournal();
const workspaces = createWorkspaces({ home: join(disk, 'home') });
const host = createEmbeddedHost(testWorld({ journal, answer, tools: allTools, workspaces }));

async function drive(name: string) {
  const run = await host.start({ definition, input: {}, project, run: runId(name) });
  const { outcome } = await host.rest(run);
  const records = await journal.read(run);
  const tree = foldRecords(records).workspaces['main']?.tree;
  const store = await workspaces.store(project);
  return {
    outcome,
    told: records.flatMap(({ fact }) => (fact.kind === 'tool.finished' && fact.isError ? [fact.content] : [])),
    files: tree === undefined ? [] : [...(await store.entries(tree)).keys()].sort(),
    isWhole: tree !== undefined && (await store.has(tree)),
  };
}

const full = await drive('full');
rmSync(ballast);
const later = await drive('later');
await host.shutdown();
const { gitDir } = await workspaces.store(project);
await workspaces.close();
expectSoundStore(gitDir);
process.stdout.write(JSON.stringify({ full, later }));
