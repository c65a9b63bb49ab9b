import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalRecord } from '../../src/core/record/fact.ts';
import type { RunId } from '../../src/core/model/ids.ts';
import { report, settings } from '../harness/report.ts';
import { meanTime, wholeTime } from '../harness/whole-time.ts';
import type { ProcessTime } from '../harness/process-time.ts';
import { doAlone, verifyAlone, type Deeds } from './review-alone.ts';
import { reviewHost } from './review-host.ts';
import { makeReviewProject } from './review-project.ts';
import { CRITICAL_CALLS, CRITICAL_COMMANDS, reviewActor, reviewDefinition } from './review-team.ts';
import { expectSettled } from './world.ts';

/** One reviewed run at a time. Without a model's delay what it costs stands beside the same writes, git and commands by hand. */
const { folder, rounds, modelMs } = settings() as { folder: string; rounds: number; modelMs: number };
const project = makeReviewProject(folder);
const { host, journal, shell, close } = await reviewHost(join(folder, 'home'), reviewActor(modelMs));
const definition = await reviewDefinition();
let last: RunId | null = null;

async function whole(): Promise<void> {
  last = await host.start({ definition, input: { task: 'Make the feature.' }, project });
  expectSettled(await host.rest(last));
}

// Once before, so that nothing is loaded in the measured time.
await whole();
const deeds = await deedsOf(last);
const runs: ProcessTime[] = [];
const alone: ProcessTime[] = [];
const commands: ProcessTime[] = [];
for (let round = 0; round < rounds; round += 1) {
  runs.push(await wholeTime(whole));
  // By itself, and in the same minute: what else the machine does counts for both.
  commands.push(await wholeTime(() => verifyAlone(shell, project)));
  if (modelMs > 0) continue;
  const place = join(folder, `alone-${round}`);
  mkdirSync(place);
  alone.push(await wholeTime(() => doAlone(deeds, { folder: place, project, shell })));
}
await close();
const { wallMs, cpuMs } = meanTime(runs);
const commandMs = meanTime(commands).wallMs;
const bare = alone.length === 0 ? { wallMs: 0, cpuMs: 0 } : meanTime(alone);
report({
  wallMs,
  cpuMs,
  aloneWallMs: bare.wallMs,
  aloneCpuMs: bare.cpuMs,
  commandMs,
  criticalMs: CRITICAL_CALLS * modelMs + CRITICAL_COMMANDS * commandMs,
  ...deeds,
});

/** What it did, as its journal tells. */
async function deedsOf(run: RunId | null): Promise<Deeds> {
  if (run === null) throw new Error('Nothing ran.');
  const records = await journal.read(run);
  const count = (kind: JournalRecord['fact']['kind']): number =>
    records.filter(({ fact }) => fact.kind === kind).length;
  const entered = (state: RegExp): number =>
    records.filter(({ fact }) => fact.kind === 'state.entered' && state.test(fact.state)).length;
  const packed = entered(/^pack$/);
  // All three at first, then the one that was revised; and once before, on the untouched project.
  const verified = entered(/^try_verify$/) + 3 + (entered(/^verify$/) - 1);
  const written = records.filter(({ fact }) => fact.kind === 'files.changed' && fact.toolCall !== undefined);
  const merges = entered(/^merge_/);
  return {
    transactions: new Set(records.map(({ at }) => at)).size,
    textBytes: JSON.stringify(records).length,
    made: count('workspace.made'),
    recorded: written.length,
    packed,
    diffs: 3 + (packed - 1),
    commands: verified + merges,
    merges,
  };
}
