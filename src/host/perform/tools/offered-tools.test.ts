import { expect, onTestFinished, test } from 'vitest';
import type { CallRequest } from '../../../actors/port.ts';
import type { Role } from '../../../core/model/role.ts';
import { createMemoryJournal } from '../../../journal/memory/memory-journal.ts';
import { allTools } from '../../../tools/all-tools.ts';
import type { ToolServices } from '../../../tools/port.ts';
import { taskSpec } from '../../../tools/engine-tools.ts';
import { createEmbeddedHost } from '../../embedded/embedded-host.ts';
import { build, end, to, turn, work } from '../../testing/build-definition.ts';
import { says, testWorld } from '../../testing/test-world.ts';

test('[A3] [A5] the tools of an agent are sorted and byte for byte the same in every call', async () => {
  const { lists, names } = await asked({}, ['read_file', 'settle_conflict', 'todo_write']);
  expect(lists.length).toBe(4);
  expect(new Set(lists).size).toBe(1);
  expect(names).toEqual([...names].sort());
});

test('[A3] web tools are offered only where they are configured', async () => {
  const { names: without } = await asked({});
  expect(without).toEqual(expect.not.arrayContaining(['web_search', 'web_fetch']));
  const { names: closed } = await asked({ web: { allow: [] } });
  expect(closed).not.toContain('web_fetch');
  const search = { url: 'https://search.example.org/?q={query}', kind: 'json' } as const;
  const { names } = await asked({ web: { allow: ['example.org'] }, search });
  expect(names).toEqual(expect.arrayContaining(['web_search', 'web_fetch']));
});

test('[A3] a call of a tool that was not offered is refused with the reason, and no refusal names such a tool', async () => {
  const { results } = await asked({}, ['web_search', 'nonsense_of_mine']);
  expect(results[0]).toMatch(/^There is no web search here: .*Continue without it\.$/);
  expect(results[1]).toMatch(/^There is no tool "nonsense_of_mine"\. Your tools are /);
  expect(results[1]).not.toMatch(/web_search|web_fetch/);
});

test('[A3] a refused call is answered with the tools of the request, its reply tools among them', async () => {
  const parameters = { type: 'object', properties: {} };
  const parsingTools = [{ name: 'review_work', description: 'Hand in.', parameters }];
  const role = { includedTools: ['grep'], parsingTools };
  const { names, results } = await asked({}, ['write_file', 'nonsense_of_mine', 'work_review'], role);
  expect(names).toEqual(['grep', 'review_work']);
  const list = 'Your tools are grep, review_work.';
  expect(results).toEqual([
    `write_file is not among the tools of your role. ${list}`,
    `There is no tool "nonsense_of_mine". ${list}`,
    'There is no tool "work_review". Did you mean review_work?',
  ]);
});

test('[A3] an agent in the main workspace, which is merged into nothing, is not offered settle_conflict', async () => {
  expect((await asked({})).names).not.toContain('settle_conflict');
});

test('[A3] the tool for sub-agents names the roles that may be started', () => {
  const schema = (tasks?: readonly string[]) =>
    taskSpec({ name: 'coder', ...(tasks === undefined ? {} : { tasks }) }).parameters;
  expect(schema(['scout', 'fixer'])).toMatchObject({
    properties: { role: { enum: ['scout', 'fixer'] } },
    required: ['prompt', 'role'],
  });
  expect(schema(['coder'])).toMatchObject({ required: ['prompt'] });
  expect(schema()).toMatchObject({ properties: { role: { description: 'Default: your own role' } } });
});

test('[PH3] [A3] an agent that may only read is offered and starts only sub-agents that read', async () => {
  const roles = {
    planner: { mode: 'read', tasks: ['builder', 'scout'] },
    builder: { mode: 'write' },
    scout: { mode: 'commands' },
  } as const;
  const definition = build({ roles, states: [work('plan', turn('planner', "'go'"), [to('stop')]), end('stop')] });
  const starts = (role: string) => says('', [{ id: role, name: 'task', arguments: { role, prompt: 'Do it.' } }]);
  const answer = ({ agent, call }: CallRequest) =>
    agent === 'planner' && call < 3 ? starts(call === 1 ? 'builder' : 'scout') : says('done');
  const journal = createMemoryJournal();
  const world = testWorld({ journal, answer, tools: allTools });
  const host = createEmbeddedHost(world);
  onTestFinished(() => host.shutdown());
  const run = await host.start({ definition, input: {}, project: '.' });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  expect(world.calls.map(({ agent }) => agent)).toEqual(['planner', 'planner', 'scout', 'planner']);
  const task = world.calls[0]?.tools.find(({ name }) => name === 'task');
  expect(task?.parameters).toMatchObject({ properties: { role: { enum: ['scout'] } } });
  expect(world.calls[1]?.messages.at(-1)?.content).toMatch(/^The arguments of task do not fit: role: .*"scout"/);
  const offered = world.calls[2]?.tools.map(({ name }) => name);
  expect(offered).toContain('read_file');
  expect(offered).toEqual(expect.not.arrayContaining(['execute_terminal', 'write_file', 'edit_file']));
});

/** One turn that calls these tools one after another, then ends. */
async function asked(services: Omit<ToolServices, 'shell'>, uses: readonly string[] = [], role: Partial<Role> = {}) {
  const definition = build({
    roles: { coder: role },
    states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')],
  });
  const answer = ({ call }: CallRequest) => {
    const name = uses[call - 1];
    return name === undefined ? says('done') : says('', [{ id: `c${call}`, name, arguments: { query: 'x' } }]);
  };
  const journal = createMemoryJournal();
  const world = testWorld({ journal, answer, tools: allTools });
  const host = createEmbeddedHost({ ...world, services });
  onTestFinished(() => host.shutdown());
  const run = await host.start({ definition, input: {}, project: '.' });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  const facts = (await journal.read(run)).map(({ fact }) => fact);
  return {
    lists: world.calls.map(({ tools }) => JSON.stringify(tools)),
    names: world.calls[0]?.tools.map(({ name }) => name) ?? [],
    results: facts.flatMap((fact) => (fact.kind === 'tool.finished' ? [fact.content] : [])),
  };
}
