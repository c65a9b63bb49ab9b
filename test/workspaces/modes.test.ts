import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { foldRecords } from '../../src/core/fold/fold.ts';
import { build, end, expression, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { FilesBench, uses } from './bench.ts';

const FILES = { 'src/a': 'a\n' };

const oneTurn = (role: object) =>
  build({ roles: { coder: role }, states: [work('start', turn('coder', "'go'"), [to('stop')]), end('stop')] });

const finished = async (bench: FilesBench, run: Parameters<FilesBench['facts']>[0]) =>
  (await bench.facts(run)).filter((fact) => fact.kind === 'tool.finished');

test('[PH3] a read-only agent cannot write or start programs, whatever it asks for, and gets the reason', async () => {
  const calls = [
    { id: 'w', name: 'write_file', arguments: { path: 'src/a', content: 'x' } },
    { id: 'c', name: 'execute_terminal', arguments: { command: 'echo x > src/a' } },
    { id: 'r', name: 'read_file', arguments: { path: 'src/a' } },
  ];
  const bench = new FilesBench({ files: FILES, answer: ({ call }) => (call === 1 ? says('', calls) : says('done')) });
  const { host, world } = bench.host();
  const run = await host.start({ definition: oneTurn({ mode: 'read' }), input: {}, project: bench.project });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  const results = await finished(bench, run);
  expect(results.find(({ toolCall }) => toolCall === 'w')).toMatchObject({ isError: true, refused: 'MODE_READ_ONLY' });
  expect(results.find(({ toolCall }) => toolCall === 'c')).toMatchObject({ isError: true, refused: 'MODE_READ_ONLY' });
  expect(results.find(({ toolCall }) => toolCall === 'r')).toMatchObject({ isError: false });
  expect(readFileSync(join(world.workspaces.folderOf(run, 'main'), 'src/a'), 'utf8')).toBe('a\n');
});

test.each([true, false])(
  '[PH3] commands of an agent that may not write leave the tree byte-identical, and what they wrote is reported (overlay: %s)',
  async (overlay) => {
    const bench = new FilesBench({
      files: FILES,
      answer: ({ call }) =>
        call === 1 ? uses('execute_terminal', { command: 'echo x > src/a; echo y > new; cat src/a' }) : says('done'),
    });
    const { host, world } = bench.host(overlay ? {} : { hasOverlay: () => Promise.resolve(false) });
    const run = await host.start({ definition: oneTurn({ mode: 'commands' }), input: {}, project: bench.project });
    expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
    const [result] = await finished(bench, run);
    expect(result?.content).toContain('Exit code 0\nx\n');
    expect(result?.content).toContain('src/a');
    expect(result?.content).toContain('new');
    expect(result?.content).toMatch(/thrown away|discarded/);
    const folder = world.workspaces.folderOf(run, 'main');
    expect(readFileSync(join(folder, 'src/a'), 'utf8')).toBe('a\n');
    expect(existsSync(join(folder, 'new'))).toBe(false);
    const { workspaces, files } = foldRecords(await bench.journal.read(run));
    expect(workspaces['main']?.tree).toBe(files?.tree);
  },
);

test('[PH3] a tool that needs a word is asked about like every other question, and runs only when it was given', async () => {
  const bench = new FilesBench({
    files: FILES,
    answer: ({ call }) =>
      call <= 2 ? uses('execute_terminal', { command: `echo ${call} >> log` }, `c${call}`) : says('done'),
  });
  const { host, world } = bench.host();
  const definition = oneTurn({ ask: ['execute_terminal'] });
  const run = await host.start({ definition, input: {}, project: bench.project });
  const rest = await host.rest(run);
  expect(rest).toMatchObject({
    status: 'waiting',
    questions: [{ kind: 'permission', choices: ['yes', 'no', 'always'] }],
  });
  expect(rest.questions[0]?.text).toContain('echo 1 >> log');
  await host.answer(run, { answer: 'no', by: 'ann' });
  expect((await host.rest(run)).questions[0]?.text).toContain('echo 2 >> log');
  // Asked again by the next process.
  await host.shutdown();
  const second = bench.host().host;
  await second.resume(run);
  await second.rest(run);
  await second.answer(run, { answer: 'yes', by: 'ann' });
  expect(await second.rest(run)).toMatchObject({ outcome: 'ok' });
  expect(readFileSync(join(world.workspaces.folderOf(run, 'main'), 'log'), 'utf8')).toBe('2\n');
  const results = await finished(bench, run);
  expect(results[0]).toMatchObject({ toolCall: 'c1', isError: true, refused: 'PERMISSION_REFUSED' });
});

test('[Q9] a child run with its own workspace is merged home by itself', async () => {
  const child = build({
    name: 'step',
    roles: { coder: {} },
    states: [
      work('make', turn('coder', "'make'"), [to('home')]),
      work('home', { kind: 'merge', agent: null, verify: expression("'test -e made.txt'") }, [to('stop')]),
      end('stop'),
    ],
  });
  const parent = build({
    roles: { coder: {} },
    library: { step: child.workflow },
    states: [work('start', { kind: 'call', workflow: 'step', input: {}, workspace: 'own' }, [to('stop')]), end('stop')],
  });
  const bench = new FilesBench({
    files: FILES,
    answer: ({ call }) => (call === 1 ? uses('write_file', { path: 'made.txt', content: 'm' }) : says('done')),
  });
  const { host, world } = bench.host();
  const run = await host.start({ definition: parent, input: {}, project: bench.project });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok', failure: null });
  expect(readFileSync(join(world.workspaces.folderOf(run, 'main'), 'made.txt'), 'utf8')).toBe('m');
  expect(Object.keys(foldRecords(await bench.journal.read(run)).workspaces).sort()).toEqual(['main', 't1.shared']);
});
