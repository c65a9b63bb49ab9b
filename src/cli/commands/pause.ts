import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import type { Journal } from '../../journal/port.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { withRun } from '../files/with-run.ts';
import { flag, textOption } from '../invocation.ts';
import { personName } from '../../app/runs/person-name.ts';
import type { Driving } from '../session/driving.ts';
import { untilConsumed } from '../../app/runs/inbox-wait.ts';
import { markPaused } from '../../app/runs/mark-paused.ts';

/** `troupe pause RUN`: what is under way comes to its end, nothing new starts, until somebody resumes the run. */
export async function pauseCommand(invocation: Invocation): Promise<number> {
  const { stdout, stderr } = invocation.terminal;
  return await withRun(invocation, async (driving, { run, status, outcome, driven }) => {
    if (status === 'settled') throw new Fault('RUN_SETTLED', `Run ${run} is already settled: ${outcome}.`);
    const isHeld = (await driving.host.snapshot(run)).held !== null;
    if (!isHeld) await (driven ? pauseElsewhere : pauseHere)(driving, run);
    if (flag(invocation, 'json')) stdout.write(`${JSON.stringify({ kind: 'run.paused', run })}\n`);
    else stderr.write(`${isHeld ? 'It is paused already' : 'Paused'}. Go on with: troupe resume ${run}\n`);
    return EXIT.ok;
  });
}

const reasonOf = (invocation: Invocation): string => textOption(invocation, 'reason') ?? 'paused on the command line';

async function pauseElsewhere(driving: Driving, run: RunId): Promise<void> {
  const { host, store, invocation } = driving;
  await host.pause(run, personName(), reasonOf(invocation));
  const isHeard = await untilConsumed(store.journal, await openRuns(store.journal, run));
  if (!isHeard) await pauseHere(driving, run);
}

/** Those at the bottom first: while one of them moves, its parent has something under way. */
async function pauseHere({ world, store, invocation }: Driving, run: RunId): Promise<void> {
  const by = { name: personName(), reason: reasonOf(invocation) };
  for (const one of (await openRuns(store.journal, run)).toReversed()) await markPaused(world, one, by);
}

async function openRuns(journal: Journal, root: RunId): Promise<readonly RunId[]> {
  const runs = [root];
  for (const run of runs) {
    const below = await journal.runs({ parent: run });
    runs.push(...below.filter(({ status }) => status !== 'settled').map((info) => info.run));
  }
  return runs;
}
