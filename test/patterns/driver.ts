// A process that starts the pattern `judge` on the disk, and kills itself before the given write.
import { flushCompileCache } from 'node:module';
import type { Journal } from '../../src/journal/port.ts';
import { judgeOnDisk } from './judge-on-disk.ts';

// A killed process leaves compiled code to the next one only if it is written at once.
flushCompileCache();

const [home = '', project = '', killAt = '0'] = process.argv.slice(2);
let writes = 0;

const killing = (journal: Journal): Journal =>
  new Proxy(journal, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return (...given: readonly unknown[]): unknown => {
        if (key === 'append' || key === 'create') writes += 1;
        if (writes === Number(killAt)) process.kill(process.pid, 'SIGKILL');
        return Reflect.apply(value, target, given);
      };
    },
  });

const end = await judgeOnDisk({ home, project }, { isResumed: false, wrap: killing });
process.stdout.write(JSON.stringify(end));
