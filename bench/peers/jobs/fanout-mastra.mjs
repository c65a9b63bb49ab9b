import { createStep, createWorkflow } from '@mastra/core/workflows';
import { z } from 'zod';
import { reportFanout, slowModel } from '../../jobs/fanout-measure.ts';
import { report, settings } from '../../harness/report.ts';
import { decide, IMPLEMENTERS, MODEL_MS, REVIEWERS } from '../../workload.ts';

/** Two blocks of parallel steps and a step that decides. */
const { runs } = settings();

const agent = (who) =>
  createStep({
    id: who,
    inputSchema: z.any(),
    outputSchema: z.string(),
    execute: () => slowModel(who, MODEL_MS),
  });

const workflow = createWorkflow({ id: 'fan_out', inputSchema: z.any(), outputSchema: z.string() })
  .parallel(IMPLEMENTERS.map(agent))
  .parallel(REVIEWERS.map(agent))
  .then(
    createStep({
      id: 'decide',
      inputSchema: z.any(),
      outputSchema: z.string(),
      execute: async (step) =>
        decide(
          IMPLEMENTERS.map((who) => step.getStepResult(who)),
          Object.values(step.inputData),
        ),
    }),
  )
  .commit();

async function one() {
  const run = await workflow.createRun();
  const result = await run.start({ inputData: {} });
  if (!result.result?.startsWith('3 2 ')) throw new Error(`An answer is missing: ${result.status}`);
}

report(await reportFanout(runs, one));
