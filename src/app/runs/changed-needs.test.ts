import { expect, test } from 'vitest';
import { bodyHash, runId } from '../../core/model/ids.ts';
import { build, end, to, turn, work } from '../../host/testing/build-definition.ts';
import { EMPTY_CONFIG } from '../config/config.ts';
import { changedNeeds } from './fork-run.ts';
import type { Session } from './session.ts';

const definition = build({ states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')] });
const labelled = { ...definition, workflow: { ...definition.workflow, labels: ['gpu'] } };

const PLOT = { spec: { name: 'plot', description: 'Plots.', parameters: {} }, access: 'talk', origin: 'project' };

/** The labels that a run needs which was started with `labels` and a tool of its project, and goes on as `after`. */
async function labelsAfter(labels: readonly string[], after: typeof definition, wished?: readonly string[]) {
  const session = {
    host: {
      snapshot: () => Promise.resolve({ terms: { labels }, tools: bodyHash('recorded') }),
      definition: () => Promise.resolve(labelled),
    },
    world: { tools: [], journal: { getBody: () => Promise.resolve([{ ...PLOT, labels: ['gnuplot'] }]) } },
    store: { journal: { run: () => Promise.resolve({ needs: ['label gpu', 'model base'] }) } },
    project: { config: EMPTY_CONFIG },
    wishes: wished === undefined ? {} : { labels: wished },
    isLeftToWorkers: true,
  };
  const { needs = [] } = await changedNeeds(session as unknown as Session, runId('a'), after);
  return needs.filter((need) => need.startsWith('label '));
}

test('[U8] with another definition a run keeps the labels of its tools and those that it was started with, also those that its old file named', async () => {
  expect(await labelsAfter(['gpu'], definition)).toEqual(['label gnuplot', 'label gpu']);
  expect(await labelsAfter([], definition)).toEqual(['label gnuplot']);
  expect(await labelsAfter(['arm'], labelled)).toEqual(['label arm', 'label gnuplot', 'label gpu']);
});

test('[U8] labels that are given with another definition replace those that the run was started with', async () => {
  expect(await labelsAfter(['gpu'], definition, ['arm'])).toEqual(['label arm', 'label gnuplot']);
});
