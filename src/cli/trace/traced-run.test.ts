import { expect, onTestFinished, test } from 'vitest';
import type { Actor, CallReply, CallRequest } from '../../actors/port.ts';
import type { Definition } from '../../core/model/definition.ts';
import { isSummaryPrompt } from '../../core/look/summary-prompt.ts';
import { createEmbeddedHost } from '../../host/embedded/embedded-host.ts';
import { build, each, end, to, turn, work } from '../../host/testing/build-definition.ts';
import { says, testWorld } from '../../host/testing/test-world.ts';
import { windowedModel } from '../../host/testing/windowed-model.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { RequestView } from '../../protocol/request-trace.ts';
import { defineTool } from '../../tools/define-tool.ts';
import type { Tool } from '../../tools/port.ts';
import { NO_ACTORS } from '../../app/config/choose-actor.ts';
import { EMPTY_CONFIG } from '../../app/config/config.ts';
import { tracedCalls } from '../../app/trace/traced-calls.ts';
import { traceRequests } from '../../app/trace/trace-requests.ts';
import { linesText, viewText } from '../commands/prompt-trace.ts';
import { WholeRequests } from '../../app/trace/view-request.ts';

const readTool = (characters: number, description = 'Reads a file.'): Tool =>
  defineTool({
    name: 'read',
    description,
    parameters: { type: 'object', properties: { file: { type: 'integer' } }, required: ['file'] },
    repeat: 'safe',
    access: 'talk',
    run: ({ file }) => `file ${Number(file)}\n${'some words of code '.repeat(characters / 19)}`,
  });

const model = { name: 'm', provider: 'openai-compatible', model: 'm', baseUrl: 'http://127.0.0.1:9/v1' } as const;
const actors = {
  config: { ...EMPTY_CONFIG, models: { base: { kind: 'api' as const, config: model, apiKeyEnv: null } } },
  overrides: {},
  cast: NO_ACTORS,
  environment: {},
};

const scripted = {
  ...actors,
  config: { ...EMPTY_CONFIG, models: { base: { kind: 'scripted' as const, scenario: 'gone.yaml' } } },
};

interface Played {
  readonly definition: Definition;
  readonly actor: Actor;
  readonly tools?: readonly Tool[];
}

interface Today {
  readonly tools?: readonly Tool[];
  readonly isUnderWay?: boolean;
  /** By the settings. */
  readonly isScripted?: boolean;
}

/** Plays a run, then traces it with the tools of another day. */
async function traced(
  { definition, actor, tools = [] }: Played,
  { isUnderWay = false, isScripted = false, ...now }: Today = {},
) {
  const journal = createMemoryJournal();
  const world = testWorld({ journal, answer: () => says(''), tools });
  const host = createEmbeddedHost({ ...world, actorFor: () => Promise.resolve(actor) });
  onTestFinished(() => host.shutdown());
  const run = await host.start({ definition, input: {}, project: '/' });
  if (!isUnderWay) await host.rest(run);
  const place = { world: { tools, ...now }, actors: isScripted ? scripted : actors, journal };
  const lines = await traceRequests(await tracedCalls(journal, run), place);
  const whole = new WholeRequests(lines, () => tracedCalls(journal, run), place);
  const view = async (number: number): Promise<RequestView> => {
    const line = lines[number - 1];
    if (line === undefined) throw new Error(`There is no request ${number}.`);
    return await whole.view(line);
  };
  const facts = (await journal.read(run)).map(({ fact }) => fact);
  return { lines, view, facts };
}

const answering = (answer: (request: CallRequest) => CallReply): Actor => ({
  kind: 'test',
  call: (request) => Promise.resolve(answer(request)),
});

/** Reads one file after the other, then is done; asked for a summary it gives one. */
const readsFiles =
  (files: number) =>
  ({ messages, call }: CallRequest): CallReply => {
    if (isSummaryPrompt(messages.at(-1)?.content ?? '')) return says('Summary: files were read.');
    return call > files ? says('All read.') : says('', [{ id: `c${call}`, name: 'read', arguments: { file: call } }]);
  };

const one = (input: string): Definition =>
  build({ roles: { coder: {} }, states: [work('code', turn('coder', input), [to('stop')]), end('stop')] });

test('[A6] a window that the endpoint named counts in the trace from the request that was refused', async () => {
  const known = { tokens: 128_000, output: 1200, isConfigured: false };
  const { lines } = await traced({
    definition: one("'Read all.'"),
    actor: windowedModel({ window: 6000, known, answer: readsFiles(9) }),
    tools: [readTool(4000)],
  });
  const refused = lines.findIndex(({ failure }) => failure === 'CONTEXT_OVERFLOW');
  expect(refused).toBeGreaterThan(0);
  expect(lines.map(({ window }) => window)).toEqual(lines.map((_, at) => (at < refused ? 128_000 : 6000)));
});

test.each([
  ['clearing old results', true, 'results.cleared'],
  ['asking for a summary', false, 'compaction.started'],
] as const)('[A6] %s is no attempt, and a request for a summary is named as one', async (_, mayEdit, cut) => {
  const { lines, facts } = await traced({
    definition: one("'Read all.'"),
    actor: windowedModel({ window: 8000, known: { mayEdit }, answer: readsFiles(14) }),
    tools: [readTool(3000)],
  });
  expect(facts.map(({ kind }) => kind)).toContain(cut);
  expect(lines.map(({ attempt }) => attempt)).toEqual(lines.map(() => 1));
  const summaries = facts.filter((fact) => fact.kind === 'call.answered' && fact.summary !== undefined);
  expect(lines.filter(({ isSummary }) => isSummary)).toHaveLength(summaries.length);
  expect(summaries.length > 0).toBe(!mayEdit);
  expect(linesText(lines, 200).includes(', summary ')).toBe(!mayEdit);
});

test.each([
  ['all of it fits', { mayEdit: false }],
  ['only a part of it fits', { tokens: 128_000, output: 1200, isConfigured: false }],
] as const)('[A6] a request for a summary ends with what it asks for where %s', async (_, known) => {
  const { lines, view } = await traced({
    definition: one("'Read all.'"),
    actor: windowedModel({ window: 6000, known, answer: readsFiles(14) }),
    tools: [readTool(3000)],
  });
  const summaries = await Promise.all(lines.filter(({ isSummary }) => isSummary).map(({ number }) => view(number)));
  expect(summaries.length).toBeGreaterThan(0);
  for (const { blocks } of summaries) expect(blocks.at(-1)?.text).toMatch(/Call no tool: answer with text alone\.$/);
});

test('[A6] the trace estimates tokens as the engine did, and shows what the provider counted as its number', async () => {
  const { lines, view, facts } = await traced({
    definition: one("'Read all.'"),
    actor: windowedModel({ window: 8000, answer: readsFiles(14) }),
    tools: [readTool(3000)],
  });
  const counted = facts.flatMap((fact) => (fact.kind === 'call.answered' ? [fact.usage.inputTokens] : []));
  expect(lines.map(({ countedTokens }) => countedTokens)).toEqual(counted);
  // From the second call on the engine knows how the provider counts.
  const errors = lines.slice(1, 6).map(({ tokens, countedTokens: known }) => Math.abs(tokens / (known ?? 1) - 1));
  expect(Math.max(...errors)).toBeLessThan(0.1);
  const { blocks, tokens } = await view(3);
  expect(Math.abs(blocks.reduce((sum, block) => sum + block.tokens, 0) - tokens)).toBeLessThanOrEqual(blocks.length);
  expect(linesText(lines, 200)).toContain('~ is an estimate');
});

test('[A3] an order that is given again comes from the record that gave it', async () => {
  const again = (name: string, next: string) => work(name, turn('coder', "'Count to three, please.'"), [to(next)]);
  const { view, facts } = await traced({
    definition: build({ roles: { coder: {} }, states: [again('one', 'two'), again('two', 'stop'), end('stop')] }),
    actor: answering(() => says('One, two, three.')),
  });
  const orders = facts.flatMap(({ kind }, at) => (kind === 'task.started' ? [at + 1] : []));
  const { blocks } = await view(2);
  expect(blocks.filter(({ section }) => section === 'messages').map(({ origin }) => origin)).toEqual([
    `order to coder (record ${orders[0]})`,
    expect.stringMatching(/^coder \(record \d+\)$/),
    `order to coder (record ${orders[1]})`,
  ]);
});

test('[A3] a tool result is shown with the name of its tool', async () => {
  const { view } = await traced({
    definition: one("'Read all.'"),
    actor: answering(readsFiles(1)),
    tools: [readTool(100)],
  });
  const { blocks } = await view(2);
  expect(blocks.find(({ kind }) => kind === 'tool_result')?.text).toMatch(/^← read: file 1\n/);
  const used = blocks.filter(({ kind }) => kind.startsWith('tool_')).map(({ origin }) => origin);
  expect(used).toEqual(used.map(() => expect.stringMatching(/^record \d+: read$/)));
});

test('[A3] a request is listed and shown with what came back', async () => {
  const { lines, view } = await traced({
    definition: one("'Read all.'"),
    actor: answering(readsFiles(1)),
    tools: [readTool(100)],
  });
  expect(lines.map(({ answer }) => answer)).toEqual(['→ read', 'All read.']);
  expect((await view(1)).wholeAnswer).toBe('→ read {"file":1}');
  expect(linesText(lines, 200)).toMatch(/ANSWER +NOTE\n1 .* → read/);
  expect(viewText(await view(2), (_, text) => text)).toMatch(/── answer \(record \d+\)\nAll read\.\n/);
});

test('[A3] a request of a run below is listed with the step that made it', async () => {
  const child = build({ name: 'below', states: [work('code', turn('coder', "'Go.'"), [to('stop')]), end('stop')] });
  const definition = build({
    library: { below: child.workflow },
    states: [
      work('all', each("['a', 'b']", { kind: 'call', workflow: 'below', input: {} }, 2), [to('stop')]),
      end('stop'),
    ],
  });
  const { lines } = await traced({ definition, actor: answering(() => says('Done.')) });
  expect(lines.map(({ step }) => step)).toEqual(['a', 'b']);
  expect(linesText(lines, 200)).toMatch(/^# +STEP +AGENT/);
});

test('[A3] where two requests part, the line in which they differ is shown whole', async () => {
  const { lines, view } = await traced({
    definition: one("'Read the first line of the task.\\n\\nThen read all files.'"),
    actor: windowedModel({ window: 8000, known: { mayEdit: true }, answer: readsFiles(14) }),
    tools: [readTool(3000)],
  });
  const views = await Promise.all(lines.map(({ number }) => view(number)));
  const parted = views.find(({ difference }) => difference?.isLonger === false)?.difference;
  expect(parted).toMatchObject({ block: 'messages tool', line: 1, before: '← read: file 1' });
  expect(parted?.now).toMatch(/^← read: \[Cleared by troupe/);
});

test('[A3] a run is traced with the tools that it began with, worded as they were', async () => {
  const then = readTool(100, 'Reads a file, as of then.');
  const { view } = await traced(
    { definition: one("'Read.'"), actor: answering(readsFiles(1)), tools: [then] },
    { tools: [readTool(100, 'Reads a file, reworded since.')] },
  );
  const tools = (await view(1)).blocks.filter(({ section }) => section === 'tools');
  expect(tools.map(({ text }) => text)).toEqual([expect.stringContaining('as of then')]);
});

test('[A3] a request that did not leave this process, or has no answer, is named as built again', async () => {
  const played = { definition: one("'Read.'"), actor: answering(readsFiles(1)), tools: [readTool(100)] };
  const inside = await traced(played, { isScripted: true });
  expect((await inside.view(1)).notes).toEqual([expect.stringContaining('No request was sent')]);
  const failure = { code: 'CANCELLED', message: 'Stopped.', class: 'cancelled' } as const;
  const silent: Actor = {
    kind: 'test',
    call: (_, { signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'failed', failure }))),
  };
  const waiting = await traced({ ...played, actor: silent }, { isUnderWay: true });
  expect((await waiting.view(1)).notes).toEqual([expect.stringContaining('has no answer to this request')]);
});

test.each([
  ['was not recorded', null],
  ['was recorded as text that is no JSON', '{"model":"m","messages":[{","cache_control":{}role":"user"}]}'],
])('[A3] a request of a real model that %s is built again, and said to be', async (_, text) => {
  const actor: Actor = {
    kind: 'test',
    call: (_request, { onSent }) => {
      if (text !== null) onSent?.(text, 'anthropic');
      return Promise.resolve(says('Done.'));
    },
  };
  const { view, facts } = await traced({ definition: one("'Read.'"), actor });
  expect(facts.some((fact) => fact.kind === 'call.answered' && fact.sent !== undefined)).toBe(text !== null);
  const { notes, blocks } = await view(1);
  expect(notes).toEqual([expect.stringContaining('The journal does not hold this request')]);
  expect(blocks.at(-1)?.text).toContain('Read.');
});

test.each([900, 1300, 6000])('[A6] only requests that left are listed, with a window of %d tokens', async (window) => {
  const known = { tokens: 128_000, output: 200, isConfigured: window === 900 };
  const actor = windowedModel({ window, known: window === 900 ? {} : known, answer: readsFiles(9) });
  const order = `'${'Read all files of this project. '.repeat(90)}'`;
  const { lines } = await traced({ definition: one(order), actor, tools: [readTool(4000)] });
  expect(lines).toHaveLength(actor.sent.length);
});
