import { createScriptedActor } from '../../src/actors/scripted/scripted-actor.ts';
import { SILENCE } from '../../src/actors/scripted/rule.ts';
import { foldRecords } from '../../src/core/fold/fold.ts';
import type { RunId } from '../../src/core/model/ids.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { report, settings } from '../harness/report.ts';
import { slotsDefinition } from './slots-team.ts';
import { benchHost, expectSettled } from './world.ts';

/**
 * A pool of trivial child runs on four slots, with the journal in memory: what the engine itself spends on a unit.
 * Alone: node bench/jobs/pool.ts '{"units":2000}'
 */
const { units } = settings() as { units: number };
const SLOTS = 4;
const FOLDS = 5;

const steps = [{ ...SILENCE, text: 'Done.' }];
const actor = createScriptedActor({ rules: [{ when: {}, times: null, answer: { kind: 'steps', steps } }] });
const journal = createMemoryJournal();
const host = benchHost(journal, actor);

// Once in small, so that nothing is loaded in the measured time.
await play(SLOTS);
const start = performance.now();
const run = await play(units);
const wholeMs = performance.now() - start;
const records = await journal.read(run);
const foldStart = performance.now();
for (let time = 0; time < FOLDS; time += 1) foldRecords(records);
const foldMs = (performance.now() - foldStart) / FOLDS;
await host.shutdown();
report({ unitUs: (wholeMs * 1000) / units, foldUnitUs: (foldMs * 1000) / units });

async function play(count: number): Promise<RunId> {
  const definition = slotsDefinition({ slots: SLOTS, own: false, role: { includedTools: [] }, units: count });
  const begun = await host.start({ definition, input: {}, project: '.' });
  expectSettled(await host.rest(begun));
  return begun;
}
