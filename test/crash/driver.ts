/** A process to be killed: drives one run on SQLite and kills itself before or after the given write. */
import { appendFileSync } from 'node:fs';
import { runId } from '../../src/core/model/ids.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import { coderReviewer, coderReviewerAnswer, noteTool } from '../../src/host/testing/coder-reviewer.ts';
import { testWorld } from '../../src/host/testing/test-world.ts';
import type { Journal } from '../../src/journal/port.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';

const [home = '', mode = 'start', killAt = '0', when = 'before'] = process.argv.slice(2);
const RUN = runId('killed');
let writes = 0;

const journal = await openSqliteJournal({ home });
const killing = new Proxy(journal, {
  get(target, key) {
    if (key === 'append')
      return (...given: Parameters<Journal['append']>) => dyingAround(() => journal.append(...given));
    if (key === 'create')
      return (...given: Parameters<Journal['create']>) => dyingAround(() => journal.create(...given));
    const value: unknown = Reflect.get(target, key);
    return typeof value === 'function' ? value.bind(target) : value;
  },
});

async function dyingAround<T>(write: () => Promise<T>): Promise<T> {
  writes += 1;
  if (writes === Number(killAt) && when === 'before') process.kill(process.pid, 'SIGKILL');
  const written = await write();
  if (writes === Number(killAt) && when === 'after') process.kill(process.pid, 'SIGKILL');
  return written;
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
process.stdout.write(JSON.stringify({ outcome: rest.outcome, output: rest.output, writes }));
await host.shutdown();
await journal.close();
