import { expect, test } from 'vitest';
import type { Actor, ClientPrompt } from '../../actors/port.ts';
import { promptText, systemText } from '../../actors/clients/prompt-text.ts';
import { createEmbeddedHost } from '../../host/embedded/embedded-host.ts';
import { build, end, to, turn, work } from '../../host/testing/build-definition.ts';
import { says, testWorld } from '../../host/testing/test-world.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import { allTools } from '../../tools/all-tools.ts';
import { defineTool } from '../../tools/define-tool.ts';
import type { Tool } from '../../tools/port.ts';
import { NO_ACTORS } from '../../app/config/choose-actor.ts';
import { EMPTY_CONFIG } from '../../app/config/config.ts';
import { tracedCalls } from '../../app/trace/traced-calls.ts';
import { traceRequests } from '../../app/trace/trace-requests.ts';
import { WholeRequests } from '../../app/trace/view-request.ts';

const added: Tool = {
  ...defineTool({
    name: 'mcp__docs__search',
    description: 'Searches.',
    parameters: { type: 'object', properties: {} },
    repeat: 'safe',
    access: 'talk',
    run: () => '',
  }),
  origin: 'mcp',
};

test.each(['claude-code', null])(
  '[A3] the trace shows the tools of servers as the run has them, without a server: %s',
  async (actor) => {
    const journal = createMemoryJournal();
    const client = { provider: 'anthropic', choosesSession: true, canResume: true, canFork: false };
    const world = testWorld({ journal, answer: () => says('Done.'), tools: [added], ...(actor && { client }) });
    const host = createEmbeddedHost(world);
    const definition = build({
      roles: { coder: actor === null ? {} : { actor } },
      states: [work('one', turn('coder', "'Search.'"), [to('stop')]), end('stop')],
    });
    const run = await host.start({ definition, input: {}, project: '/' });
    await host.rest(run);
    await host.shutdown();
    const actors = { config: EMPTY_CONFIG, overrides: {}, cast: NO_ACTORS, environment: {} };
    const place = { world: { tools: allTools }, actors, journal };
    const lines = await traceRequests(await tracedCalls(journal, run), place);
    const [view] = await Promise.all(
      lines.map((line) => new WholeRequests(lines, () => tracedCalls(journal, run), place).view(line)),
    );
    const texts = view?.blocks.filter(({ section }) => section === 'tools').map(({ text }) => text) ?? [];
    expect(texts.filter((text) => text.includes('mcp__docs__search'))).toEqual([
      expect.stringContaining('`mcp__docs__search` Searches.'),
    ]);
  },
);

test('[A3] for a client the trace shows what was handed to the program', async () => {
  const journal = createMemoryJournal();
  const client = { provider: 'anthropic', choosesSession: true, canResume: true, canFork: false };
  const world = testWorld({ journal, client, answer: () => says('I counted.') });
  const host = createEmbeddedHost(world);
  const definition = build({
    roles: { coder: { actor: 'claude-code' } },
    states: [
      work('one', turn('coder', "'Count to three.'"), [to('two')]),
      work('two', turn('coder', "'And now backwards.'"), [to('stop')]),
      end('stop'),
    ],
  });
  const run = await host.start({ definition, input: {}, project: '/' });
  await host.rest(run);
  await host.shutdown();
  const actors = { config: EMPTY_CONFIG, overrides: {}, cast: NO_ACTORS, environment: {} };
  const place = { world, actors, journal };
  const lines = await traceRequests(await tracedCalls(journal, run), place);
  const whole = new WholeRequests(lines, () => tracedCalls(journal, run), place);
  const [first, second] = await Promise.all(lines.map((line) => whole.view(line)));
  expect(first).toMatchObject({ actor: 'client', model: 'claude-code', window: null, settings: { session: 'new' } });
  expect(first?.blocks.find(({ section }) => section === 'system')?.text).toContain('You are the coder.');
  expect(first?.blocks.at(-1)?.text).toBe('Count to three.');
  // Its own conversation goes on: it hears only what is new.
  expect(second?.blocks.at(-1)?.text).toBe('And now backwards.');
});

test('[A3] what a client was given is shown as it was, whatever the tools say by then, and what is not known is named', async () => {
  const journal = createMemoryJournal();
  const given: ClientPrompt[] = [];
  const actor: Actor = {
    kind: 'claude-code',
    client: { provider: 'anthropic', choosesSession: true, canResume: true, canFork: false },
    call: (request, { onPrompt }) => {
      const prompt = { system: systemText(request), prompt: promptText(request.client?.unheard ?? []) };
      given.push(prompt);
      onPrompt?.(prompt);
      return Promise.resolve(says('I searched.'));
    },
  };
  const { client = null } = actor;
  const world = testWorld({ journal, answer: () => says(''), tools: [added], ...(client && { client }) });
  const host = createEmbeddedHost({ ...world, actorFor: () => Promise.resolve(actor) });
  const order = `'Search. ${'And look everywhere. '.repeat(20)}'`;
  const run = await host.start({
    definition: build({
      roles: { coder: { actor: 'claude-code' } },
      states: [work('one', turn('coder', order), [to('stop')]), end('stop')],
    }),
    input: {},
    project: '/',
  });
  await host.rest(run);
  await host.shutdown();
  // Another model plays the role now.
  const models = { base: { kind: 'api' as const, config: { ...OTHER, name: 'm' }, apiKeyEnv: null } };
  const actors = { config: { ...EMPTY_CONFIG, models }, overrides: {}, cast: NO_ACTORS, environment: {} };
  const place = { world: { tools: allTools }, actors, journal };
  const lines = await traceRequests(await tracedCalls(journal, run), place);
  const whole = new WholeRequests(lines, () => tracedCalls(journal, run), place);
  const [view] = await Promise.all(lines.map((line) => whole.view(line)));
  expect(view).toMatchObject({ actor: 'client', model: 'claude-code', answer: 'I searched.' });
  const texts = view?.blocks.filter(({ section }) => section !== 'tools').map(({ text }) => text);
  expect(texts).toEqual([given[0]?.system, given[0]?.prompt]);
  expect(view?.notes).toEqual([expect.stringContaining('The program adds its own system prompt')]);
});

const OTHER = { provider: 'openai-compatible', model: 'm', baseUrl: 'http://127.0.0.1:9/v1' } as const;
