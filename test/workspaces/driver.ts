// A process that drives one run on the disk and says how it came out; tests kill it.
import { join } from 'node:path';
import type { CallRequest } from '../../src/actors/port.ts';
import { runId } from '../../src/core/model/ids.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import { build, end, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says, testWorld } from '../../src/host/testing/test-world.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { chooseSandbox } from '../../src/sandbox/find-sandbox.ts';
import { knownSandbox } from '../../src/sandbox/testing/known-sandbox.ts';
import { allTools } from '../../src/tools/all-tools.ts';
import { createShell } from '../../src/tools/shell.ts';
import { createWorkspaces } from '../../src/workspace/workspaces.ts';

/** Leaves a trace when it finds what an earlier try of it has written. */
const COMMAND =
  'if [ -e half.txt ]; then echo found > dirty.txt; fi; echo half > half.txt; echo x >> notes.txt; sleep 1.5; echo whole > half.txt';

function answer({ call }: CallRequest) {
  if (call === 1) return says('', [{ id: 'w', name: 'write_file', arguments: { path: 'first.txt', content: 'kept' } }]);
  if (call === 2) return says('', [{ id: 'c', name: 'execute_terminal', arguments: { command: COMMAND } }]);
  return says('finished');
}

const [home = '', project = '', order = ''] = process.argv.slice(2);
const journal = await openSqliteJournal({ home });
const workspaces = createWorkspaces({ home });
const sandbox = chooseSandbox(await knownSandbox(join(home, 'sandbox')), null);
const world = {
  ...testWorld({
    journal,
    answer,
    tools: allTools,
    workspaces,
    shell: createShell({ sandbox: () => Promise.resolve(sandbox), hidden: [home], environment: process.env }),
    owner: `${process.pid}/driver`,
  }),
  sandbox: () => Promise.resolve(sandbox.level),
};
const host = createEmbeddedHost(world);
const run = runId('killed');
if (order === 'start') {
  const definition = build({
    roles: { coder: {} },
    states: [work('start', turn('coder', "'go'"), [to('stop')]), end('stop')],
  });
  await host.start({ definition, input: {}, project, run });
} else await host.resume(run);
const { outcome } = await host.rest(run);
await host.shutdown();
await workspaces.close();
await journal.close();
console.log(JSON.stringify({ outcome }));
