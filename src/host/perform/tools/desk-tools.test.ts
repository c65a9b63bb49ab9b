import { expect, onTestFinished, test } from 'vitest';
import type { Actor } from '../../../actors/port.ts';
import type { Role } from '../../../core/model/role.ts';
import { createMemoryJournal } from '../../../journal/memory/memory-journal.ts';
import { defineTool, refusedTool } from '../../../tools/define-tool.ts';
import type { Tool } from '../../../tools/port.ts';
import { connect, handIn } from '../../desk/testing/desk-bench.ts';
import { createEmbeddedHost } from '../../embedded/embedded-host.ts';
import { build, end, to, turn, work } from '../../testing/build-definition.ts';
import { CLIENT_TRAITS } from '../../testing/stopping-client.ts';
import { says, testWorld } from '../../testing/test-world.ts';

const ofServer = (name: string, more: Partial<Tool> = {}): Tool => ({
  ...defineTool<{ text: string }>({
    name: `mcp__docs__${name}`,
    description: name,
    parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    repeat: 'safe',
    access: 'talk',
    run: ({ text }) => (text === 'bad' ? refusedTool('no such page') : text.repeat(10_000)),
  }),
  origin: 'mcp',
  ...more,
});

/** A tool that ships with Troupe: clients have their own for that. */
const shipped = defineTool({
  name: 'shipped',
  description: '',
  parameters: { type: 'object' },
  repeat: 'safe',
  access: 'talk',
  run: () => '',
});

/** One of the project, which works in the client's workspace. */
const own: Tool = {
  ...defineTool({
    name: 'own',
    description: '',
    parameters: { type: 'object' },
    repeat: 'safe',
    access: 'write',
    run: (_input, { folder, mode, network, place }) => JSON.stringify([folder, mode, network, place !== undefined]),
  }),
  origin: 'project',
};

const TOOLS = [own, ofServer('search'), ofServer('lookup'), ofServer('publish', { leastMode: 'write' }), shipped];

type Hand = (name: string, given: Readonly<Record<string, string>>) => ReturnType<typeof handIn>;

/** One turn of a client in this role: what it saw at its desk. */
async function atDesk<Seen>(
  role: Partial<Role>,
  use: (hand: Hand, tools: readonly string[]) => Promise<Seen>,
  answer?: string,
) {
  const seen: Seen[] = [];
  const call: Actor['call'] = async ({ client }) => {
    if (client?.desk === undefined || client.desk === null) return says('no desk');
    const connected = await connect(client.desk);
    seen.push(await use((name, given) => handIn(connected, given, name), client.desk.tools));
    return says('done');
  };
  const journal = createMemoryJournal();
  const world = testWorld({ journal, client: CLIENT_TRAITS, answer: () => says(''), call, tools: TOOLS });
  const host = createEmbeddedHost(world);
  onTestFinished(() => host.shutdown());
  const states = [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')];
  const run = await host.start({ definition: build({ roles: { coder: role }, states }), input: {}, project: '.' });
  const rest = await host.rest(run);
  expect(rest.status === 'settled').toBe(answer === undefined);
  if (answer !== undefined) await host.answer(run, { answer, by: 'ann' });
  expect(await host.rest(run)).toMatchObject({ status: 'settled', failure: null });
  return seen;
}

test('[A9] a client gets the tools of the project and of MCP servers at its desk, in one order, bounded, with errors as errors', async () => {
  const [seen] = await atDesk({}, async (hand, tools) => ({
    tools,
    own: await hand('own', {}),
    long: await hand('mcp__docs__search', { text: 'word ' }),
    bad: await hand('mcp__docs__search', { text: 'bad' }),
    wrong: await hand('mcp__docs__search', {}),
  }));
  expect(seen?.tools).toEqual(['mcp__docs__lookup', 'mcp__docs__publish', 'mcp__docs__search', 'own']);
  expect(seen?.own).toEqual({ text: JSON.stringify(['.', 'write', false, true]), isError: false });
  expect([seen?.long.isError, (seen?.long.text.length ?? 0) < 25_000]).toEqual([false, true]);
  expect(seen?.long.text).toContain('characters left out here');
  expect(seen?.bad).toEqual({ text: 'no such page', isError: true });
  expect(seen?.wrong).toEqual({ text: expect.stringContaining('text: is missing'), isError: true });
});

test('[PH3] a client’s desk has only the tools that its role and mode allow', async () => {
  const names = (role: Partial<Role>) => atDesk(role, (_hand, tools) => Promise.resolve(tools));
  expect(await names({ mode: 'read' })).toEqual([['mcp__docs__lookup', 'mcp__docs__search']]);
  expect(await names({ excludedTools: ['mcp__docs__lookup', 'own'] })).toEqual([
    ['mcp__docs__publish', 'mcp__docs__search'],
  ]);
  expect(await names({ includedTools: ['mcp__docs__lookup'] })).toEqual([['mcp__docs__lookup']]);
  expect(await names({ includedTools: ['mcp__docs__*'] })).toHaveLength(1);
  expect(await names({ includedTools: ['read_file'] })).toEqual([]);
});

test.each([
  ['no', { text: 'A person did not allow this. Continue without it.', isError: true }],
  ['yes', { text: 'no such page', isError: true }],
])('[PH3] a tool that a role has to ask for waits for a person at the desk too: %s', async (answer, heard) => {
  const seen = await atDesk({ ask: ['mcp__docs__*'] }, (hand) => hand('mcp__docs__search', { text: 'bad' }), answer);
  expect(seen).toEqual([heard]);
});
