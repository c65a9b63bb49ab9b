import { report, peakMemoryMb, settings } from '../harness/report.ts';
import { timedRuns } from '../harness/timed.ts';
import { expectTurns, loopModel, type Said } from '../workload.ts';

/** The loop by hand: plain promises and an array. */
const { turns } = settings() as { turns: number };

async function run(): Promise<void> {
  const model = loopModel(turns);
  const history: Said[] = [];
  for (;;) {
    history.push({ author: 'coder', content: await model.coder(history) });
    const { text, verdict } = await model.reviewer(history);
    history.push({ author: 'reviewer', content: text });
    if (!verdict.improvement_needed) break;
  }
  expectTurns(history.length, turns);
}

report({ ...(await timedRuns(turns, run)), memoryMb: peakMemoryMb() });
