import { peakMemoryMb, report, settings } from '../../harness/report.ts';
import { timedRuns } from '../../harness/timed.ts';
import { expectTurns, loopModel } from '../../workload.ts';
import { configOf, loopGraph } from './langgraph-loop.mjs';

/** LangGraph without a checkpointer. */
const { turns } = settings();

async function run() {
  const end = await loopGraph(loopModel(turns)).invoke({}, configOf(turns));
  expectTurns(end.history.length, turns);
}

report({ ...(await timedRuns(turns, run)), memoryMb: peakMemoryMb() });
