import { expect, onTestFinished, test } from 'vitest';
import type { CallRequest } from '../../../actors/port.ts';
import type { Definition } from '../../../core/model/definition.ts';
import { createMemoryJournal } from '../../../journal/memory/memory-journal.ts';
import { defineTool } from '../../../tools/define-tool.ts';
import { Passing } from '../../../tools/passing.ts';
import type { Tool } from '../../../tools/port.ts';
import { createEmbeddedHost } from '../../embedded/embedded-host.ts';
import type { Clock } from '../../world.ts';
import { systemClock } from '../../system-clock.ts';
import { build, end, to, turn, work } from '../../testing/build-definition.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import { says, testWorld } from '../../testing/test-world.ts';

test('[PH6] a tool that failed for a passing reason is tried again, and the number of tries is reported', async () => {
  const { tool, count } = failing(1, new Passing('No answer.'));
  const { finished } = await used(tool);
  expect(count()).toBe(2);
  expect(finished).toMatchObject({ content: 'ok\n(It came out at try 2.)', isError: false, tries: 2 });
});

test('[PH6] three tries in all, then the agent gets the error and continues', async () => {
  const { tool, count } = failing(9, new Passing('No answer.'));
  const { finished, outcome } = await used(tool);
  expect(count()).toBe(3);
  expect(finished).toMatchObject({
    content: 'No answer.\n(Tried 3 times; it failed each time.)',
    isError: true,
    tries: 3,
  });
  expect(outcome).toBe('ok');
});

test.for<[string, Partial<Definition>, number, number]>([
  ['the workflow', {}, 1, 1],
  ['the workflow', {}, 5, 5],
  ['the workflow before the definition', { toolTries: 2 }, 4, 4],
])('[PH6] %s says how often: %i', async ([, more, own, tries]) => {
  const { tool, count } = failing(9, new Passing('x'));
  const definition = calling();
  const { finished } = await used(tool, {
    definition: { ...definition, ...more, workflow: { ...definition.workflow, toolTries: own } },
  });
  expect(count()).toBe(tries);
  expect(finished?.tries).toBe(tries === 1 ? undefined : tries);
});

test('[PH6] the definition says how often where its workflow does not', async () => {
  const { tool, count } = failing(9, new Passing('x'));
  await used(tool, { definition: { ...calling(), toolTries: 2 } });
  expect(count()).toBe(2);
});

test.for<[string, Tool['repeat'], Error]>([
  ['what makes sense of an error', 'safe', Object.assign(new Error('no such file'), { code: 'ENOENT' })],
  ['what may have happened', 'unsafe', new Passing('The line broke.')],
])('[PH6] %s is not tried again', async ([, repeat, error]) => {
  const { tool, count } = failing(1, error, repeat);
  const { finished } = await used(tool);
  expect(count()).toBe(1);
  expect(finished).toMatchObject({ content: error.message, isError: true });
  expect(finished?.tries).toBeUndefined();
});

test('[PH6] each wait is longer than the one before, and by the clock of the world', async () => {
  const waits: number[] = [];
  const clock: Clock = {
    now: () => systemClock.now(),
    alarm: (at, ring) => {
      waits.push(at - systemClock.now());
      return systemClock.alarm(systemClock.now(), ring);
    },
  };
  const retry = { tries: {}, baseMs: 1000, maxMs: 60_000 };
  const { tool } = failing(9, new Passing('x'));
  await used(tool, { clock, definition: { ...calling(), retry } });
  const [first = 0, second = 0] = waits;
  expect(waits).toHaveLength(2);
  expect(first).toBeGreaterThan(400);
  expect(first).toBeLessThanOrEqual(1000);
  expect(second).toBeGreaterThan(900);
  expect(second).toBeLessThanOrEqual(2000);
});

test('[PH6] [L10] a run that is cancelled does not wait for the next try', async () => {
  const { tool, count } = failing(9, new Passing('x'));
  const clock = new ManualClock();
  const { host, run } = await started(tool, { clock });
  while (count() === 0) await new Promise((resolve) => setImmediate(resolve));
  await host.cancel(run, 'ann', 'enough');
  expect(await host.rest(run)).toMatchObject({ outcome: 'cancelled' });
  expect(count()).toBe(1);
});

function failing(times: number, error: Error, repeat: Tool['repeat'] = 'safe') {
  let count = 0;
  const run = () => {
    count += 1;
    return count > times ? 'ok' : Promise.reject(error);
  };
  const tool = defineTool({
    name: 'knock',
    description: '',
    parameters: { type: 'object' },
    repeat,
    access: 'talk',
    run,
  });
  return { tool, count: () => count };
}

const calling = (): Definition =>
  build({ roles: { coder: {} }, states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')] });

interface Using {
  readonly definition?: Definition;
  readonly clock?: Clock;
}

async function started(tool: Tool, { definition = calling(), clock = systemClock }: Using) {
  const journal = createMemoryJournal();
  const answer = ({ call }: CallRequest) =>
    call === 1 ? says('', [{ id: 'c1', name: 'knock', arguments: {} }]) : says('done');
  const host = createEmbeddedHost(testWorld({ journal, answer, tools: [tool], clock }));
  onTestFinished(() => host.shutdown());
  const run = await host.start({ definition, input: {}, project: '.' });
  return { host, run, journal };
}

async function used(tool: Tool, using: Using = {}) {
  const { host, run, journal } = await started(tool, using);
  const { outcome } = await host.rest(run);
  const facts = (await journal.read(run)).map(({ fact }) => fact);
  return { outcome, finished: facts.find((fact) => fact.kind === 'tool.finished') };
}
