import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import { runId } from '../../src/core/model/ids.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import type { RunRest } from '../../src/host/port.ts';
import { testWorld } from '../../src/host/testing/test-world.ts';
import type { Journal } from '../../src/journal/port.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { chooseSandbox } from '../../src/sandbox/find-sandbox.ts';
import { knownSandbox } from '../../src/sandbox/testing/known-sandbox.ts';
import { allTools } from '../../src/tools/all-tools.ts';
import { createShell } from '../../src/tools/shell.ts';
import { createWorkspaces } from '../../src/workspace/workspaces.ts';
import { patternDefinition } from './pattern-definition.ts';
import { picks, writesThenSays } from './replies.ts';

export interface Place {
  readonly home: string;
  readonly project: string;
}

const RUN = runId('killed');

/** The pattern `judge` with two candidates, started or resumed on the disk; every call is written into the file `calls`. */
export async function judgeOnDisk(
  { home, project }: Place,
  how: { readonly isResumed: boolean; readonly wrap: (journal: Journal) => Journal },
): Promise<Pick<RunRest, 'outcome' | 'output'>> {
  const journal = await openSqliteJournal({ home });
  const workspaces = createWorkspaces({ home });
  const sandbox = chooseSandbox(await knownSandbox(join(home, 'sandbox')), null);
  const base = testWorld({
    journal: how.wrap(journal),
    answer: (request) => answer(request, home),
    tools: allTools,
    workspaces,
    shell: createShell({ sandbox: () => Promise.resolve(sandbox), hidden: [home], environment: process.env }),
    owner: `${process.pid}/judge`,
  });
  const host = createEmbeddedHost({ ...base, sandbox: () => Promise.resolve(sandbox.level) });
  if (how.isResumed) await host.resume(RUN);
  else {
    const input = { task: 'Make it', models: ['a', 'b'] };
    await host.start({ definition: await patternDefinition('judge'), input, project, run: RUN });
  }
  const { outcome, output } = await host.rest(RUN);
  await host.shutdown();
  await workspaces.close();
  await journal.close();
  return { outcome, output };
}

/** Depends on the request alone, so that a run that was killed and resumed hears the same. */
function answer({ role, call, idempotencyKey }: CallRequest, home: string): CallReply {
  appendFileSync(join(home, 'calls'), `${idempotencyKey}\n`);
  return role.name === 'judge' ? picks('candidate_2') : writesThenSays({ call }, 'made.txt', `${role.level}\n`);
}
