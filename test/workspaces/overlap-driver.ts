// A process that drives units which change the same file, and kills itself when the second of them would read about it.
import type { CallRequest } from '../../src/actors/port.ts';
import { runId } from '../../src/core/model/ids.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import { testWorld } from '../../src/host/testing/test-world.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { allTools } from '../../src/tools/all-tools.ts';
import { createWorkspaces } from '../../src/workspace/workspaces.ts';
import { unitEdits, unitsThatMerge } from './overlap-runs.ts';

function answer(request: CallRequest) {
  const isReported = request.messages.some(({ content }) => content.includes('Other agents have changed'));
  if (isReported) process.kill(process.pid, 'SIGKILL');
  return unitEdits(request);
}

const [home = '', project = ''] = process.argv.slice(2);
const journal = await openSqliteJournal({ home });
const workspaces = createWorkspaces({ home });
const host = createEmbeddedHost(
  testWorld({ journal, answer, tools: allTools, workspaces, owner: `${process.pid}/driver` }),
);
const run = runId('killed');
await host.start({ definition: unitsThatMerge({ reportsOverlap: true }), input: {}, project, run });
await host.rest(run);
console.error('Both units were answered, and none of them was told.');
process.exit(1);
