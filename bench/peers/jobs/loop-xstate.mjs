import { assign, createActor, fromPromise, setup, waitFor } from 'xstate';
import { peakMemoryMb, report, settings } from '../../harness/report.ts';
import { timedRuns } from '../../harness/timed.ts';
import { expectTurns, loopModel } from '../../workload.ts';

/** An XState actor that invokes a promise child a turn; the history is its context. */
const { turns } = settings();

function createMachine(model) {
  return setup({
    actors: {
      coder: fromPromise(({ input }) => model.coder(input)),
      reviewer: fromPromise(({ input }) => model.reviewer(input)),
    },
  }).createMachine({
    context: { history: [], verdict: null },
    initial: 'coding',
    states: {
      coding: {
        invoke: {
          src: 'coder',
          input: ({ context }) => context.history,
          onDone: {
            target: 'reviewing',
            actions: assign({
              history: ({ context, event }) => [...context.history, { author: 'coder', content: event.output }],
            }),
          },
        },
      },
      reviewing: {
        invoke: {
          src: 'reviewer',
          input: ({ context }) => context.history,
          onDone: {
            target: 'deciding',
            actions: assign({
              history: ({ context, event }) => [...context.history, { author: 'reviewer', content: event.output.text }],
              verdict: ({ event }) => event.output.verdict,
            }),
          },
        },
      },
      deciding: {
        always: [{ guard: ({ context }) => context.verdict.improvement_needed, target: 'coding' }, { target: 'done' }],
      },
      done: { type: 'final' },
    },
  });
}

async function run() {
  const actor = createActor(createMachine(loopModel(turns)));
  actor.start();
  const end = await waitFor(actor, (snapshot) => snapshot.status === 'done', { timeout: Number.POSITIVE_INFINITY });
  expectTurns(end.context.history.length, turns);
}

report({ ...(await timedRuns(turns, run)), memoryMb: peakMemoryMb() });
