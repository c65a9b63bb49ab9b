// A merge whose check meets a full disk, and the same merge when there is space again. Says as JSON what came of both.
// Arguments: the small disk, the engine's home, a project.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallRequest } from '../../../src/actors/port.ts';
import { runId } from '../../../src/core/model/ids.ts';
import { createEmbeddedHost } from '../../../src/host/embedded/embedded-host.ts';
import type { World } from '../../../src/host/world.ts';
import { build, end, expression, to, turn, work } from '../../../src/host/testing/build-definition.ts';
import { says, testWorld } from '../../../src/host/testing/test-world.ts';
import { createMemoryJournal } from '../../../src/journal/memory/memory-journal.ts';
import { allTools } from '../../../src/tools/all-tools.ts';
import { createWorkspaces } from '../../../src/workspace/workspaces.ts';

const [disk = '', home = '', project = ''] = process.argv.slice(2);
const ballast = join(disk, 'ballast');
let isRoomMade = false;
const verify = 'head -c 1500000 /dev/urandom > report.txt';

function answer({ call }: CallRequest) {
  if (call > 1) return says('done');
  return says('', [{ id: 'w1', name: 'write_file', arguments: { path: 'made.txt', content: 'made' } }]);
}

const built = build({
  roles: { coder: {} },
  states: [
    work('start', turn('coder', "'go'"), [to('home')]),
    work('home', { kind: 'merge', agent: 'coder', verify: expression(`'${verify}'`) }, [to('stop')]),
    end('stop'),
  ],
});
const agents = built.workflow.agents.map((agent) => ({ ...agent, workspace: 'own' as const }));
const definition = { ...built, workflow: { ...built.workflow, agents } };

/** Nothing keeps the command in: here its disk is what matters. It is filled just before the check. */
const shell: World['shell'] = (line, { place }) => {
  if (!existsSync(ballast) && !isRoomMade) {
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - 300_000, 1));
  }
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

const run = runId('check');
const workspaces = createWorkspaces({ home });
const journal = createMemoryJournal();
const host = createEmbeddedHost(
  testWorld({ journal, answer, tools: allTools, workspaces, shell, sandbox: 'bubblewrap' }),
);

async function seen() {
  const { status, outcome, failure } = await host.rest(run);
  const isMerged = existsSync(join(workspaces.folderOf(run, 'main'), 'made.txt'));
  return { status, outcome, code: failure?.code ?? null, isMerged };
}

await host.start({ definition, input: {}, project, run });
const full = await seen();
rmSync(ballast);
isRoomMade = true;
await host.resume(run);
const later = await seen();
await host.shutdown();
await workspaces.close();
process.stdout.write(JSON.stringify({ full, later }));
