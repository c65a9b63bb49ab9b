import { setTimeout as delay } from 'node:timers/promises';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { startScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import { openPostgresJournal } from '../../src/journal/postgres/postgres-journal.ts';
import { clusterProject } from '../harness/cluster-runs.ts';
import { report, settings } from '../harness/report.ts';
import { WorkerFleet } from '../harness/worker-fleet.ts';

/**
 * A quest whose steps need nothing of each other, on several workers, with a model that thinks for a while, beside the time that
 * thinking takes alone. Each step is written, looked at by another agent and merged.
 */
const { url, folder, workers, slots, steps, modelMs } = settings() as {
  url: string;
  folder: string;
  workers: number;
  slots: number;
  steps: number;
  modelMs: number;
};
/** Of Codeweaver, who writes a file and then says so, and of Siegemaster. */
const CALLS_OF_STEP = 3;
/** Of ChaosWhisperer, PathSeeker and Lawbringer, each for the whole quest. */
const CALLS_ALONE = 3;

const journal = await openPostgresJournal({ address: url });
const names = Array.from({ length: steps }, (_, index) => `part${index}`);
const scenario = parseScenario({ rules: rules() });
if (scenario.kind !== 'parsed') throw new Error(JSON.stringify(scenario.problems));
const model = await startScriptedServer({ scenario: scenario.scenario });
const project = clusterProject(folder, { journal: url, model: `http://127.0.0.1:${model.port}` });
const fleet = new WorkerFleet({ folder, slots });
for (let count = 0; count < workers; count += 1) await fleet.start();
// Once before, so that every worker has made its first workspace.
await wallOf('Build a house');
const { wallMs, drivers, calls } = await wallOf('Build another house');
await fleet.close();
await journal.close();
await model.close();
const rounds = Math.ceil(steps / (workers * slots));
const idealMs = (CALLS_ALONE + rounds * CALLS_OF_STEP) * modelMs;
report({ wallMs, idealMs, ratio: wallMs / idealMs, drivers, calls });

/** From the first record of a worker to the last one of the quest. */
async function wallOf(request: string) {
  const run = await project.begin('quest', 'new', request, '--slots', String(workers * slots));
  while ((await journal.run(run))?.status !== 'settled') await delay(50);
  const records = await journal.tree(run, 0);
  const taken = records.filter(({ fact }) => fact.kind === 'run.resumed');
  const begun = taken.find(({ run: id }) => id === run)?.at ?? Number.NaN;
  const asked = new Set(taken.flatMap(({ fact }) => (fact.kind === 'run.resumed' ? (fact.worker ?? []) : [])));
  const calls = records.filter(({ fact }) => fact.kind === 'call.answered').length;
  if (calls !== CALLS_ALONE + steps * CALLS_OF_STEP) throw new Error(`The quest took ${calls} calls.`);
  return { wallMs: (records.at(-1)?.at ?? Number.NaN) - begun, drivers: asked.size, calls };
}

function rules(): readonly object[] {
  const plan = {
    steps: names.map((id) => ({
      id,
      title: `Make ${id}`,
      files: [`${id}.txt`],
      after: [],
      acceptance: ['it is there'],
    })),
  };
  const requirements = { requirements: ['It is built.'], contexts: ['A field.'], observables: ['It can be seen.'] };
  return [
    { when: { role: 'chaoswhisperer' }, reply: tool('set_requirements', requirements) },
    { when: { role: 'pathseeker' }, reply: tool('plan_steps', plan) },
    ...names.map((id) => ({
      when: { role: 'codeweaver', contains: `is "${id}": Make` },
      steps: [tool('write_file', { path: `${id}.txt`, content: `${id}\n` }), done(id)],
    })),
    ...names.map((id) => ({ when: { role: 'siegemaster', contains: `is "${id}": Make` }, reply: done(id) })),
    { when: { role: 'lawbringer' }, reply: done('review') },
  ];
}

function done(stepId: string): object {
  return tool('signal_back', { stepId, signal: 'complete', summary: `did ${stepId}` });
}

function tool(name: string, given: object): object {
  return { tools: [{ name, arguments: given }], delay_ms: modelMs };
}
