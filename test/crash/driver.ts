/** A process to be killed: drives one run on SQLite and kills itself before or after the given write. */
import { flushCompileCache } from 'node:module';
import type { Batch, Journal } from '../../src/journal/port.ts';
import { driveOnDisk } from './drive-on-disk.ts';

// A killed process leaves compiled code to the next one only if it is written at once.
flushCompileCache();

const [home = '', killAt = '0', when = 'before'] = process.argv.slice(2);
/** What each write so far recorded. */
const writes: string[] = [];

const killing = (journal: Journal): Journal =>
  new Proxy(journal, {
    get(target, key) {
      if (key === 'append')
        return (...given: Parameters<Journal['append']>) => dyingAround(given[1], () => journal.append(...given));
      if (key === 'create')
        return (...given: Parameters<Journal['create']>) => dyingAround(given[2], () => journal.create(...given));
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

async function dyingAround<T>(batch: Batch | undefined, write: () => Promise<T>): Promise<T> {
  writes.push((batch?.records ?? []).map(({ fact }) => fact.kind).join(' '));
  if (writes.length === Number(killAt) && when === 'before') process.kill(process.pid, 'SIGKILL');
  const written = await write();
  if (writes.length === Number(killAt) && when === 'after') process.kill(process.pid, 'SIGKILL');
  return written;
}

const end = await driveOnDisk(home, { isResumed: false, wrap: killing });
process.stdout.write(JSON.stringify({ ...end, writes }));
