// Records the golden journals of units that share a limit: `node test/golden/record-shared.ts`. For a new release.
import { runId } from '../../src/core/model/ids.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import { sharingLimit, slowModel } from '../../src/host/testing/sharing-limit.ts';
import { testWorld } from '../../src/host/testing/test-world.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { tickingClock, VERSION, writeGolden } from './recording.ts';

const journal = createMemoryJournal();
const world = testWorld({ journal, answer: slowModel(journal), clock: tickingClock() });
const host = createEmbeddedHost({ ...world, engine: VERSION });
const run = runId('shared');
await host.start({ definition: sharingLimit({ tokens: 150 }), input: {}, project: '/project', run });
await host.rest(run);
await host.raise(run, 'tokens', 1000, 'ann');
await host.rest(run);
await host.shutdown();
await writeGolden(journal, run);
await writeGolden(journal, runId('shared/t2'), { name: 'shared-below' });
