// A process that starts the pattern `judge` on the disk, and kills itself before the given write.
import { flushCompileCache } from 'node:module';
import type { Batch, Journal } from '../../src/journal/port.ts';
import { judgeOnDisk } from './judge-on-disk.ts';

// A killed process leaves compiled code to the next one only if it is written at once.
flushCompileCache();

const [home = '', project = '', killAt = 'never'] = process.argv.slice(2);
/** What each write so far recorded. */
const writes: string[] = [];

const killing = (journal: Journal): Journal =>
  new Proxy(journal, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return (...given: readonly unknown[]): unknown => {
        if (key === 'append' || key === 'create') writes.push(kindsOf(given));
        if (writes.length === Number(killAt)) process.kill(process.pid, 'SIGKILL');
        return Reflect.apply(value, target, given);
      };
    },
  });

const kindsOf = (given: readonly unknown[]): string =>
  (given as readonly Partial<Batch>[]).flatMap(({ records = [] }) => records.map(({ fact }) => fact.kind)).join(' ');

const end = await judgeOnDisk({ home, project }, { isResumed: false, wrap: killing });
process.stdout.write(JSON.stringify({ ...end, writes }));
