import type { Actor } from '../../src/actors/port.ts';
import { runId } from '../../src/core/model/ids.ts';
import { createFormats } from '../../src/formats/registry/programs.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import type { Host, RunRest } from '../../src/host/port.ts';
import type { World } from '../../src/host/world.ts';
import { systemClock } from '../../src/host/system-clock.ts';
import type { Journal } from '../../src/journal/port.ts';
import { folderOnly } from '../../src/workspace/testing/folder-only.ts';
// Loaded before the clock starts, as the peers load all of theirs; what loading costs is measured by the cold start.
import '../../src/tools/validate-arguments.ts';

let started = 0;

/** The real host on the given journal and actor; agents have no tools unless `more` says so, and nothing else is needed. */
export function benchHost(journal: Journal, actor: Actor, more: Partial<World> = {}): Host {
  return createEmbeddedHost({
    journal,
    clock: systemClock,
    newRunId: () => runId(`run-${process.pid}-${(started += 1)}`),
    owner: `bench-${process.pid}`,
    engine: 'bench',
    actorFor: () => Promise.resolve(actor),
    formats: createFormats({ home: '', tell: () => undefined }),
    tools: [],
    isolate: () => Promise.reject(new Error('The benchmark needs no isolate here.')),
    workspaces: folderOnly(() => Promise.resolve('.')),
    shell: () => Promise.reject(new Error('The benchmark runs no command.')),
    ...more,
  });
}

export function expectSettled(rest: RunRest): void {
  if (rest.outcome !== 'ok')
    throw new Error(`The run came out ${rest.status} ${rest.outcome}: ${rest.failure?.message}`);
}
