import { join } from 'node:path';
import { createScriptedActor } from '../../src/actors/scripted/scripted-actor.ts';
import { SILENCE, type Say } from '../../src/actors/scripted/rule.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { allTools } from '../../src/tools/all-tools.ts';
import { report, settings } from '../harness/report.ts';
import { placed, type Place } from './slots-place.ts';
import { slotsDefinition } from './slots-team.ts';
import { benchHost, expectSettled } from './world.ts';

/**
 * Many units on a few slots, each a run of its own with an agent that thinks for a while. On files of its own it writes one
 * first, so that there is a workspace to be made and something to be kept.
 */
const { folder, units, slots, agentMs, place } = settings() as {
  folder: string;
  units: number;
  slots: number;
  agentMs: number;
  place: Place;
};

const writes = place !== 'folder';
const last: Say = { ...SILENCE, text: 'Done.', delayMs: agentMs };
const tools = [{ name: 'write_file', arguments: { path: 'note.txt', content: 'done\n' }, raw: null }];
const actor = createScriptedActor({
  rules: [{ when: {}, times: null, answer: { kind: 'steps', steps: writes ? [{ ...SILENCE, tools }, last] : [last] } }],
});
const { project, workspaces } = placed(folder, place);
const journal = await openSqliteJournal({ home: join(folder, 'journal') });
const host = benchHost(journal, actor, { workspaces, tools: writes ? allTools : [] });
const team = { slots, own: place === 'own', role: { includedTools: writes ? ['write_file'] : [] } };

// Once in small, so that nothing is loaded in the measured time.
await wall(slots);
const cpu = process.cpuUsage();
const wallMs = await wall(units);
const { user, system } = process.cpuUsage(cpu);
await host.shutdown();
await workspaces.close();
await journal.close();
const idealMs = Math.ceil(units / slots) * agentMs;
report({ wallMs, idealMs, ratio: wallMs / idealMs, cpuMs: (user + system) / 1000 });

async function wall(count: number): Promise<number> {
  const definition = slotsDefinition({ ...team, units: count });
  const start = performance.now();
  const run = await host.start({ definition, input: {}, project });
  expectSettled(await host.rest(run));
  return performance.now() - start;
}
