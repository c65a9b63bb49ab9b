import { expect, onTestFinished, test } from 'vitest';
import { createMemoryJournal } from '../../../journal/memory/memory-journal.ts';
import { allTools } from '../../../tools/all-tools.ts';
import { testProject } from '../../../workspace/testing/test-project.ts';
import { createWorkspaces } from '../../../workspace/workspaces.ts';
import { createEmbeddedHost } from '../../embedded/embedded-host.ts';
import { build, end, to, turn, work } from '../../testing/build-definition.ts';
import { says, testWorld } from '../../testing/test-world.ts';
import { windowedModel } from '../../testing/windowed-model.ts';
import { roomIn } from './request-size.ts';

const definition = build({
  roles: { coder: {} },
  states: [
    work('code', turn('coder', "'go'"), [to('again')]),
    work('again', turn('coder', "'continue'"), [to('stop')]),
    end('stop'),
  ],
});

test('[A6] where long notes overflow a window that was only guessed, they are left out in the next attempt and after it', async () => {
  const notes = 'Write small functions.\n'.repeat(1400);
  const place = testProject({ 'AGENTS.md': notes });
  const known = { tokens: 128_000, output: 2000, isConfigured: false };
  const model = windowedModel({ window: 8000, known, answer: () => says('done') });
  const workspaces = createWorkspaces({ home: place.home });
  const tools = allTools.filter(({ spec }) => spec.name === 'read_file');
  const world = testWorld({ journal: createMemoryJournal(), answer: () => says(''), tools, workspaces });
  const host = createEmbeddedHost({ ...world, actorFor: () => Promise.resolve(model) });
  onTestFinished(() => host.shutdown());
  const run = await host.start({ definition, input: {}, project: place.project });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok', failure: null });
  const leftOut = model.sent.map(({ text }) => text.includes('The notes are left out'));
  expect(leftOut).toEqual([false, true, true]);
});

test('[A6] a window that the endpoint named leaves a request as much room as the same window in the configuration', () => {
  const window = { model: 'm', tokens: 128_000, output: 25_600, isConfigured: false, density: 1, mayEdit: true };
  const configured = { ...window, tokens: 6000, output: 1200, isConfigured: true };
  expect(roomIn(window, { windows: { m: 6000 } })).toEqual(roomIn(configured, { windows: {} }));
  // A reply of this size was asked for.
  expect(roomIn({ ...window, output: 2000 }, { windows: { m: 6000 } }).usable).toBe(5400 - 2000);
});
