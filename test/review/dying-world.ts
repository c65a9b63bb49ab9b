import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../../src/host/world.ts';
import { testWorld } from '../../src/host/testing/test-world.ts';
import type { Journal } from '../../src/journal/port.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { chooseSandbox } from '../../src/sandbox/find-sandbox.ts';
import { knownSandbox } from '../../src/sandbox/testing/known-sandbox.ts';
import { allTools } from '../../src/tools/all-tools.ts';
import { createShell } from '../../src/tools/shell.ts';
import { createWorkspaces } from '../../src/workspace/workspaces.ts';
import type { Part } from './cast.ts';

interface Dying {
  readonly home: string;
  /** `asked:STATE:VISIT` in a call; `before:` or `after:` the write that takes the run into a state for the nth time; empty: never. */
  readonly diesAt: string;
  readonly cast: Readonly<Record<string, Part>>;
}

interface DyingWorld {
  readonly world: World;
  readonly journal: Journal;
  readonly close: () => Promise<void>;
}

/** All on the disk, in a process that kills itself at a given place. */
export async function dyingWorld({ home, diesAt, cast }: Dying): Promise<DyingWorld> {
  const [moment = '', state = '', visit = ''] = diesAt.split(':');
  const journal = await openSqliteJournal({ home });
  const workspaces = createWorkspaces({ home });
  const sandbox = chooseSandbox(await knownSandbox(join(home, 'sandbox')), null);
  const world = testWorld({
    journal: killing(journal, { moment, state, visit: Number(visit) }),
    answer(request) {
      appendFileSync(join(home, 'calls'), `${request.idempotencyKey}\n`);
      if (moment === 'asked' && request.state === state && request.visit === Number(visit)) die();
      const said = cast[request.agent]?.(request);
      if (said === undefined || said === 'hang') throw new Error(`Nobody plays ${request.agent}.`);
      return said;
    },
    tools: allTools,
    workspaces,
    shell: createShell({ sandbox: () => Promise.resolve(sandbox), hidden: [home], environment: process.env }),
    owner: `${process.pid}/driver`,
  });
  return {
    world: {
      ...world,
      sandbox: () => Promise.resolve(sandbox.level),
      hasOverlay: () => Promise.resolve(sandbox.hasOverlay),
    },
    journal,
    async close() {
      await workspaces.close();
      await journal.close();
    },
  };
}

const die = (): void => void process.kill(process.pid, 'SIGKILL');

interface Moment {
  readonly moment: string;
  readonly state: string;
  readonly visit: number;
}

function killing(journal: Journal, { moment, state, visit }: Moment): Journal {
  let entered = 0;
  const append: Journal['append'] = async (...given) => {
    const isThere = JSON.stringify(given).includes(`"kind":"state.entered","state":"${state}"`);
    if (isThere) entered += 1;
    const isNow = isThere && entered === visit;
    if (isNow && moment === 'before') die();
    const written = await journal.append(...given);
    if (isNow && moment === 'after') die();
    return written;
  };
  return new Proxy(journal, {
    get(target, key) {
      if (key === 'append') return append;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
