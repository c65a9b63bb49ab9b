import { onTestFinished } from 'vitest';
import type { Actor } from '../../actors/port.ts';
import { signalTool } from '../../core/model/signal.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { Journal } from '../../journal/port.ts';
import { testProject } from '../../workspace/testing/test-project.ts';
import { createWorkspaces } from '../../workspace/workspaces.ts';
import { openDeskOffice } from '../desk/desk-office.ts';
import { testOffice } from '../desk/testing/desk-bench.ts';
import { createEmbeddedHost } from '../embedded/embedded-host.ts';
import { build, end, expression, to, turn, work } from './build-definition.ts';
import { CLIENT_TRAITS } from './stopping-client.ts';
import { says, testWorld } from './test-world.ts';

export interface SignallingOptions {
  readonly journal?: Journal;
  /** Where it works: a second host with the same one finds the files of the first. */
  readonly place?: ReturnType<typeof testProject>;
  /** Its process dies: nothing of it is shut down. */
  readonly dies?: true;
}

/** A run of one client that owes `promised.txt` and a signal, with a real desk and a real workspace. */
export async function signallingRun(call: Actor['call'], options: SignallingOptions = {}) {
  const { host, world, journal, place } = await signallingHost(call, options);
  const signals = ['complete'] as const;
  const owed = { step: expression("'s1'"), evidence: { files: expression("['promised.txt']") } };
  const definition = build({
    roles: { coder: { signals, parsingTools: [signalTool({ signals })] } },
    states: [work('code', { ...turn('coder', "'go'"), ...owed }, [to('stop')]), end('stop')],
  });
  const run = await host.start({ definition, input: {}, project: place.project });
  return { run, host, world, facts: async () => (await journal.read(run)).map(({ fact }) => fact) };
}

/** A host that drives such a run. */
export async function signallingHost(call: Actor['call'], options: SignallingOptions = {}) {
  const { journal = createMemoryJournal(), place = testProject({ 'a.txt': 'a\n' }) } = options;
  const office = options.dies === true ? await openDeskOffice() : await testOffice();
  const world = testWorld({
    journal,
    client: CLIENT_TRAITS,
    answer: () => says(''),
    call,
    workspaces: createWorkspaces({ home: place.home }),
    clients: { desks: () => Promise.resolve(office) },
  });
  const host = createEmbeddedHost(world);
  if (options.dies !== true) onTestFinished(() => host.shutdown());
  return { host, world, journal, place };
}
