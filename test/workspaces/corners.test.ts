import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { findStep } from '../../src/core/history/find-step.ts';
import { foldRecords } from '../../src/core/fold/fold.ts';
import { build, end, expression, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { FilesBench, uses, withAgents } from './bench.ts';

const FILES = { 'a.txt': 'a' };

test('[RW1] after a rollback into a turn a sub-agent is asked again, and the old answer is not taken for the new one', async () => {
  let round = 0;
  const definition = build({
    roles: { lead: { tasks: ['helper'] }, helper: {} },
    states: [work('start', turn('lead', "'go'"), [to('stop')]), end('stop', 'agents.lead.getLastResponse()')],
  });
  const bench = new FilesBench({
    files: FILES,
    answer: ({ agent, call, messages }) => {
      if (agent === 'helper') return says(`answer to ${messages[0]?.content}`);
      if (call === 1) return uses('list_files', {});
      if (call > 2) return says(messages.findLast(({ role }) => role === 'tool')?.content ?? '');
      round += 1;
      return uses('task', { prompt: `round ${round}`, role: 'helper' });
    },
  });
  const { host } = bench.host();
  const run = await host.start({ definition, input: {}, project: bench.project });
  expect(await host.rest(run)).toMatchObject({ output: 'answer to round 1' });
  const listed = (await bench.journal.read(run)).find(({ fact }) => fact.kind === 'tool.finished');
  await host.rewind(run, { to: listed?.seq ?? 0, files: true, conversation: true, by: 'ann' });
  await host.resume(run);
  expect(await host.rest(run)).toMatchObject({ output: 'answer to round 2' });
});

test('[RW2] a workspace made after the record a run is put back to is made again, from what the others have', async () => {
  const definition = withAgents(
    {
      roles: { coder: {}, reviewer: {} },
      states: [
        work('code', turn('coder', "'go'"), [to('review')]),
        work('review', turn('reviewer', "'go'"), [to('stop')]),
        end('stop'),
      ],
    },
    { reviewer: { workspace: 'own' } },
  );
  const bench = new FilesBench({
    files: FILES,
    answer: ({ agent, call }) =>
      call === 1 ? uses('write_file', { path: `${agent}.txt`, content: agent }) : says('done'),
  });
  const { host, world } = bench.host();
  const run = await host.start({ definition, input: {}, project: bench.project });
  await host.rest(run);
  const found = findStep(await bench.journal.read(run), 'review');
  await host.rewind(run, { to: found.ok ? found.seq : 0, files: true, conversation: true, by: 'ann' });
  expect((await host.snapshot(run)).workspaces['reviewer']).toMatchObject({ isGone: true });
  await host.resume(run);
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  const folder = world.workspaces.folderOf(run, 'reviewer');
  expect(existsSync(join(folder, 'coder.txt'))).toBe(true);
  expect(existsSync(join(folder, 'reviewer.txt'))).toBe(true);
});

test('[W2] what a cancelled tool wrote is named in the journal', async () => {
  const definition = build({
    roles: { coder: {} },
    states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')],
  });
  const bench = new FilesBench({
    files: FILES,
    answer: () => uses('execute_terminal', { command: 'echo x > made.txt; sleep 60' }),
  });
  const { host, world } = bench.host();
  const run = await host.start({ definition, input: {}, project: bench.project });
  const folder = world.workspaces.folderOf(run, 'main');
  await vi.waitFor(() => expect(existsSync(join(folder, 'made.txt'))).toBe(true), { timeout: 30_000, interval: 20 });
  await host.cancel(run, 'ann', 'enough');
  expect(await host.rest(run)).toMatchObject({ outcome: 'cancelled' });
  const { workspaces } = foldRecords(await bench.journal.read(run));
  const store = await world.workspaces.store(bench.project);
  const tree = workspaces['main']?.tree;
  expect(tree === undefined ? [] : [...(await store.entries(tree)).keys()]).toContain('made.txt');
});

test('[W1] what a person did in the workspace while the run rested stays, and is reported as theirs', async () => {
  const definition = build({
    roles: { coder: { ask: ['execute_terminal'] } },
    states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')],
  });
  const bench = new FilesBench({
    files: FILES,
    answer: ({ call }) => {
      if (call === 1) return uses('write_file', { path: 'first.txt', content: '1' });
      return call === 2 ? uses('execute_terminal', { command: 'cat by-hand.txt' }) : says('done');
    },
  });
  const first = bench.host();
  const run = await first.host.start({ definition, input: {}, project: bench.project });
  await first.host.rest(run);
  await first.host.shutdown();
  const folder = first.world.workspaces.folderOf(run, 'main');
  writeFileSync(join(folder, 'by-hand.txt'), 'mended by hand');
  const { host } = bench.host();
  await host.resume(run);
  await host.rest(run);
  // The command was asked about before there was this file.
  await expect(host.answer(run, { answer: 'yes', by: 'ann' })).rejects.toMatchObject({ code: 'ANSWER_VOID' });
  await host.answer(run, { answer: 'yes', by: 'ann' });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  expect(existsSync(join(folder, 'by-hand.txt'))).toBe(true);
  const facts = await bench.facts(run);
  expect(facts.filter((fact) => fact.kind === 'files.changed').map(({ why }) => why)).toEqual(['work', 'outside']);
  expect(facts.findLast((fact) => fact.kind === 'tool.finished')?.content).toContain('mended by hand');
});

test('[Q8] a sub-agent that was stopped is paid for', async () => {
  const definition = build({
    roles: { lead: { tasks: ['helper'] }, helper: {} },
    states: [
      work('start', turn('lead', "'go'"), [to('stop')], { timeoutMs: 2500, on: { timeout: [to('stop')] } }),
      end('stop'),
    ],
  });
  const bench = new FilesBench({
    files: FILES,
    answer: ({ agent, call }) => {
      if (agent === 'lead') return uses('task', { prompt: 'x', role: 'helper' });
      return call < 3
        ? uses('todo_write', { items: [] }, `l${call}`)
        : uses('execute_terminal', { command: 'sleep 30' });
    },
  });
  const { host } = bench.host();
  const run = await host.start({ definition, input: {}, project: bench.project });
  const rest = await host.rest(run);
  const [child] = await bench.journal.runs({ parent: run });
  const spent = child === undefined ? 0 : foldRecords(await bench.journal.read(child.run)).usage.calls;
  expect(spent).toBeGreaterThan(0);
  const { usage } = foldRecords(await bench.journal.read(run));
  expect({ outcome: rest.outcome, calls: usage.calls }).toEqual({ outcome: 'ok', calls: 1 + spent });
});

test('[Q9] merges into different workspaces are checked apart: what one lacks is not found in the other', async () => {
  const child = build({
    name: 'step',
    roles: { ann: {}, bob: {} },
    states: [
      work('make', turn('bob', 'common_data.who'), [to('home')]),
      work('home', { kind: 'merge', agent: 'bob', verify: expression("'sleep 0.5; test -e good.txt'") }, [to('stop')]),
      end('stop'),
    ],
  });
  const apart = { ...child.workflow, agents: child.workflow.agents.map((agent) => ({ ...agent, workspace: 'own' })) };
  const call = (who: string) => ({
    kind: 'call' as const,
    workflow: 'step',
    input: { who: expression(`'${who}'`) },
    workspace: 'own' as const,
  });
  const parent = build({
    roles: { ann: {}, bob: {} },
    library: { step: { ...apart, inputs: [{ name: 'who', type: 'string', description: '', required: true }] } },
    states: [
      work(
        'start',
        {
          kind: 'pool',
          units: {
            kind: 'fixed',
            list: [
              { id: 'good', after: [], work: call('good') },
              { id: 'bad', after: [], work: call('bad') },
            ],
          },
          slots: 2,
          join: { rule: 'any' },
          grow: null,
        },
        [to('stop')],
        { on: { partial: [to('stop')] } },
      ),
      end('stop'),
    ],
  });
  const bench = new FilesBench({
    files: FILES,
    answer: ({ call: number, messages }) => {
      const who = messages.find(({ content }) => /^(?:good|bad)$/.test(content))?.content ?? '';
      return number === 1 ? uses('write_file', { path: `${who}.txt`, content: who }) : says('done');
    },
  });
  const { host } = bench.host();
  const run = await host.start({ definition: parent, input: {}, project: bench.project });
  await host.rest(run);
  const children = await bench.journal.runs({ parent: run });
  expect(children.map(({ outcome }) => outcome).sort((a, b) => String(a).localeCompare(String(b)))).toEqual([
    'failed',
    'ok',
  ]);
});

test('a run that is driven here is not put back under its own feet', async () => {
  const definition = build({
    roles: { coder: {} },
    states: [work('code', { kind: 'ask', question: expression("'Well?'"), choices: [] }, [to('stop')]), end('stop')],
  });
  const bench = new FilesBench({ files: FILES, answer: () => says('') });
  const { host } = bench.host();
  const run = await host.start({ definition, input: {}, project: bench.project });
  await host.rest(run);
  const options = { to: 1, files: true, conversation: true, by: 'ann' };
  await expect(host.rewind(run, options)).rejects.toMatchObject({ code: 'RUN_BUSY' });
});

test('[PA4] a pause that no process took does not outlive the resume that came after it', async () => {
  const definition = build({
    roles: { coder: {} },
    states: [work('code', { kind: 'ask', question: expression("'Well?'"), choices: [] }, [to('stop')]), end('stop')],
  });
  const bench = new FilesBench({ files: FILES, answer: () => says('') });
  const first = bench.host().host;
  const run = await first.start({ definition, input: {}, project: bench.project });
  await first.shutdown();
  const { host } = bench.host();
  await host.pause(run, 'ann', 'lunch');
  await host.resume(run);
  expect((await host.snapshot(run)).held).toBeNull();
});
