import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CallRequest } from '../../src/actors/port.ts';
import { build, end, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { FilesBench, uses } from './bench.ts';

const definition = build({
  roles: { lead: { tasks: ['helper'] }, helper: { ask: ['execute_terminal'] } },
  states: [work('start', turn('lead', "'go'"), [to('stop')]), end('stop', 'agents.lead.getLastResponse()')],
});

/** The lead hands two parts out at once, then says what came back. */
function answer({ agent, call, messages }: CallRequest) {
  if (agent === 'lead' && call === 1) {
    return says('', [
      { id: 'a', name: 'task', arguments: { prompt: 'one', role: 'helper' } },
      { id: 'b', name: 'task', arguments: { prompt: 'two', role: 'helper' } },
      { id: 'c', name: 'task', arguments: { prompt: 'three' } },
    ]);
  }
  if (agent === 'lead')
    return says(
      messages
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => content)
        .join(' + '),
    );
  const prompt = messages.at(0)?.content ?? '';
  if (call === 1) return uses('write_file', { path: `${prompt}.txt`, content: prompt });
  if (call === 2 && prompt === 'two') return uses('execute_terminal', { command: 'echo asked > asked.txt' });
  return says(`${prompt} is done`);
}

test('[Q8] an agent starts sub-agents in its step; they show in the tree, count in its budget and can ask a person', async () => {
  const bench = new FilesBench({ files: { 'a.txt': 'a' }, answer });
  const { host, world } = bench.host();
  const run = await host.start({ definition, input: {}, project: bench.project });
  const waiting = await host.rest(run);
  expect(waiting).toMatchObject({ status: 'waiting', questions: [{ kind: 'permission' }] });
  expect(waiting.questions[0]?.id).toMatch(/^t1-1\.1\/permit\//);

  // A new process finds the same sub-agent and goes on with it.
  await host.shutdown();
  const second = bench.host().host;
  await second.resume(run);
  await second.rest(run);
  await second.answer(run, { answer: 'yes', by: 'ann' });
  const rest = await second.rest(run);
  expect(rest).toMatchObject({ outcome: 'ok' });
  expect(rest.output).toContain('one is done + two is done');
  // The lead itself has one role it may hand to, and its own is not it.
  expect(rest.output).toContain('The arguments of task do not fit: role: expected "helper"');

  const folder = world.workspaces.folderOf(run, 'main');
  expect(readFileSync(join(folder, 'one.txt'), 'utf8')).toBe('one');
  expect(existsSync(join(folder, 'asked.txt'))).toBe(true);
  const children = await bench.journal.runs({ parent: run });
  expect(Object.fromEntries(children.map((child) => [child.run, child.outcome]))).toEqual({
    [`${run}/t1-1.0`]: 'ok',
    [`${run}/t1-1.1`]: 'ok',
  });
  // Two calls of the lead, two and three of the helpers.
  expect(rest.usage.calls).toBe(7);
});
