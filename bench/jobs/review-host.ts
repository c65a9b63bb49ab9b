import { join } from 'node:path';
import type { Actor } from '../../src/actors/port.ts';
import type { Host } from '../../src/host/port.ts';
import type { Journal } from '../../src/journal/port.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { chooseSandbox, findSandbox } from '../../src/sandbox/find-sandbox.ts';
import { allTools } from '../../src/tools/all-tools.ts';
import { createShell, type Shell } from '../../src/tools/shell.ts';
import { createWorkspaces } from '../../src/workspace/workspaces.ts';
import { benchHost } from './world.ts';

/** Everything as the command line has it: journal, workspaces, sandbox and isolate; only the model is the bench's. */
export interface ReviewHost {
  readonly host: Host;
  readonly journal: Journal;
  readonly shell: Shell;
  readonly close: () => Promise<void>;
}

export async function reviewHost(home: string, actor: Actor): Promise<ReviewHost> {
  const journal = await openSqliteJournal({ home });
  const workspaces = createWorkspaces({ home });
  const sandbox = chooseSandbox(await findSandbox({ scratch: join(home, 'sandbox') }), null);
  const shell = createShell({ sandbox: () => Promise.resolve(sandbox), hidden: [home], environment: process.env });
  const host = benchHost(journal, actor, {
    workspaces,
    tools: allTools,
    shell,
    sandbox: () => Promise.resolve(sandbox.level),
    hasOverlay: () => Promise.resolve(sandbox.hasOverlay),
    isolate: async () => (await import('../../src/actors/script/isolate.ts')).createIsolate(),
  });
  return {
    host,
    journal,
    shell,
    close: async () => {
      await host.shutdown();
      await workspaces.close();
      await journal.close();
    },
  };
}
