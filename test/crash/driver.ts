/** A process to be killed: drives one run on SQLite and kills itself at the given append, before or after the write. */
import { appendFileSync } from 'node:fs';
import { runId } from '../../src/core/ids.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import { coderReviewer, coderReviewerAnswer, noteTool } from '../../src/host/testing/coder-reviewer.ts';
import { testWorld } from '../../src/host/testing/test-world.ts';
import type { Journal } from '../../src/journal/port.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';

const [home = '', mode = 'start', killAt = '0', when = 'before'] = process.argv.slice(2);
const RUN = runId('killed');
let appends = 0;

const journal = await openSqliteJournal({ home });
const killing = new Proxy(journal, {
  get(target, key) {
    if (key === 'append') return append;
    const value: unknown = Reflect.get(target, key);
    return typeof value === 'function' ? value.bind(target) : value;
  },
});

async function append(...parameters: Parameters<Journal['append']>): Promise<void> {
  appends += 1;
  if (appends === Number(killAt) && when === 'before') process.kill(process.pid, 'SIGKILL');
  await journal.append(...parameters);
  if (appends === Number(killAt) && when === 'after') process.kill(process.pid, 'SIGKILL');
}

const notes = new Proxy<string[]>([], {
  get: (target, key) =>
    key === 'push' ? (note: string) => appendFileSync(`${home}/notes`, `${note}\n`) : Reflect.get(target, key),
});
const world = testWorld({
  journal: killing,
  tools: [noteTool(notes)],
  answer(request) {
    appendFileSync(`${home}/calls`, `${request.idempotencyKey}\n`);
    return coderReviewerAnswer(request);
  },
});
const host = createEmbeddedHost(world);
if (mode === 'resume') await host.resume(RUN);
else await host.start({ definition: coderReviewer(), input: {}, run: RUN, project: '.' });
const rest = await host.rest(RUN);
process.stdout.write(JSON.stringify({ outcome: rest.outcome, output: rest.output, appends }));
await host.shutdown();
await journal.close();
