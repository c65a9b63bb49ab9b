import { expect, onTestFinished, test } from 'vitest';
import type { CallRequest } from '../../actors/port.ts';
import { bodyHash } from '../../core/model/ids.ts';
import type { Role } from '../../core/model/role.ts';
import type { Definition } from '../../core/model/definition.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import { KnownSecrets } from '../../secrets/known-secrets.ts';
import { allTools } from '../../tools/all-tools.ts';
import { defineTool } from '../../tools/define-tool.ts';
import type { Tool } from '../../tools/port.ts';
import type { World } from '../world.ts';
import { build, end, expression, to, turn, work } from '../testing/build-definition.ts';
import { says, testWorld } from '../testing/test-world.ts';
import { createEmbeddedHost } from './embedded-host.ts';

const added = (name: string, description: string, origin: NonNullable<Tool['origin']> = 'mcp'): Tool => ({
  ...defineTool({
    name,
    description,
    parameters: { type: 'object', properties: { text: { type: 'string' } } },
    repeat: 'safe',
    access: 'talk',
    run: () => `${name} answers`,
  }),
  origin,
});

const SEARCH = added('mcp__docs__search', 'Searches.');
const LOOKUP = added('mcp__docs__lookup', 'Looks up.');
const COUNT = added('count', 'Counts.', 'project');

const ask = { kind: 'ask', question: expression("'Go on?'"), choices: ['yes'] } as const;

/** A turn, a question to a person, and a turn. */
const waiting = (role: Partial<Role> = {}): Definition =>
  build({
    roles: { coder: role },
    states: [
      work('a', turn('coder', "'first'"), [to('b')]),
      work('b', ask, [to('c')]),
      work('c', turn('coder', "'second'"), [to('e')]),
      end('e'),
    ],
  });

function bench() {
  const journal = createMemoryJournal();
  const open = (tools: readonly Tool[], uses: readonly string[] = [], change: Partial<World> = {}) => {
    const answer = ({ call }: CallRequest) => {
      const name = uses[call - 1];
      return name === undefined ? says('Done.') : says('', [{ id: `c${call}`, name, arguments: {} }]);
    };
    const world = testWorld({ journal, answer, tools: [...allTools, ...tools] });
    const host = createEmbeddedHost({ ...world, ...change });
    onTestFinished(() => host.shutdown());
    return { host, calls: world.calls };
  };
  const results = async (run: Parameters<typeof journal.read>[0]) =>
    (await journal.read(run)).flatMap(({ fact }) => (fact.kind === 'tool.finished' ? [fact] : []));
  return { journal, open, results };
}

const start = { input: {}, project: '.' } as const;
const offered = (request: CallRequest | undefined): string => JSON.stringify(request?.tools);

test('[A3] another process and a fork offer the tools that the run began with, whatever servers and files have now', async () => {
  const { journal, open, results } = bench();
  const first = open([SEARCH, LOOKUP, COUNT]);
  const run = await first.host.start({ ...start, definition: waiting() });
  await first.host.rest(run);
  await first.host.shutdown();
  const changed = [added('mcp__docs__lookup', 'Looks up elsewhere.'), added('mcp__docs__publish', 'Publishes.')];
  const later = open(changed, ['mcp__docs__search', 'count', 'mcp__docs__lookup', 'mcp__docs__publish']);
  const fork = await later.host.fork(run, { at: (await journal.read(run)).length, by: 'u' });
  for (const one of [run, fork]) {
    await later.host.resume(one);
    await later.host.answer(one, { answer: 'yes', by: 'u' });
    await later.host.rest(one);
    expect((await results(one)).map(({ content, refused }) => [refused, content])).toEqual([
      [
        'TOOL_GONE',
        expect.stringContaining('its MCP server cannot be used, or no longer has it. Continue without it.'),
      ],
      ['TOOL_GONE', expect.stringContaining('count was there when this run began and is not there now: its file')],
      [undefined, 'mcp__docs__lookup answers'],
      ['TOOL_UNKNOWN', expect.stringContaining('There is no tool "mcp__docs__publish".')],
    ]);
  }
  expect(offered(first.calls[0])).toContain('"Looks up."');
  expect(new Set(later.calls.map(offered))).toEqual(new Set([offered(first.calls[0])]));
});

test('[A3] a run that began without such tools gets none later, and one below has those of the run above it', async () => {
  const inner = build({ name: 'inner', states: [work('s', turn('coder', "'in'"), [to('e')]), end('e')] });
  const call = { kind: 'call', workflow: 'inner', input: {} } as const;
  const states = [work('b', ask, [to('c')]), work('c', call, [to('e')]), end('e')];
  const definition = build({ states, library: { inner: inner.workflow } });
  for (const [before, after] of [
    [[], [SEARCH]],
    [[SEARCH], []],
  ] as const) {
    const { open } = bench();
    const first = open(before);
    const run = await first.host.start({ ...start, definition });
    await first.host.rest(run);
    await first.host.shutdown();
    const later = open(after);
    await later.host.resume(run);
    await later.host.answer(run, { answer: 'yes', by: 'u' });
    await later.host.rest(run);
    expect(later.calls.map((one) => offered(one).includes('mcp__docs__search'))).toEqual([before.length > 0]);
  }
});

test('[U8] [A3] a run that was sent to workers offers what the first of them has, until it ends', async () => {
  const { journal, open, results } = bench();
  const sendAway = () => Promise.resolve({ id: 'name:project', rules: '' });
  const definition = waiting({ includedTools: ['count', 'mcp__docs__search', 'mcp__docs__lookup'] });
  const run = await open([COUNT]).host.start({ ...start, definition, sendAway });
  const first = open([COUNT, SEARCH]);
  await first.host.resume(run);
  await first.host.rest(run);
  await first.host.shutdown();
  const second = open([COUNT, LOOKUP], ['mcp__docs__search', 'count']);
  await second.host.resume(run);
  await second.host.answer(run, { answer: 'yes', by: 'u' });
  await second.host.rest(run);
  expect(first.calls[0]?.tools.map(({ name }) => name)).toEqual(['count', 'mcp__docs__search']);
  expect(offered(second.calls[0])).toBe(offered(first.calls[0]));
  expect((await results(run)).map(({ refused, content }) => refused ?? content)).toEqual([
    'TOOL_GONE',
    'count answers',
  ]);
  const resumed = (await journal.read(run)).flatMap(({ fact }) => (fact.kind === 'run.resumed' ? [fact.tools] : []));
  expect(resumed).toEqual([(await second.host.snapshot(run)).tools, undefined]);
});

test('[A9] an agent that has no other tool than one of a server uses it in a run without files', async () => {
  const { open, results } = bench();
  const { host, calls } = open([SEARCH], ['mcp__docs__search']);
  const definition = build({
    roles: { coder: { includedTools: ['mcp__docs__search'] } },
    states: [work('a', turn('coder', "'go'"), [to('e')]), end('e')],
  });
  const run = await host.start({ ...start, definition });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  expect(calls[0]?.tools.map(({ name }) => name)).toEqual(['mcp__docs__search']);
  expect(await results(run)).toMatchObject([{ content: 'mcp__docs__search answers', isError: false }]);
});

test('[P8] a secret in the description of a tool reaches neither an agent nor the journal', async () => {
  const key = 'sk-9fK2mQ7xW4bT8vR1cL6nD3hJ5gS0';
  const secrets = new KnownSecrets();
  secrets.add('API_KEY', key);
  const { journal, open } = bench();
  const { host, calls } = open([added('mcp__docs__search', `Searches with ${key}.`)], [], { secrets });
  const run = await host.start({ ...start, definition: waiting() });
  await host.rest(run);
  expect(offered(calls[0])).toContain('Searches with [redacted].');
  const { tools } = await host.snapshot(run);
  const stored = JSON.stringify(await journal.getBody(bodyHash(tools ?? '')));
  expect([stored.includes('Searches with'), stored.includes(key)]).toEqual([true, false]);
});
