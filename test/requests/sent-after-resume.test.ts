import { expect, onTestFinished, test } from 'vitest';
import { SILENCE } from '../../src/actors/scripted/rule.ts';
import { createModelActor } from '../../src/actors/model/model-actor.ts';
import type { ModelConfig } from '../../src/actors/model/model-config.ts';
import { NO_ACTORS } from '../../src/app/config/choose-actor.ts';
import { EMPTY_CONFIG } from '../../src/app/config/config.ts';
import { buildBody } from '../../src/app/trace/build-body.ts';
import { tracedCalls } from '../../src/app/trace/traced-calls.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import { build, each, end, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says, testWorld } from '../../src/host/testing/test-world.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import type { Tool } from '../../src/tools/port.ts';
import { scriptedWire, type ScriptedWire, type Script } from './scripted-wire.ts';

const MODEL: ModelConfig = {
  name: 'm',
  provider: 'anthropic',
  model: 'claude-sonnet-5',
  baseUrl: 'http://127.0.0.1:9/v1',
  apiKey: 'none',
};

const readTool = (description: string): Tool =>
  defineTool({
    name: 'read',
    description,
    parameters: { type: 'object', properties: { file: { type: 'integer' } }, required: ['file'] },
    repeat: 'safe',
    access: 'talk',
    run: ({ file }) => `file ${Number(file)}\n${'some words of code\n'.repeat(100)}`,
  });

/** Each agent reads four files, one a call, then is done. */
const reads: Script = ({ call = 1 }) =>
  call > 4
    ? { ...SILENCE, text: `All read. ${'It is long. '.repeat(20)}` }
    : { ...SILENCE, tools: [{ name: 'read', arguments: { file: call }, raw: null }] };

const child = build({
  name: 'below',
  roles: { coder: {} },
  states: [work('code', turn('coder', "'Read all files, please. '"), [to('stop')]), end('stop')],
});

const definition = build({
  roles: { coder: {} },
  library: { below: child.workflow },
  states: [
    work('first', turn('coder', "'Read all.'"), [to('all')]),
    work('all', each("['a', 'b']", { kind: 'call', workflow: 'below', input: {} }, 2), [to('again')]),
    work('again', turn('coder', "'And again.'"), [to('stop')]),
    end('stop'),
  ],
});

test('[A3] after a run was taken over in the middle of its calls, the trace shows the requests of both processes as they left', async () => {
  const journal = createMemoryJournal();
  const process = (wire: ScriptedWire, wording: string) => {
    const world = testWorld({ journal, answer: () => says(''), tools: [readTool(wording)] });
    const host = createEmbeddedHost({ ...world, actorFor: () => Promise.resolve(createModelActor(MODEL, wire.fetch)) });
    onTestFinished(() => host.shutdown());
    return host;
  };
  const underWay = Promise.withResolvers<void>();
  const waiting = new Set<string>();
  // The first process ends while both runs below wait for an answer.
  const first = scriptedWire(reads, ({ run = '', call = 1 }) => {
    if (!run.includes('/') || call < 3) return Promise.resolve();
    waiting.add(run);
    if (waiting.size === 2) underWay.resolve();
    return new Promise(() => undefined);
  });
  const before = process(first, 'Reads a file.');
  const run = await before.start({ definition, input: {}, project: '/' });
  await underWay.promise;
  await before.shutdown();
  const second = scriptedWire(reads, () => Promise.resolve());
  const after = process(second, 'Reads a file, reworded since.');
  await after.resume(run);
  expect(await after.rest(run)).toMatchObject({ outcome: 'ok' });
  const answered = [...first.sent.filter(({ answeredAt }) => Number.isFinite(answeredAt)), ...second.sent];
  const calls = await tracedCalls(journal, run);
  const place = {
    world: { tools: [readTool('Reworded again.')] },
    actors: { config: EMPTY_CONFIG, overrides: {}, cast: NO_ACTORS, environment: {} },
    journal,
  };
  const bodies = await Promise.all(calls.map((call) => buildBody(call, place)));
  expect(bodies.map(({ isRecorded }) => isRecorded)).toEqual(bodies.map(() => true));
  expect(bodies.map(({ text }) => text).toSorted()).toEqual(answered.map(({ text }) => text).toSorted());
  // The calls of the runs below stand between those of the run itself.
  expect(calls.map(({ run: made }) => made === run)).toEqual(calls.map((_, at) => at < 5 || at >= calls.length - 5));
});
