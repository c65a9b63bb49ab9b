import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import type { Allowed } from '../../src/core/record/delivery-fact.ts';
import type { Host } from '../../src/host/port.ts';
import type { World } from '../../src/host/world.ts';
import type { RunId } from '../../src/core/model/ids.ts';
import { findFiles } from '../../src/host/deliver/find-files.ts';
import type { MergeTarget } from '../../src/host/deliver/merge-outcome.ts';
import { mergeResult } from '../../src/host/deliver/merge-result.ts';
import { runResult } from '../../src/host/deliver/run-result.ts';
import { build, end, expression, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { annAndBob, BOTH_EDIT, FilesBench, uses } from '../workspaces/bench.ts';

/** Both write; Ann is merged, Bob is refused, and the run ends there. */
async function refused(write: (agent: string) => CallReply, verify: string) {
  const bench = new FilesBench({
    files: { 'notes.txt': 'one\n' },
    answer: ({ agent, call }: CallRequest) => (call > 1 ? says('done') : write(agent)),
  });
  const definition = annAndBob([
    work('start', BOTH_EDIT, [to('first')]),
    work('first', { kind: 'merge', agent: 'ann', verify: expression("'true'") }, [to('second')]),
    work('second', { kind: 'merge', agent: 'bob', verify: expression(JSON.stringify(verify)) }, [to('stop')]),
    end('stop'),
  ]);
  const { host, world } = bench.host();
  const run = await host.start({ definition, input: {}, project: bench.project });
  const rest = await host.rest(run);
  const take = taking(bench, { host, world, run });
  const patch = join(bench.home, 'taken.patch');
  return { rest, take, patch, toPatch: { kind: 'patch', file: patch, isOwn: true } as const, project: bench.project };
}

interface Hosted {
  readonly host: Host;
  readonly world: World;
  readonly run: RunId;
}

const taking =
  (bench: FilesBench, { host, world, run }: Hosted) =>
  async (workspace: string, target: MergeTarget, allow: readonly Allowed[] = []) => {
    const result = await runResult({ world }, await findFiles(bench.journal, run), workspace);
    const signal = new AbortController().signal;
    const context = { world, home: bench.home, runSandbox: null, by: 'ann', note: host.note.bind(host) };
    return await mergeResult(context, result, { target, verify: null, sides: { given: [] }, signal, allow });
  };

const APPLY = { kind: 'apply' } as const;
const write = (path: string, content: string): CallReply => uses('write_file', { path, content });

test('[L4] [PD7] files with conflict markers reach no file of the user, and a patch of them only by name', async () => {
  const { rest, take, toPatch, patch, project } = await refused((agent) => write('notes.txt', `${agent}\n`), 'true');
  expect(rest).toMatchObject({ outcome: 'blocked', failure: { code: 'MERGE_CONFLICT' } });
  expect(rest.failure?.message).toContain('between the work of bob and of ann: notes.txt');
  for (const target of [APPLY, toPatch]) {
    await expect(take('bob', target)).rejects.toMatchObject({ code: 'RESULT_IN_CONFLICT' });
  }
  await expect(take('bob', APPLY, ['conflicts', 'unverified'])).rejects.toMatchObject({ code: 'RESULT_IN_CONFLICT' });
  expect(existsSync(patch)).toBe(false);
  expect(readFileSync(join(project, 'notes.txt'), 'utf8')).toBe('one\n');
  await take('bob', toPatch, ['conflicts']);
  expect(readFileSync(patch, 'utf8')).toMatch(/^# IN CONFLICT: Both sides stand in notes\.txt\.\n/);
}, 60_000);

test('[L4] [PD7] files that failed their last check are handed over only by name, and marked', async () => {
  const { rest, take, toPatch, patch, project } = await refused(
    (agent) => write(`${agent}.txt`, 'x\n'),
    'test ! -f ann.txt',
  );
  expect(rest).toMatchObject({ failure: { code: 'MERGE_NOT_VERIFIED' } });
  for (const target of [APPLY, toPatch]) {
    await expect(take('bob', target)).rejects.toMatchObject({ code: 'RESULT_NOT_VERIFIED' });
  }
  expect(existsSync(join(project, 'bob.txt'))).toBe(false);
  const taken = await take('bob', toPatch, ['unverified']);
  expect(taken).toMatchObject({ unverified: expect.stringContaining('do not pass') });
  expect(readFileSync(patch, 'utf8')).toMatch(/^# NOT VERIFIED: The merged files do not pass/);
  // The work that was merged is a result.
  expect(await take('main', APPLY)).toMatchObject({ kind: 'result.applied' });
  expect(existsSync(join(project, 'ann.txt'))).toBe(true);
}, 60_000);

test('[L4] [PD7] files that steer programs are reported first and are applied only by name', async () => {
  const path = (agent: string): string => (agent === 'ann' ? 'sub/.npmrc' : 'code.txt');
  const { rest, take, toPatch, patch, project } = await refused((agent) => write(path(agent), 'x\n'), 'true');
  expect(rest).toMatchObject({ outcome: 'ok' });
  await take('main', toPatch);
  expect(readFileSync(patch, 'utf8')).toMatch(/^# STEERS YOUR PROGRAMS:\n# - sub\/\.npmrc: /);
  const steering = [{ path: 'sub/.npmrc' }];
  expect(await take('main', APPLY)).toMatchObject({ kind: 'result.applied', steering, held: steering });
  expect([existsSync(join(project, 'code.txt')), existsSync(join(project, 'sub/.npmrc'))]).toEqual([true, false]);
  expect(await take('main', APPLY, ['steering'])).toMatchObject({ kind: 'result.applied', steering });
  expect(existsSync(join(project, 'sub/.npmrc'))).toBe(true);
}, 60_000);

test('[L4] [PD7] files that were held back are offered again after the run changed more', async () => {
  const bench = new FilesBench({
    files: { 'notes.txt': 'one\n' },
    answer: ({ state, call }: CallRequest) => {
      const paths = state === 'start' ? ['sub/.npmrc', 'made.txt'] : ['more.txt'];
      const path = paths[call - 1];
      return path === undefined ? says('done') : write(path, 'x\n');
    },
  });
  const definition = build({
    roles: { ann: {} },
    states: [
      work('start', turn('ann', "'edit'"), [to('ask')]),
      work('ask', { kind: 'ask', question: expression("'More?'"), choices: [] }, [to('more')]),
      work('more', turn('ann', "'edit'"), [to('stop')]),
      end('stop'),
    ],
  });
  const first = bench.host().host;
  const run = await first.start({ definition, input: {}, project: bench.project });
  await first.rest(run);
  await first.shutdown();
  const { host, world } = bench.host();
  const take = taking(bench, { host, world, run });
  const held = [{ path: 'sub/.npmrc' }];
  expect(await take('main', APPLY)).toMatchObject({ kind: 'result.applied', held });
  await host.resume(run);
  await host.answer(run, { answer: 'yes', by: 'ann' });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  expect(await take('main', APPLY)).toMatchObject({ kind: 'result.applied', held });
  expect(await take('main', APPLY, ['steering'])).toMatchObject({
    kind: 'result.applied',
    changes: [{ path: 'sub/.npmrc' }],
  });
  expect(existsSync(join(bench.project, 'sub/.npmrc'))).toBe(true);
}, 60_000);
