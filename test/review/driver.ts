// A process that drives the review of bech32 on the disk and says how it came out; it kills itself where it is told to.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { runId } from '../../src/core/ids.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import { testWorld } from '../../src/host/testing/test-world.ts';
import type { Journal } from '../../src/journal/port.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { chooseSandbox } from '../../src/sandbox/choose-sandbox.ts';
import { knownSandbox } from '../../src/sandbox/testing/known-sandbox.ts';
import { allTools } from '../../src/tools/all-tools.ts';
import { createShell } from '../../src/tools/shell.ts';
import { createWorkspaces } from '../../src/workspace/workspaces.ts';
import { CAST } from './cast.ts';
import { definitionOf, reviewFile, TASK } from './review-file.ts';

const [home = '', project = '', order = '', diesAt = ''] = process.argv.slice(2);
const [moment = '', state = '', visit = ''] = diesAt.split(':');

const die = (): void => void process.kill(process.pid, 'SIGKILL');

const journal = await openSqliteJournal({ home });
let entered = 0;

/** Dies before or after the write that takes the run into a state for the nth time. */
async function writing<T>(given: unknown, write: () => Promise<T>): Promise<T> {
  const isThere = JSON.stringify(given).includes(`"kind":"state.entered","state":"${state}"`);
  if (isThere) entered += 1;
  const isNow = isThere && entered === Number(visit);
  if (isNow && moment === 'before') die();
  const written = await write();
  if (isNow && moment === 'after') die();
  return written;
}

const killing = new Proxy(journal, {
  get(target, key) {
    if (key === 'append') {
      return (...given: Parameters<Journal['append']>) => writing(given, () => journal.append(...given));
    }
    const value: unknown = Reflect.get(target, key);
    return typeof value === 'function' ? value.bind(target) : value;
  },
});

const workspaces = createWorkspaces({ home });
const sandbox = chooseSandbox(await knownSandbox(join(home, 'sandbox')), null);
const world = {
  ...testWorld({
    journal: killing,
    answer(request) {
      appendFileSync(join(home, 'calls'), `${request.idempotencyKey}\n`);
      if (moment === 'asked' && request.state === state && request.visit === Number(visit)) die();
      const said = CAST[request.agent]?.(request);
      if (said === undefined || said === 'hang') throw new Error(`Nobody plays ${request.agent}.`);
      return said;
    },
    tools: allTools,
    workspaces,
    shell: createShell({ sandbox: () => Promise.resolve(sandbox), hidden: [home], environment: process.env }),
    owner: `${process.pid}/driver`,
  }),
  sandbox: () => Promise.resolve(sandbox.level),
  hasOverlay: () => Promise.resolve(sandbox.hasOverlay),
};
const host = createEmbeddedHost(world);
const run = runId('killed');
if (order === 'start') {
  const definition = await definitionOf(reviewFile({ verify: 'grep -q lastIndexOf src/bech32.ts' }));
  await host.start({ definition, input: { task: TASK }, project, run });
} else await host.resume(run);
const { outcome, failure } = await host.rest(run);
const { data } = await host.snapshot(run);
await host.shutdown();
await workspaces.close();
await journal.close();
console.log(JSON.stringify({ outcome, failure, ledger: data['ledger'] ?? null }));
