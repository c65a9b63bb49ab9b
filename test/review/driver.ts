// A process that drives the review of bech32 on the disk and says how it came out; it kills itself at a given place.
import { runId } from '../../src/core/model/ids.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import { CAST } from './cast.ts';
import { dyingWorld } from './dying-world.ts';
import { definitionOf, reviewFile, TASK } from './review-file.ts';
import { reviewStateIn } from '../../src/formats/review/views/review-state-in.ts';

const [home = '', project = '', order = '', diesAt = ''] = process.argv.slice(2);
const { world, close } = await dyingWorld({ home, diesAt, cast: CAST });
const host = createEmbeddedHost(world);
const run = runId('killed');
if (order === 'start') {
  const definition = await definitionOf(reviewFile({ verify: 'grep -q lastIndexOf src/bech32.ts' }));
  await host.start({ definition, input: { task: TASK }, project, run });
} else await host.resume(run);
const { outcome, failure } = await host.rest(run);
const { data } = await host.snapshot(run);
await host.shutdown();
await close();
console.log(JSON.stringify({ outcome, failure, ledger: reviewStateIn(data)?.ledger ?? null }));
