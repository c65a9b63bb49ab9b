import { peakMemoryMb, report, settings } from '../../harness/report.ts';
import { timedRuns } from '../../harness/timed.ts';
import { expectTurns, loopModel } from '../../workload.ts';
import { loopWorkflow, runLoop } from './mastra-loop.mjs';

/** Mastra's workflow engine alone, without a store. */
const { turns } = settings();

async function run() {
  const model = loopModel(turns);
  const length = await runLoop(loopWorkflow(model));
  expectTurns(length ?? model.turns, turns);
}

report({ ...(await timedRuns(turns, run)), memoryMb: peakMemoryMb() });
