import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CallRequest } from '../../src/actors/port.ts';
import { findStep } from '../../src/core/history/find-step.ts';
import { foldRecords } from '../../src/core/fold/fold.ts';
import type { RunId } from '../../src/core/model/ids.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import { build, end, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { FilesBench, uses } from './bench.ts';

const FILES = { 'notes.txt': 'mine\n', 'src/a.ts': 'a\n' };

/** Two turns; each leaves a file behind. */
const twoSteps = build({
  roles: { coder: {} },
  states: [
    work('plan', turn('coder', "'plan ' + (common_data.goal || 'nothing')"), [to('build')]),
    work('build', turn('coder', "'build'"), [to('stop')]),
    end('stop', 'agents.coder.getLastResponse()'),
  ],
});

function twoStepAnswer({ state, call, messages }: CallRequest) {
  const said = messages.map(({ content }) => content).join('|');
  if (call === 1) return uses('write_file', { path: `${state}.txt`, content: `${state} of ${said.length > 0}` });
  return says(`${state} done`);
}

async function settled(bench: FilesBench, definition: Definition) {
  const { host, world } = bench.host();
  const run = await host.start({ definition, input: { goal: 'first' }, project: bench.project });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  return { host, world, run };
}

async function stepOf(bench: FilesBench, run: RunId, text: string): Promise<number> {
  const found = findStep(await bench.journal.read(run), text);
  if (!found.ok) throw new Error(found.message);
  return found.seq;
}

test('[U7] a rollback puts files and conversation back, keeps all history, and can be undone', async () => {
  const bench = new FilesBench({ files: FILES, answer: twoStepAnswer });
  const { host, world, run } = await settled(bench, twoSteps);
  const folder = world.workspaces.folderOf(run, 'main');
  const before = (await bench.journal.read(run)).length;
  writeFileSync(join(folder, 'by-hand.txt'), 'found');
  const back = await host.rewind(run, {
    to: await stepOf(bench, run, 'build'),
    files: true,
    conversation: true,
    by: 'ann',
  });
  expect(back.workspaces).toEqual(['main']);
  expect(existsSync(join(folder, 'plan.txt'))).toBe(true);
  expect(existsSync(join(folder, 'build.txt'))).toBe(false);
  expect(existsSync(join(folder, 'by-hand.txt'))).toBe(false);
  const then = await host.snapshot(run);
  expect(then).toMatchObject({ status: 'running', current: { state: 'build', task: null } });
  expect(then.contexts['room']?.messages.length).toBe(4);
  expect((await bench.journal.read(run)).length).toBeGreaterThan(before);

  // It goes on from there.
  const second = bench.host();
  await second.host.resume(run);
  expect(await second.host.rest(run)).toMatchObject({ outcome: 'ok', output: 'build done' });
  expect(readFileSync(join(folder, 'build.txt'), 'utf8')).toBe('build of true');
  await second.host.shutdown();

  // And the rollback itself is undone: what was there by hand comes back too.
  await bench.host().host.rewind(run, { to: back.undo, files: true, conversation: true, by: 'ann' });
  expect(readFileSync(join(folder, 'by-hand.txt'), 'utf8')).toBe('found');
  expect(await bench.host().host.snapshot(run)).toMatchObject({ status: 'settled', result: { outcome: 'ok' } });
});

test('[U7] only the files, or only the conversation, go back when that is asked for', async () => {
  const bench = new FilesBench({ files: FILES, answer: twoStepAnswer });
  const { host, world, run } = await settled(bench, twoSteps);
  const folder = world.workspaces.folderOf(run, 'main');
  await host.rewind(run, { to: 1, files: true, conversation: false, by: 'ann' });
  expect(existsSync(join(folder, 'plan.txt'))).toBe(false);
  expect(await host.snapshot(run)).toMatchObject({ status: 'settled' });
  await host.rewind(run, { to: await stepOf(bench, run, 'plan'), files: false, conversation: true, by: 'ann' });
  expect(await host.snapshot(run)).toMatchObject({ status: 'running', current: { state: 'plan' } });
});

test('[U7] a fork begins with the machine, the conversation and the files of the record it was made at', async () => {
  const bench = new FilesBench({ files: FILES, answer: twoStepAnswer });
  const { host, world, run } = await settled(bench, twoSteps);
  const records = await bench.journal.read(run);
  const at = await stepOf(bench, run, 'build');
  const fork = await host.fork(run, { at, input: { goal: 'second' }, by: 'ann' });
  expect(await host.snapshot(fork)).toMatchObject({
    forkedFrom: { run, seq: at },
    parent: null,
    input: { goal: 'second' },
    current: { state: 'build' },
    usage: { calls: 0 },
  });
  await host.resume(fork);
  expect(await host.rest(fork)).toMatchObject({ outcome: 'ok', output: 'build done' });
  const folder = world.workspaces.folderOf(fork, 'main');
  expect(readFileSync(join(folder, 'plan.txt'), 'utf8')).toBe('plan of true');
  expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('mine\n');
  // The run it came from has not changed.
  expect(await bench.journal.read(run)).toEqual(records);
});

test('[U7] a fork at any record of a run comes to an end', async () => {
  const bench = new FilesBench({ files: FILES, answer: twoStepAnswer });
  const { host, run } = await settled(bench, twoSteps);
  const records = await bench.journal.read(run);
  for (const { seq } of records.slice(0, -1)) {
    const fork = await host.fork(run, { at: seq, by: 'ann' });
    await host.resume(fork);
    expect({ seq, ...(await host.rest(fork)) }).toMatchObject({ seq, outcome: 'ok', output: 'build done' });
  }
  await expect(host.fork(run, { at: records.length, by: 'ann' })).rejects.toMatchObject({ code: 'FORK_AT_END' });
});

test('[SM11] a workspace that somebody deleted is made again from what the journal names', async () => {
  const bench = new FilesBench({ files: FILES, answer: twoStepAnswer });
  const { host, world, run } = await settled(bench, twoSteps);
  const folder = world.workspaces.folderOf(run, 'main');
  rmSync(folder, { recursive: true });
  await host.rewind(run, { to: await stepOf(bench, run, 'build'), files: true, conversation: false, by: 'ann' });
  expect(existsSync(join(folder, 'plan.txt'))).toBe(true);
});

test('[PH7] a run that fails has its files put back where its workflow says so', async () => {
  const failing = build({
    roles: { coder: {} },
    states: [
      work('plan', turn('coder', "'plan'"), [to('check')]),
      work(
        'check',
        { kind: 'command', command: { kind: 'literal', value: 'rm notes.txt; exit 3' }, okExitCodes: [0] },
        [to('stop')],
      ),
      end('stop'),
    ],
  });
  const definition = { ...failing, workflow: { ...failing.workflow, onFailure: 'rollback' as const } };
  const bench = new FilesBench({ files: FILES, answer: twoStepAnswer });
  const { host, world } = bench.host();
  const run = await host.start({ definition, input: {}, project: bench.project });
  expect(await host.rest(run)).toMatchObject({ outcome: 'failed', failure: { code: 'COMMAND_FAILED' } });
  const folder = world.workspaces.folderOf(run, 'main');
  expect(existsSync(join(folder, 'plan.txt'))).toBe(false);
  expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('mine\n');
  const snapshot = foldRecords(await bench.journal.read(run));
  expect(snapshot.workspaces['main']?.tree).toBe(snapshot.files?.tree);
});
