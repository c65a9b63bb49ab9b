import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { isFault, type Problem } from '../../src/core/model/fault.ts';
import { defineTool, defineWorkflow, type RunHandle, type Troupe } from '../../src/index.ts';
import { codeOf, libraryProject } from './library.ts';

/** Only compiled: `npm run types` fails where an expected error does not come. */
const wrongOnPurpose = () =>
  defineWorkflow({
    name: 'story',
    input: z.object({ topic: z.string().min(3), length: z.number().int().default(100) }),
    data: { draft: '', tries: 0 },
    output: z.object({ text: z.string(), tries: z.number() }),
    agents: { writer: {} },
    states: {
      start: {
        work: {
          kind: 'turn',
          agent: 'writer',
          input: (run) => {
            expectTypeOf(run.common_data.topic).toEqualTypeOf<string>();
            expectTypeOf(run.common_data.length).toEqualTypeOf<number>();
            expectTypeOf(run.result).toEqualTypeOf<unknown>();
            return `Write ${run.common_data.length} words about ${run.common_data.topic}`;
          },
        },
        transitions: [
          {
            target: 'done',
            when: ({ common_data, result }) => common_data.tries > 0 && result !== '',
            assign: (run) => {
              run.common_data.draft = String(run.result);
              run.common_data.tries += 1;
            },
          },
          // @ts-expect-error -- there is no such state
          { target: 'dne' },
          // @ts-expect-error -- a condition gives true or false
          { target: 'start', when: (run) => run.common_data.draft },
          // @ts-expect-error -- there is no such key in the data
          { target: 'start', when: (run) => run.common_data.tires > 1 },
          // @ts-expect-error -- a script gives nothing back: it changes the data
          { target: 'start', assign: (run) => ({ draft: String(run.result) }) },
          {
            target: 'start',
            assign: (run) => {
              // @ts-expect-error -- a number is no text
              run.common_data.draft = run.common_data.tries;
            },
          },
        ],
      },
      done: { kind: 'end', output: ({ common_data }) => ({ text: common_data.draft, tries: common_data.tries }) },
      // @ts-expect-error -- the output has a key too few
      short: { kind: 'end', output: (run) => ({ text: run.common_data.draft }) },
    },
  });

const starts = async (troupe: Troupe) => {
  const run = await troupe.start(wrongOnPurpose(), { input: { topic: 'Roses' } });
  expectTypeOf(run).toEqualTypeOf<RunHandle<{ text: string; tries: number }>>();
  // @ts-expect-error -- the input lacks its topic
  await troupe.start(wrongOnPurpose(), { input: { length: 3 } });
  // @ts-expect-error -- the input is left out
  await troupe.start(wrongOnPurpose());
  const end = await run.result();
  if (end.outcome === 'ok') expectTypeOf(end.output.text).toEqualTypeOf<string>();
  // @ts-expect-error -- what a run gives that did not end well has no known type
  return end.output.text;
};

test('[R3] names, targets, data, input and output are checked by the compiler', () => {
  expect([wrongOnPurpose, starts]).toHaveLength(2);
});

const states = { start: { transitions: ['done'] }, done: { kind: 'end' } } as const;

const problemsOf = (define: () => unknown): readonly Problem[] => {
  try {
    define();
    return [];
  } catch (error) {
    if (isFault(error)) return error.problems;
    throw error;
  }
};

const story = defineWorkflow({
  name: 'story',
  input: z.object({
    topic: z.string().min(3).describe('What it is about'),
    length: z.number().int().default(100),
    tags: z.array(z.string()).optional(),
  }),
  data: z.object({ draft: z.string().default(''), tries: z.number().default(0) }),
  output: z.object({ text: z.string(), length: z.number() }),
  agents: { writer: {} },
  states: {
    start: {
      work: {
        kind: 'turn',
        agent: 'writer',
        input: (run) => `Write ${run.common_data.length} words about ${run.common_data.topic.toUpperCase()}.`,
      },
      transitions: [
        {
          target: 'done',
          when: ({ result, common_data }) => result !== '' && common_data.tries < 3,
          assign: (run) => {
            const text = String(run.result).split(' ').toReversed().join(' ');
            run.common_data.draft = text;
            run.common_data.tries += 1;
          },
        },
        'start',
      ],
    },
    done: { kind: 'end', output: ({ common_data }) => ({ text: common_data.draft, length: common_data.tries }) },
  },
});

test('[R3] input, data and output come from schemas, and functions run as texts do', async () => {
  const { open, model } = await libraryProject({ rules: [{ reply: 'red are Roses' }] });
  const troupe = await open({ roles: { writer: {} } });
  const run = await troupe.start(story, { input: { topic: 'Roses' } });
  const end = await run.result();
  expect(end).toMatchObject({ outcome: 'ok', output: { text: 'Roses are red', length: 1 } });
  expect(JSON.stringify(model.requests[0]?.body)).toContain('Write 100 words about ROSES.');
  expect(story.inputs).toMatchObject([
    { name: 'topic', type: 'string', required: true, description: 'What it is about', schema: { minLength: 3 } },
    { name: 'length', type: 'number', required: false },
    { name: 'tags', type: 'array', required: false },
  ]);
  expect(JSON.parse(JSON.stringify(story))).toEqual(story);
});

test('[R3] input that does not fit its schema is refused on every face, before anything runs', async () => {
  const { open } = await libraryProject();
  const troupe = await open({ roles: { writer: {} }, workflows: [story] });
  expect(await codeOf(troupe.start(story, { input: { topic: 'no' } }))).toBe('INPUT_INVALID');
  // @ts-expect-error -- a topic is a text
  await expect(troupe.start(story, { input: { topic: 7 } })).rejects.toMatchObject({
    code: 'INPUT_INVALID',
    problems: [{ path: 'input.topic' }],
  });
  // By name, as the other faces start it.
  await expect(troupe.start('story', { input: { topic: 'no' } })).rejects.toMatchObject({
    code: 'INPUT_INVALID',
    problems: [{ path: 'input.topic' }],
  });
});

test('[R3] a run whose output does not fit its schema does not pass for typed', async () => {
  const wrong = defineWorkflow({
    name: 'wrong',
    output: z.object({ text: z.string() }),
    states: { start: { transitions: ['done'] }, done: { kind: 'end', output: '({ text: 7 })' } },
  });
  const troupe = await (await libraryProject()).open();
  const run = await troupe.start(wrong);
  expect(await codeOf(run.result())).toBe('OUTPUT_INVALID');
  expect((await run.show()).output).toEqual({ text: 7 });
});

test('[R3] schemas of valibot are used the same way', async () => {
  const flow = defineWorkflow({
    name: 'flow',
    input: toStandardJsonSchema(v.object({ number: v.pipe(v.number(), v.minValue(1)) })),
    output: toStandardJsonSchema(v.number()),
    states: {
      start: { transitions: ['done'] },
      done: { kind: 'end', output: (run) => run.common_data.number * 2 },
    },
  });
  const troupe = await (await libraryProject()).open();
  const run = await troupe.start(flow, { input: { number: 21 } });
  const end = await run.result();
  if (end.outcome === 'ok') expectTypeOf(end.output).toEqualTypeOf<number>();
  expect(end.output).toBe(42);
  expect(await codeOf(troupe.start(flow, { input: { number: 0 } }))).toBe('INPUT_INVALID');
});

test('[R3] a schema without JSON Schema is refused with what to do about it', () => {
  const bare = problemsOf(() => defineWorkflow({ name: 'w', input: v.object({ a: v.string() }), states }));
  expect(bare).toMatchObject([
    { code: 'SCHEMA_UNUSABLE', path: 'input', hint: expect.stringContaining('@valibot/to-json-schema') },
  ]);
  const date = problemsOf(() => defineWorkflow({ name: 'w', input: z.object({ at: z.date() }), states }));
  expect(date).toMatchObject([
    { code: 'SCHEMA_UNUSABLE', message: expect.stringContaining('Date cannot be represented') },
  ]);
  const list = problemsOf(() => defineWorkflow({ name: 'w', input: z.array(z.string()), states }));
  expect(list).toMatchObject([{ code: 'SCHEMA_UNUSABLE', path: 'input' }]);
  const data = problemsOf(() => defineWorkflow({ name: 'w', data: z.object({ a: z.string() }), states }));
  expect(data).toMatchObject([{ code: 'SCHEMA_UNUSABLE', path: 'data', hint: expect.stringContaining('default') }]);
  const both = problemsOf(() =>
    defineWorkflow({ name: 'w', input: z.object({ a: z.string() }), inputs: { b: 'string' }, states }),
  );
  expect(both).toMatchObject([{ code: 'SCHEMA_UNUSABLE', path: 'inputs' }]);
});

test('[R3] a tool has its arguments from a schema, which checks them', async () => {
  const add = defineTool({
    name: 'add',
    description: 'Adds two numbers.',
    input: z.object({ a: z.number(), b: z.number().default(1) }).refine(({ a }) => a !== 13, 'not that one'),
    repeat: 'safe',
    run: ({ a, b }) => {
      expectTypeOf(b).toEqualTypeOf<number>();
      return String(a + b);
    },
  });
  const context = { folder: '.', signal: new AbortController().signal };
  expect(await add.run({ a: 2 }, context)).toMatchObject({ content: '3', isError: false });
  expect(await add.run({ a: 13 }, context)).toMatchObject({
    isError: true,
    content: expect.stringContaining('not that'),
  });
  expect(await add.run({ b: 2 }, context)).toMatchObject({ isError: true, content: expect.stringContaining('a') });
  expect(add.spec.parameters).toMatchObject({ type: 'object', required: ['a'] });
});
