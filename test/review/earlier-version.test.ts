import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Definition } from '../../src/core/role.ts';
import type { Workflow } from '../../src/core/workflow.ts';
import { carefulImplementer } from './implementer-mind.ts';
import { ReviewBench } from './review-bench.ts';
import { definitionOf, reviewFile, TASK } from './review-file.ts';

const FILE = join(import.meta.dirname, '../golden/0.1.0-review.workflow.json');

const present = (): Promise<Definition> => definitionOf(reviewFile({ verify: 'grep -q lastIndexOf src/bech32.ts' }));

/** As a run keeps it that began with an earlier version: its orders hold ledgers and packs, not their names. */
async function earlier(): Promise<Definition> {
  const workflow = JSON.parse(readFileSync(FILE, 'utf8')) as Workflow;
  return { ...(await present()), workflow };
}

async function begin(bench: ReviewBench, definition: Definition): Promise<void> {
  bench.run = await bench.host.start({ definition, input: { task: TASK }, project: bench.bench.project });
}

test('[L6] [RV21] a review that began with an earlier version comes to the same ledger with this one', async () => {
  const ledgers = [];
  for (const definition of [await earlier(), await present()]) {
    const bench = new ReviewBench();
    await begin(bench, definition);
    expect(await bench.host.rest(bench.run)).toMatchObject({ outcome: 'ok', output: { winner: 'impl_1' } });
    ledgers.push(await bench.ledger());
  }
  expect(ledgers[0]).toEqual(ledgers[1]);
}, 120_000);

test('[ST5] [PD6] one that takes the new definition in the middle of a revision has that revision verified and looked at', async () => {
  const revising = Promise.withResolvers<void>();
  let isStuck = true;
  const bench = new ReviewBench({
    impl_1(request) {
      if (request.state !== 'revise' || !isStuck) return carefulImplementer(request);
      revising.resolve();
      return 'hang';
    },
  });
  await begin(bench, await earlier());
  await revising.promise;
  await bench.host.shutdown();
  isStuck = false;
  const { host } = bench.bench.host();
  await host.redefine(bench.run, { definition: await present(), by: 'ann' });
  await host.resume(bench.run);
  expect(await host.rest(bench.run)).toMatchObject({ outcome: 'ok', output: { winner: 'impl_1' } });
  expect(await lookedAt(bench)).toEqual(['verify impl_1', 'touched impl_1', 'verify impl_1', 'touched impl_1']);
}, 120_000);

/** Whose work was verified and compared after the revisions. */
async function lookedAt(bench: ReviewBench): Promise<readonly string[]> {
  const found: string[] = [];
  let [state, isRevised] = ['', false];
  for (const fact of await bench.facts()) {
    if (fact.kind === 'state.entered') ({ state } = fact);
    isRevised ||= state === 'revised';
    if (!isRevised || !['verify', 'touched'].includes(state) || fact.kind !== 'units.added') continue;
    found.push(`${state} ${fact.units.map(({ id }) => id).join(' ')}`);
  }
  return found;
}
