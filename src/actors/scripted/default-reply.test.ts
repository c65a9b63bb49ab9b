import { expect, test } from 'vitest';
import { defaultReply, sample } from './default-reply.ts';
import type { ScriptedRequest } from './scripted-request.ts';

const base: ScriptedRequest = {
  model: 'm',
  messages: [{ role: 'user', content: `${'word '.repeat(40)}\nsecond line` }],
  tools: [],
  parsingTools: [],
  key: 'k',
};

test('[U4] with nothing scripted the answer is short and names what was asked', () => {
  const { text } = defaultReply(base);
  expect(text).toMatch(/^Done: word word/);
  expect(text.length).toBeLessThan(80);
  expect(defaultReply({ ...base, messages: [] }).text).toBe('Done.');
});

test('[SM7] an owed structured reply is handed in with what its schema requires, ordinary tools are left alone', () => {
  const parameters = {
    type: 'object',
    required: ['approved', 'improvement_needed', 'verdict', 'score', 'findings', 'place', 'note', 'either'],
    properties: {
      approved: { type: 'boolean' },
      improvement_needed: { type: 'boolean' },
      verdict: { enum: ['APPROVE', 'REVISE'] },
      score: { type: 'integer', minimum: 1 },
      findings: { type: 'array', minItems: 1, items: { type: 'string' } },
      place: { type: 'object', required: ['line'], properties: { line: { type: 'number' } } },
      note: { type: ['string', 'null'], minLength: 6 },
      either: { anyOf: [{ type: 'null' }, { type: 'string' }] },
      optional: { type: 'string' },
    },
  };
  const tools = [
    { name: 'write_file', description: '', parameters: {} },
    { name: 'review', description: '', parameters },
  ];
  expect(defaultReply({ ...base, tools, parsingTools: ['review'] }).tools).toEqual([
    {
      name: 'review',
      raw: null,
      arguments: {
        approved: true,
        improvement_needed: false,
        verdict: 'APPROVE',
        score: 1,
        findings: ['done'],
        place: { line: 0 },
        note: 'done..',
        either: null,
      },
    },
  ]);
  expect(defaultReply({ ...base, tools }).tools).toEqual([]);
});

test('[U4] a schema that says nothing is met by a word', () => {
  expect(sample(undefined, 'x')).toBe('done');
  expect(sample({}, 'x')).toEqual({});
});
