import { createScriptedActor } from '../../src/actors/scripted/scripted-actor.ts';
import { SILENCE } from '../../src/actors/scripted/rule.ts';
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

const steps = [{ ...SILENCE, text: 'Done.' }];
const actor = createScriptedActor({ rules: [{ when: {}, times: null, answer: { kind: 'steps', steps } }] });
const journal = createMemoryJournal();
const host = benchHost(journal, actor);

// Once in small, so that nothing is loaded in the measured time.
await play(SLOTS);
const start = performance.now();
await play(units);
const wholeMs = performance.now() - start;
await host.shutdown();
report({ unitUs: (wholeMs * 1000) / units });

async function play(count: number): Promise<void> {
  const definition = slotsDefinition({ slots: SLOTS, own: false, role: { includedTools: [] }, units: count });
  const begun = await host.start({ definition, input: {}, project: '.' });
  expectSettled(await host.rest(begun));
}
