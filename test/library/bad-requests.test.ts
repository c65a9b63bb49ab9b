import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { showText } from '../../src/cli/terminal/show-text.ts';
import { defineWorkflow, openTroupe, type RunHandle, type Troupe, type TroupeOptions } from '../../src/index.ts';
import { codeOf, libraryProject } from './library.ts';

const ROOT = join(import.meta.dirname, '..', '..');

const asking = defineWorkflow({
  name: 'asking',
  input: z.object({ topic: z.string() }),
  states: {
    start: {
      work: { kind: 'ask', question: "'Which?'" },
      transitions: [{ target: 'done', assign: 'this.common_data.answer = result' }],
    },
    done: { kind: 'end', output: 'common_data.answer' },
  },
});

const input = { topic: 'Roses' };

/** As plain JavaScript sees it. */
type Untyped = Record<string, (...given: readonly unknown[]) => Promise<unknown>>;

const untyped = (given: Troupe | RunHandle): Untyped => given as unknown as Untyped;

test('[R2] a request that lacks something or has an unknown part is REQUEST_INVALID, whichever method takes it', async () => {
  const { open } = await libraryProject();
  const troupe = untyped(await open());
  const run = untyped((await troupe['start']?.(asking, { input })) as RunHandle);
  const given: readonly (readonly [Untyped, string, readonly unknown[]])[] = [
    [run, 'look', [{ kind: 'nope' }]],
    [run, 'look', [{ kind: 'toString' }]],
    [run, 'look', []],
    [run, 'fork', []],
    [run, 'fork', [null]],
    [run, 'rollback', []],
    [run, 'rollback', ['start']],
    [run, 'pause', [{ why: 'lunch' }]],
    [run, 'tell', []],
    [run, 'result', ['now']],
    [run, 'events', [{ from: 'middle' }]],
    [troupe, 'start', []],
    [troupe, 'start', [{}]],
    [troupe, 'start', [asking, { inputs: input }]],
    [troupe, 'start', ['asking', { inputs: input }]],
    [troupe, 'run', []],
  ];
  const codes = given.map(async ([of, method, words]) => {
    const result = of[method]?.(...words);
    // Events come when they are asked for.
    return [
      method,
      await codeOf(method === 'events' ? (result as unknown as AsyncGenerator).next() : (result ?? Promise.resolve())),
    ];
  });
  expect(await Promise.all(codes)).toEqual(given.map(([, method]) => [method, 'REQUEST_INVALID']));
});

test('[R2] openTroupe refuses an option that it does not have, with the one that was meant', async () => {
  const opened = openTroupe({ proj: '.' } as TroupeOptions);
  await expect(opened).rejects.toMatchObject({
    code: 'REQUEST_INVALID',
    message: expect.stringContaining('proj'),
    hint: expect.stringContaining('project'),
  });
});

test('[R3] of two answers with the same text at once one counts, and the other is QUESTION_CLOSED', async () => {
  const { open } = await libraryProject();
  const [one, other] = [await open(), await open()];
  const run = await one.start(asking, { input });
  await run.rest();
  const again = await other.run(run.id);
  const given = [run.answer('yes'), run.answer('yes'), again.answer('yes')].map(codeOf);
  expect((await Promise.all(given)).toSorted()).toEqual(['QUESTION_CLOSED', 'QUESTION_CLOSED', 'done']);
  expect(await run.result()).toMatchObject({ outcome: 'ok', output: 'yes' });
});

test('[U3] show names the program as the origin of a workflow that is defined in code', async () => {
  const { open } = await libraryProject();
  const run = await (await open()).start(asking, { input });
  const view = await run.show();
  expect(view.definition).toMatchObject({ state: 'same', isCode: true });
  expect(showText(view, (_style, text) => text)).toMatch(/^defined {3}\w{12}, by the program that started it$/m);
  await run.cancel();
});

test('[R3] a second close waits for the first', async () => {
  const { open } = await libraryProject();
  const troupe = await open();
  await (await troupe.start(asking, { input })).rest();
  const ended: string[] = [];
  await Promise.all([troupe.close().then(() => ended.push('first')), troupe.close().then(() => ended.push('second'))]);
  expect(ended).toEqual(['first', 'second']);
});

test('[U3] a fault that a program does not catch prints a few lines that people can read', () => {
  const program = `import { openTroupe } from ${JSON.stringify(join(ROOT, 'dist', 'index.js'))};\nawait openTroupe({ project: 'dne' });`;
  const node = join(ROOT, 'node_modules', '.bin', 'node');
  const { stderr, status } = spawnSync(node, ['--input-type=module', '-e', program], { encoding: 'utf8', cwd: ROOT });
  expect(status).toBe(1);
  expect(stderr).toContain('PROJECT_MISSING');
  expect(stderr).toContain('Name the folder of a project');
  expect(stderr.length).toBeLessThan(3000);
  expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThan(400);
});
