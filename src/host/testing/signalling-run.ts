import { onTestFinished } from 'vitest';
import type { Actor } from '../../actors/port.ts';
import { signalTool } from '../../core/signal.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import { testProject } from '../../workspace/test-project.ts';
import { createWorkspaces } from '../../workspace/workspaces.ts';
import { testOffice } from '../desk/testing/desk-bench.ts';
import { createEmbeddedHost } from '../embedded/embedded-host.ts';
import { build, end, expression, to, turn, work } from './build-definition.ts';
import { CLIENT_TRAITS } from './stopping-client.ts';
import { says, testWorld } from './test-world.ts';

/** A run of one client that owes `promised.txt` and a signal, with a real desk and a real workspace. */
export async function signallingRun(call: Actor['call']) {
  const { project, home } = testProject({ 'a.txt': 'a\n' });
  const office = await testOffice();
  const journal = createMemoryJournal();
  const world = testWorld({
    journal,
    client: CLIENT_TRAITS,
    answer: () => says(''),
    call,
    workspaces: createWorkspaces({ home }),
    clients: { desks: () => Promise.resolve(office) },
  });
  const host = createEmbeddedHost(world);
  onTestFinished(() => host.shutdown());
  const signals = ['complete'] as const;
  const owed = { step: expression("'s1'"), evidence: { files: expression("['promised.txt']") } };
  const definition = build({
    roles: { coder: { signals, parsingTools: [signalTool({ signals })] } },
    states: [work('code', { ...turn('coder', "'go'"), ...owed }, [to('stop')]), end('stop')],
  });
  const run = await host.start({ definition, input: {}, project });
  return { run, host, world, facts: async () => (await journal.read(run)).map(({ fact }) => fact) };
}
