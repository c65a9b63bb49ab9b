import { report, settings } from '../harness/report.ts';
import { decide, IMPLEMENTERS, MODEL_MS, REVIEWERS } from '../workload.ts';
import { reportFanout, slowModel } from './fanout-measure.ts';

/** The fan-out by hand. */
const { runs } = settings() as { runs: number };

async function one(): Promise<void> {
  const implementations = await Promise.all(IMPLEMENTERS.map((who) => slowModel(who, MODEL_MS)));
  const reviews = await Promise.all(REVIEWERS.map((who) => slowModel(who, MODEL_MS)));
  if (!decide(implementations, reviews).startsWith('3 2 ')) throw new Error('An answer is missing.');
}

report({ ...(await reportFanout(runs, one)) });
