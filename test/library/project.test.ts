import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { defineWorkflow } from '../../src/index.ts';
import { runPlace } from '../../src/workspace/run-place.ts';
import { codeOf, libraryProject } from './library.ts';

const quick = defineWorkflow({
  name: 'quick',
  description: 'Ends at once',
  states: { start: { transitions: ['done'] }, done: { kind: 'end', output: () => 1 } },
});

test('[R3] the library of a project lists, checks, shows and draws what can be named there', async () => {
  const files = { '.troupe/workflows/bad.json': '{ "workflow_name": "bad" }' };
  const { open } = await libraryProject({ files });
  const troupe = await open({ workflows: [quick], roles: { writer: { systemMessage: 'You write.' } } });
  const { library } = troupe;
  expect(await library.workflows()).toContainEqual(
    expect.objectContaining({ name: 'quick', description: 'Ends at once', origin: 'project' }),
  );
  expect((await library.roles()).map(({ name }) => name)).toContain('writer');
  expect(await library.prompt('writer')).toMatchObject({ prompt: 'You write.' });
  expect(await codeOf(library.prompt('dne'))).toBe('ROLE_UNKNOWN');
  expect(await library.check('.troupe/workflows/bad.json')).toMatchObject({ ok: false });
  expect(await library.graph('quick')).toContain('done');
  expect(JSON.parse(await library.graph(quick, 'xstate'))).toMatchObject({ id: 'quick' });
  const run = await troupe.start('quick');
  expect(await run.result()).toMatchObject({ outcome: 'ok', output: 1 });
});

test('[R3] the runs and figures of the project and old files are there for a program as well', async () => {
  const { open } = await libraryProject();
  const troupe = await open();
  await (await troupe.start(quick)).result();
  const { items, next } = await troupe.list({ limit: 5 });
  expect({ names: items.map(({ workflow }) => workflow), next }).toEqual({ names: ['quick'], next: null });
  expect((await troupe.list({ status: 'waiting' })).items).toEqual([]);
  expect(await troupe.search({ text: 'QUICK' })).toMatchObject({ hits: [{ run: items[0]?.run, kind: 'run' }] });
  const within = await troupe.search({ text: 'quick', run: items[0]?.run ?? '' });
  expect(within.hits.map(({ kind }) => kind)).toContain('run.started');
  expect(await troupe.metrics()).toMatchObject({ kind: 'metrics' });
  expect(await troupe.prune({ isDry: true })).toMatchObject({ runs: [] });
  await troupe.close();
  expect(await codeOf(() => troupe.library.workflows())).toBe('TROUPE_CLOSED');
});

test('[R3] options of list, metrics and prune that do not exist are refused, and one left undefined has its default', async () => {
  const { open, home } = await libraryProject();
  const troupe = await open();
  const run = await troupe.start(quick);
  await run.result();
  // @ts-expect-error -- there is no such option
  expect(await codeOf(troupe.prune({ olderThan: 0 }))).toBe('REQUEST_INVALID');
  expect(await codeOf(troupe.prune({ keep: -1 }))).toBe('REQUEST_INVALID');
  // @ts-expect-error -- there is no such option
  expect(await codeOf(troupe.list({ all: true }))).toBe('REQUEST_INVALID');
  expect(await codeOf(troupe.list({ limit: 0 }))).toBe('REQUEST_INVALID');
  // @ts-expect-error -- a number is needed
  expect(await codeOf(troupe.metrics({ since: 'yesterday' }))).toBe('REQUEST_INVALID');
  expect(await codeOf(troupe.list({ status: undefined }))).toBe('done');
  mkdirSync(runPlace(home, run.id).base, { recursive: true });
  expect(await troupe.prune({ keep: undefined, olderThanMs: 0, isDry: true })).toMatchObject({ runs: [] });
  expect((await troupe.prune({ keep: 0, olderThanMs: 0, isDry: true })).runs).toMatchObject([{ run: run.id }]);
});
