import { createStep, createWorkflow } from '@mastra/core/workflows';
import { z } from 'zod';

const said = z.object({ author: z.string(), content: z.string() });
const state = z.object({ history: z.array(said) });
const round = z.object({ improvement_needed: z.boolean() });

/** The coder/reviewer loop as a Mastra workflow: a round of two steps, done until the reviewer is content. */
export function loopWorkflow(model) {
  const coder = createStep({
    id: 'coder',
    inputSchema: round,
    outputSchema: round,
    stateSchema: state,
    execute: async (step) => {
      const { history } = step.state;
      const content = await model.coder(history);
      await step.setState({ history: [...history, { author: 'coder', content }] });
      return step.inputData;
    },
  });
  const reviewer = createStep({
    id: 'reviewer',
    inputSchema: round,
    outputSchema: round,
    stateSchema: state,
    execute: async (step) => {
      const { history } = step.state;
      const { text, verdict } = await model.reviewer(history);
      await step.setState({ history: [...history, { author: 'reviewer', content: text }] });
      return { improvement_needed: verdict.improvement_needed };
    },
  });
  const rounds = createWorkflow({ id: 'round', inputSchema: round, outputSchema: round, stateSchema: state })
    .then(coder)
    .then(reviewer)
    .commit();
  return createWorkflow({
    id: 'coder_reviewer',
    inputSchema: round,
    outputSchema: round,
    stateSchema: state,
  })
    .dountil(rounds, async ({ inputData }) => !inputData.improvement_needed)
    .commit();
}

export async function runLoop(workflow) {
  const run = await workflow.createRun();
  const result = await run.start({
    inputData: { improvement_needed: true },
    initialState: { history: [] },
    outputOptions: { includeState: true },
  });
  if (result.status !== 'success') throw new Error(`Mastra ended with ${result.status}: ${result.error?.message}`);
  return result.state?.history.length;
}
