import { expect, test } from 'vitest';
import { signalProblem, signalTool } from '../../core/model/signal.ts';
import { defaultReply, sample } from './choose-reply.ts';
import type { ScriptedRequest } from './scripted-request.ts';

const base: ScriptedRequest = {
  model: 'm',
  messages: [{ role: 'user', content: `${'word '.repeat(40)}\nsecond line` }],
  tools: [],
  parsingTools: [],
  size: 211,
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

test('[Q2] an owed signal is complete, for the step that the agent was given', () => {
  const tool = signalTool({ signals: ['complete', 'needs-role-followup'], followups: ['fixer'] });
  const signalOf = (...messages: ScriptedRequest['messages']) =>
    defaultReply({ ...base, messages, tools: [tool], parsingTools: [tool.name] }).tools[0]?.arguments ?? null;
  const message = { role: 'user', content: 'Ward fails on the step "greet" (Your step "part" comes later).' } as const;
  const given = signalOf(message);
  expect(given).toEqual({ signal: 'complete', stepId: 'greet', summary: 'Done.' });
  expect(signalProblem(given, { step: 'greet' })).toBeNull();
  const nudge = { role: 'user', content: 'You ended without signal_back.' } as const;
  expect(signalOf({ role: 'user', content: 'The id of your own step is "plan".' }, nudge)).toMatchObject({
    stepId: 'plan',
  });
});

test('[Q2] an agent that was given no step takes it from the refusal', () => {
  const tool = signalTool({ signals: ['complete'] });
  const wrong = defaultReply({ ...base, tools: [tool], parsingTools: [tool.name] }).tools[0]?.arguments ?? null;
  const refusal = signalProblem(wrong, { step: 'greet' }) ?? '';
  const messages = [...base.messages, { role: 'tool', content: refusal, toolCallId: 'c1' } as const];
  expect(defaultReply({ ...base, messages, tools: [tool], parsingTools: [tool.name] }).tools[0]).toMatchObject({
    arguments: { stepId: 'greet' },
  });
});

test('[Q2] a role that cannot complete hands in all that its signal needs', () => {
  const tool = signalTool({ signals: ['needs-role-followup'], followups: ['fixer'] });
  const given = defaultReply({ ...base, tools: [tool], parsingTools: [tool.name] }).tools[0]?.arguments ?? null;
  expect(given).toMatchObject({ signal: 'needs-role-followup', targetRole: 'fixer' });
  expect(signalProblem(given, {})).toBeNull();
});

test('[U4] a schema that says nothing is met by a word', () => {
  expect(sample(undefined, 'x')).toBe('done');
  expect(sample({}, 'x')).toEqual({});
});
