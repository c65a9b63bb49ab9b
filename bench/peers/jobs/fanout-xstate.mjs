import { assign, createActor, fromPromise, setup, waitFor } from 'xstate';
import { reportFanout, slowModel } from '../../jobs/fanout-measure.ts';
import { report, settings } from '../../harness/report.ts';
import { decide, IMPLEMENTERS, MODEL_MS, REVIEWERS } from '../../workload.ts';

/** Parallel states, each invoking one agent; a parallel state is done when all its children are. */
const { runs } = settings();

const speak = (list, who) => ({
  initial: 'speaking',
  states: {
    speaking: {
      invoke: {
        src: 'agent',
        input: who,
        onDone: {
          target: 'done',
          actions: assign({ [list]: ({ context, event }) => [...context[list], event.output] }),
        },
      },
    },
    done: { type: 'final' },
  },
});

const together = (list, names, target) => ({
  type: 'parallel',
  states: Object.fromEntries(names.map((who) => [who, speak(list, who)])),
  onDone: target,
});

const machine = setup({
  actors: { agent: fromPromise(({ input }) => slowModel(input, MODEL_MS)) },
}).createMachine({
  context: { implementations: [], reviews: [], decision: '' },
  initial: 'implement',
  states: {
    implement: together('implementations', IMPLEMENTERS, 'review'),
    review: together('reviews', REVIEWERS, 'decide'),
    decide: {
      always: {
        target: 'end',
        actions: assign({ decision: ({ context }) => decide(context.implementations, context.reviews) }),
      },
    },
    end: { type: 'final' },
  },
});

async function one() {
  const actor = createActor(machine);
  actor.start();
  const { context } = await waitFor(actor, ({ status }) => status === 'done', { timeout: Number.POSITIVE_INFINITY });
  if (!context.decision.startsWith('3 2 ')) throw new Error('An answer is missing.');
}

report(await reportFanout(runs, one));
