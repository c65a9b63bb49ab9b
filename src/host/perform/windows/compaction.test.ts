import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { CallReply, CallRequest } from '../../../actors/port.ts';
import type { Fact } from '../../../core/record/fact.ts';
import { runId } from '../../../core/model/ids.ts';
import { isSummaryPrompt } from '../../../core/look/summary-prompt.ts';
import { createMemoryJournal } from '../../../journal/memory/memory-journal.ts';
import type { Journal } from '../../../journal/port.ts';
import { allTools } from '../../../tools/all-tools.ts';
import type { Tool } from '../../../tools/port.ts';
import { testProject } from '../../../workspace/testing/test-project.ts';
import { createWorkspaces } from '../../../workspace/workspaces.ts';
import { createEmbeddedHost } from '../../embedded/embedded-host.ts';
import { build, end, to, turn, work } from '../../testing/build-definition.ts';
import { dyingJournal } from '../../testing/dying-journal.ts';
import { says, testWorld } from '../../testing/test-world.ts';
import { windowedModel, type WindowedModel } from '../../testing/windowed-model.ts';

const ORDER = 'ORDER 4711: make “parse” take tabs, and keep every test green.';

/** A file of so many characters for each number. */
const readTool = (characters: (file: number) => number): Tool => ({
  spec: {
    name: 'read',
    description: 'Reads a file.',
    parameters: { type: 'object', properties: { file: { type: 'integer' } }, required: ['file'] },
  },
  repeat: 'safe',
  access: 'talk',
  run: ({ file }) =>
    Promise.resolve({
      content: `file ${Number(file)}\n${'some words of code '.repeat(characters(Number(file)) / 19)}`,
      isError: false,
    }),
});

const isSummary = ({ messages }: CallRequest): boolean => isSummaryPrompt(messages.at(-1)?.content ?? '');

const reads = (call: number, file: number): CallReply =>
  says('', [{ id: `c${call}`, name: 'read', arguments: { file } }]);

/** Reads one file after the other, then is done. */
const readsFiles =
  (files: number, read = (call: number) => call) =>
  (request: CallRequest): CallReply => {
    if (isSummary(request)) return says('Summary: files were read. Next action: read on.');
    return request.call > files ? says('All read.') : reads(request.call, read(request.call));
  };

interface RunOptions {
  readonly model: WindowedModel;
  readonly journal?: Journal;
  readonly characters?: (file: number) => number;
  readonly owner?: string;
}

const definition = (rounds = 50) =>
  build({
    roles: { coder: {} },
    data: { order: ORDER },
    limits: { toolRounds: rounds },
    states: [work('code', turn('coder', 'common_data.order'), [to('stop')]), end('stop')],
  });

const RUN = runId('windowed');

function hostOf({ model, journal = createMemoryJournal(), characters = () => 3000, owner = 'test' }: RunOptions) {
  const world = testWorld({ journal, answer: () => says(''), tools: [readTool(characters)], owner });
  return { journal, host: createEmbeddedHost({ ...world, actorFor: () => Promise.resolve(model) }) };
}

async function runWith(options: RunOptions) {
  const { host, journal } = hostOf(options);
  await host.start({ definition: definition(), input: {}, run: RUN, project: '.' });
  const rest = await host.rest(RUN);
  const snapshot = await host.snapshot(RUN);
  await host.shutdown();
  const facts = (await journal.read(RUN)).map(({ fact }) => fact);
  return { rest, facts, snapshot };
}

const kinds = (facts: readonly Fact[], kind: Fact['kind']) => facts.filter((fact) => fact.kind === kind);

test('[A6] a turn that nears the window continues with its order and a summary, and no request exceeds the window', async () => {
  const model = windowedModel({ window: 16_000, known: { mayEdit: false }, answer: readsFiles(30) });
  const { rest, facts } = await runWith({ model });
  expect(rest).toMatchObject({ outcome: 'ok', failure: null });
  expect(kinds(facts, 'turn.compacted').length).toBeGreaterThan(1);
  expect(kinds(facts, 'turn.compacted')[0]).toMatchObject({ messages: expect.any(Number), before: expect.any(Number) });
  expect(model.sent.every(({ text, tokens }) => text.includes(ORDER) && tokens <= 16_000)).toBe(true);
  const after = model.sent[model.sent.findIndex(({ request }) => isSummary(request)) + 1];
  expect(after?.text).toContain('Summary: files were read.');
});

test('[A6] a summary is asked for with the same prefix, tools and system, plus one message', async () => {
  const model = windowedModel({ window: 16_000, known: { mayEdit: false }, answer: readsFiles(20) });
  await runWith({ model });
  const at = model.sent.findIndex(({ request }) => isSummary(request));
  const [before, summary] = [model.sent[at - 1]?.request, model.sent[at]?.request];
  expect(summary?.tools).toEqual(before?.tools);
  const limit = Number(/at most (\d+) words/.exec(summary?.messages.at(-1)?.content ?? '')?.[1]);
  expect(limit).toBeGreaterThan(100);
  expect(limit).toBeLessThanOrEqual(3000);
  expect(summary?.messages.slice(0, before?.messages.length)).toEqual(before?.messages);
});

test('[A6] [A7] a summary of work that has to change files is no claim that it is done', async () => {
  const { project, home } = testProject({ 'a.txt': 'a\n' });
  const model = windowedModel({ window: 16_000, known: { mayEdit: false }, answer: readsFiles(20) });
  const journal = createMemoryJournal();
  const world = testWorld({
    journal,
    answer: () => says(''),
    tools: [readTool(() => 3000), ...allTools],
    workspaces: createWorkspaces({ home }),
  });
  const host = createEmbeddedHost({ ...world, actorFor: () => Promise.resolve(model) });
  onTestFinished(() => host.shutdown());
  const { workflow, ...rest } = definition();
  const states = [work('code', { ...turn('coder', 'common_data.order'), changes: {} }, [to('stop')]), end('stop')];
  const changing = { ...rest, workflow: { ...workflow, ...build({ states }).workflow, data: workflow.data } };
  await host.start({ definition: changing, input: {}, run: RUN, project });
  await host.rest(RUN);
  const answers = (await journal.read(RUN)).flatMap(({ fact }) => (fact.kind === 'call.answered' ? [fact] : []));
  const summaries = answers.filter(({ summary }) => summary !== undefined);
  expect(summaries.length).toBeGreaterThan(0);
  expect(summaries.flatMap(({ evidence = [] }) => evidence)).toEqual([]);
  expect(answers.at(-1)?.evidence).toMatchObject([{ kind: 'changes', isChanged: false }]);
});

test('[A6] where the history may be edited, old results are cleared first and the newest stay', async () => {
  const model = windowedModel({ window: 16_000, answer: readsFiles(12) });
  const { facts } = await runWith({ model });
  const cleared = facts.find((fact) => fact.kind === 'results.cleared');
  expect(cleared?.toolCalls.length).toBeGreaterThan(1);
  expect(cleared?.after).toBeLessThan(cleared?.before ?? 0);
  expect(kinds(facts, 'turn.compacted')).toEqual([]);
  const last = model.sent.at(-1)?.text ?? '';
  expect(last).toContain('[Cleared by troupe to make room: a result of');
  expect(last).toContain('file 12\n');
});

test('[A6] an overflow leads to a summary and one more try, and the window is learned for the rest of the run', async () => {
  const model = windowedModel({
    window: 12_000,
    known: { tokens: 128_000, output: 8000, isConfigured: false, mayEdit: false },
    answer: readsFiles(24),
  });
  const { rest, facts, snapshot } = await runWith({ model });
  expect(rest).toMatchObject({ outcome: 'ok' });
  expect(kinds(facts, 'call.failed')).toMatchObject([
    { failure: { code: 'CONTEXT_OVERFLOW' }, size: { window: 12_000 }, retryAt: null },
  ]);
  expect(kinds(facts, 'compaction.started')[0]).toMatchObject({ reason: 'overflow' });
  expect(snapshot.windows).toEqual({ m: 12_000 });
  expect(model.sent.filter(({ tokens }) => tokens > 12_000).length).toBe(1);
});

test('[A6] two compactions without anything new in between stop the turn', async () => {
  const model = windowedModel({
    window: 16_000,
    known: { mayEdit: false },
    answer: readsFiles(60, (call) => call % 3),
  });
  const { rest, facts } = await runWith({ model });
  expect(rest.failure).toMatchObject({ code: 'NO_PROGRESS' });
  expect(kinds(facts, 'turn.compacted').length).toBe(1);
});

test('[A6] a window that is too small for the order fails before a request is sent, with both sizes', async () => {
  const model = windowedModel({ window: 64, answer: readsFiles(1) });
  const { rest } = await runWith({ model });
  expect(rest.failure).toMatchObject({
    code: 'WINDOW_TOO_SMALL',
    message: expect.stringMatching(/need about \d+ tokens.*window of 64/),
  });
  expect(rest.failure?.hint).toContain('`window`');
  expect(model.sent).toEqual([]);
});

test('[A6] an endpoint that counts more tokens than estimated gets ever smaller requests for a summary', async () => {
  const model = windowedModel({
    window: 12_000,
    charactersAToken: 1.2,
    known: { mayEdit: false },
    answer: readsFiles(20),
  });
  const { rest } = await runWith({ model, characters: () => 6000 });
  expect(rest).toMatchObject({ outcome: 'ok' });
  expect(model.sent.every(({ text }) => text.includes(ORDER))).toBe(true);
});

test('[L6] killed after any record of a compaction, the run ends the same and asks for no summary twice', async () => {
  const answer = readsFiles(14);
  const make = () => windowedModel({ window: 12_000, known: { tokens: 14_000, mayEdit: false }, answer });
  const whole = await runWith({ model: make() });
  expect(kinds(whole.facts, 'turn.compacted').length).toBeGreaterThan(0);
  const plain = (facts: readonly Fact[]) =>
    facts.filter(({ kind }) => kind !== 'run.resumed').map((fact) => ({ ...fact, ms: 0, retryAt: null, at: 0 }));
  for (let after = 2; after < whole.facts.length; after += 3) {
    const journal = createMemoryJournal({ isAlive: (owner) => owner !== 'dead' });
    const dying = dyingJournal(journal, { afterAppends: after });
    const first = hostOf({ model: make(), journal: dying, owner: 'dead' });
    await first.host.start({ definition: definition(), input: {}, run: RUN, project: '.' });
    await Promise.race([first.host.rest(RUN), dying.died]);
    if (!dying.isDead()) break;
    const second = hostOf({ model: make(), journal, owner: 'second' });
    await second.host.resume(RUN);
    expect(await second.host.rest(RUN)).toMatchObject({ outcome: 'ok' });
    await second.host.shutdown();
    const facts = (await journal.read(RUN)).map(({ fact }) => fact);
    expect(plain(facts).map(({ kind }) => kind)).toEqual(plain(whole.facts).map(({ kind }) => kind));
  }
});

test('[A1] over random files and windows the order is in every request, none exceeds the window, and every run ends', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        window: fc.oneof(fc.integer({ min: 4000, max: 20_000 }), fc.integer({ min: 20_000, max: 1_000_000 })),
        files: fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 1, maxLength: 12 }),
        rounds: fc.integer({ min: 1, max: 40 }),
        perRound: fc.integer({ min: 1, max: 4 }),
        mayEdit: fc.boolean(),
        summary: fc.integer({ min: 1, max: 30_000 }),
      }),
      async ({ window, files, rounds, perRound, mayEdit, summary }) => {
        const answer = (request: CallRequest): CallReply => {
          if (isSummary(request)) return says('S'.repeat(summary));
          if (request.call > rounds) return says('Done.');
          const many = Array.from({ length: perRound }, (_, index) => ({
            id: `c${index}`,
            name: 'read',
            arguments: { file: request.call * perRound + index },
          }));
          return says('Looking.', many);
        };
        const model = windowedModel({ window, known: { mayEdit }, answer });
        const { rest } = await runWith({ model, characters: (file) => files[file % files.length] ?? 0 });
        expect(rest.status).toBe('settled');
        expect(model.sent.filter(({ tokens }) => tokens > window)).toEqual([]);
        expect(model.sent.filter(({ text }) => !text.includes(ORDER))).toEqual([]);
        expect(model.sent.length).toBeLessThan(rounds * 8 + 8);
        expect(rest.failure?.code ?? 'NO_PROGRESS').toMatch(/NO_PROGRESS|WINDOW_TOO_SMALL/);
      },
    ),
    { numRuns: 60 },
  );
});
