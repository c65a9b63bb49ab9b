import type { Actor } from '../../src/actors/port.ts';
import type { Failure } from '../../src/core/model/outcome.ts';
import type { Journal } from '../../src/journal/port.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { report, settings } from '../harness/report.ts';
import { IMPLEMENTERS, MODEL_MS, REVIEWERS } from '../workload.ts';
import { reportFanout, runsInAll, slowModel } from './fanout-measure.ts';
import { fanoutDefinition } from './fanout-team.ts';
import { answer } from './team.ts';
import { benchHost, expectSettled } from './world.ts';

/** Troupe's own pool of agents, in memory or durable, in this process or over HTTP. Tells how much it appended, for the bare loop to do the same. */
const { runs, folder, port } = settings() as { runs: number; folder?: string; port?: number };

const definition = fanoutDefinition();
let calls = 0;
/** How often which failure was answered: only a lost connection is expected in the crowd. */
const failures: Record<string, number> = {};
const inProcess: Actor = {
  kind: 'bench',
  call: async ({ agent }) => answer(await slowModel(agent, MODEL_MS), []),
};
const model = port === undefined ? inProcess : await overHttp(port);
const actor: Actor = {
  kind: model.kind,
  async call(request, options) {
    calls += 1;
    const reply = await model.call(request, options);
    if (reply.kind === 'failed') failures[codeOf(reply.failure)] = (failures[codeOf(reply.failure)] ?? 0) + 1;
    return reply;
  },
};
const journal = folder === undefined ? createMemoryJournal() : await openSqliteJournal({ home: folder });
const appended = countAppends(journal);
const host = benchHost(journal, actor);

async function one(): Promise<void> {
  const run = await host.start({ definition, input: { task: 'Write a parser.' }, project: '/' });
  expectSettled(await host.rest(run));
}

const figures = await reportFanout(runs, one);
const expected = runsInAll(runs) * (IMPLEMENTERS.length + REVIEWERS.length);
// Over HTTP a connection may be lost in the crowd; then the engine calls again.
if (calls < expected || (port === undefined && calls > expected))
  throw new Error(`${calls} calls instead of ${expected}.`);
await host.shutdown();
await journal.close();
report({ ...figures, ...appended(), repeatedCalls: calls - expected, failures });

/** With the code of the system, which stands in brackets. */
function codeOf({ code, message }: Failure): string {
  const [, cause] = /\(([A-Z_]+)\)/.exec(message) ?? [];
  return cause === undefined ? code : `${code} ${cause}`;
}

async function overHttp(port: number): Promise<Actor> {
  const { createModelActor } = await import('../../src/actors/model/model-actor.ts');
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  return createModelActor({ name: 'base', provider: 'openai-compatible', baseUrl, model: 'bench' });
}

function countAppends(journal: Journal): () => { transactions: number; textBytes: number } {
  let transactions = 0;
  let textBytes = 0;
  let sample = 0;
  const append = journal.append.bind(journal);
  journal.append = (lease, batch) => {
    transactions += 1;
    // A sample is enough for the sizes, and costs next to nothing.
    if (transactions % 97 === 1) {
      sample += 1;
      textBytes += batch.records.reduce((sum, record) => sum + JSON.stringify(record.fact).length, 0);
    }
    return append(lease, batch);
  };
  const share = runs / runsInAll(runs);
  return () => ({
    transactions: Math.round(transactions * share),
    textBytes: Math.round((textBytes / sample) * transactions * share),
  });
}
