import { describe, expect, test } from 'vitest';
import type { Json } from '../../../core/model/json.ts';
import { createTaskMessage, MESSAGE_TYPES, type MessageType } from '../rules/agent-message.ts';
import type { StageDelivery } from '../rules/decision.ts';
import { messageOf, replyEvent } from './message-of.ts';
import { replyExample, replyTools } from './reply-tools.ts';
import { taskText } from './task-text.ts';

const stamp = { id: 'm1', now: 0 };
const reply = (outputType: MessageType, call: { name: string; arguments: Json } | null, text = '') => ({
  stage: 'here',
  role: 'reviewer',
  outputType,
  call,
  text,
});

describe('[ST1] structured replies', () => {
  test.each(MESSAGE_TYPES)(
    '%s: the tool for the output comes first, then those to ask and to say that one is blocked',
    (type) => {
      const names = replyTools(type).map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      expect(names).toContain('ask_question');
      expect(names).toContain('report_status');
      expect(replyTools(type)[0]?.parameters).toMatchObject({ type: 'object', required: expect.any(Array) });
    },
  );

  test('[A3] a reply asks only for fields that the workflow reads', () => {
    const fields = (...asks: readonly ('needs' | 'planNeeded')[]) =>
      Object.keys(Object(replyTools('review', asks)[0]?.parameters['properties']));
    expect(fields()).toEqual(['verdict', 'summary', 'issues']);
    expect(fields('needs', 'planNeeded')).toEqual(['verdict', 'summary', 'issues', 'needs', 'planNeeded']);
  });

  test('[A3] an agent is offered the status `complete` only where a status is owed', () => {
    const statuses = (type: MessageType) =>
      replyTools(type).flatMap(({ name, parameters }) => (name === 'report_status' ? [parameters['properties']] : []));
    expect(statuses('review')).toMatchObject([{ status: { enum: ['blocked'] } }]);
    expect(statuses('status')).toMatchObject([{ status: { enum: ['blocked', 'complete'] } }]);
  });

  test('[A3] the example of a review is about what is reviewed', () => {
    expect(replyExample('review', 'finding')).toContain('not backed by its source');
    expect(replyExample('review', 'design')).toContain('One requirement is not covered');
    expect(replyExample('review', 'artifact')).toBe(replyExample('review'));
  });

  test('a verdict is one of the three', () => {
    expect(replyTools('review')[0]?.parameters).toMatchObject({
      properties: { verdict: { enum: ['APPROVED', 'NEEDS_REVISION', 'REJECTED'] } },
      required: ['verdict', 'summary', 'issues'],
    });
  });

  test('a finding carries claim, confidence and sources', () => {
    expect(replyTools('finding')[0]?.parameters).toMatchObject({
      properties: {
        findings: {
          items: {
            properties: { confidence: { enum: ['high', 'medium', 'low'] } },
            required: ['claim', 'confidence', 'sources'],
          },
        },
      },
    });
  });
});

describe('[ST1] replies as messages', () => {
  test('a review', () => {
    const call = { name: 'submit_review', arguments: { verdict: 'APPROVED', summary: 'good', issues: [] } };
    expect(messageOf(reply('review', call), stamp)).toEqual({
      id: 'm1',
      timestamp: '1970-01-01T00:00:00.000Z',
      from: 'reviewer',
      to: 'orchestrator',
      type: 'review',
      priority: 'normal',
      content: {
        subject: 'Review: APPROVED',
        body: 'good',
        metadata: { verdict: 'APPROVED', summary: 'good', issues: [] },
      },
    });
  });

  test('a single finding can also be read as the document has it', () => {
    const one = { claim: 'x', confidence: 'low', sources: [] };
    const call = { name: 'submit_findings', arguments: { findings: [one], summary: 's' } };
    expect(messageOf(reply('finding', call), stamp)).toMatchObject({
      type: 'finding',
      content: { metadata: { ...one, findings: [one], summary: 's' } },
    });
    const more = { name: 'submit_findings', arguments: { findings: [one, one], summary: 's' } };
    expect(messageOf(reply('finding', more), stamp)).toMatchObject({ content: { metadata: { findings: [one, one] } } });
    expect(messageOf(reply('finding', more), stamp)).not.toMatchObject({ content: { metadata: { claim: 'x' } } });
  });

  test.each([
    [
      'design',
      'submit_design',
      { title: 'T', body: 'B', options: [] },
      { subject: 'T', body: 'B', metadata: { title: 'T', options: [] } },
    ],
    [
      'artifact',
      'submit_artifact',
      { kind: 'code', files: ['a'], summary: 'S' },
      { subject: 'Artifact', body: 'S', metadata: { kind: 'code', files: ['a'] } },
    ],
    [
      'task',
      'submit_task',
      { subject: 'T', body: 'B', planNeeded: false },
      { subject: 'T', body: 'B', metadata: { planNeeded: false } },
    ],
    [
      'result',
      'submit_result',
      { summary: 'S', body: 'B' },
      { subject: 'Result', body: 'B', metadata: { summary: 'S' } },
    ],
    [
      'question',
      'ask_question',
      { question: 'Q?', choices: ['a'] },
      { subject: 'Question', body: 'Q?', metadata: { choices: ['a'] } },
    ],
    [
      'status',
      'report_status',
      { status: 'blocked', summary: 'S' },
      { subject: 'Status', body: 'S', metadata: { status: 'blocked' } },
    ],
  ] as const)('a %s', (type, name, given, content) => {
    expect(messageOf(reply('review', { name, arguments: given }), stamp)).toMatchObject({ type, content });
  });

  test.each([
    ['words instead of a verdict', reply('review', null, 'looks good'), 'ends with submit_review'],
    ['words instead of findings', reply('finding', null, 'found it'), 'ends with submit_findings'],
    ['words instead of files', reply('artifact', null, 'built it'), 'ends with submit_artifact'],
    ['words instead of a design', reply('design', null, 'my design'), 'ends with submit_design'],
    ['nothing at all', reply('result', null, ' '), 'ends with submit_result'],
    ['another tool', reply('review', { name: 'sing', arguments: {} }), '"sing" is no structured reply'],
    ['no arguments', reply('review', { name: 'submit_review', arguments: null }), 'without arguments'],
  ])('%s is INVALID_OUTPUT with what is missing', (_what, given, words) => {
    expect(replyEvent(given, stamp)).toEqual({
      kind: 'failed',
      stage: 'here',
      code: 'INVALID_OUTPUT',
      message: expect.stringContaining(words),
    });
  });

  test('a good reply is the event of its message', () => {
    const given = { name: 'submit_design', arguments: { title: 'It', body: 'words' } };
    expect(replyEvent(reply('design', given), stamp)).toMatchObject({
      kind: 'message',
      stage: 'here',
      from: 'reviewer',
    });
  });
});

describe('[ST1] the prompt of an agent', () => {
  const delivery: StageDelivery = {
    stage: 'verification',
    role: 'reviewer',
    message: {
      ...createTaskMessage('reviewer', 'Findings', 'It is so.', {
        findings: [{ confidence: 'low', claim: 'x', sources: ['a', 'b'] }],
        summary: 'It is so.',
        empty: [],
      }),
      from: 'researcher',
      type: 'finding',
    },
    inputs: [createTaskMessage('researcher', 'Research Assignment', 'why?', { expectations: ['Cite sources'] })],
    iteration: 1,
    attempt: 1,
    description: 'Verify the findings.',
    outputType: 'review',
    timeoutMs: null,
  };

  test('[A3] the stage, the message with its metadata, what is given, and how to hand in', () => {
    const origins = { [delivery.message.id]: 'initial_research' };
    expect(taskText({ ...delivery, origins })).toBe(`# Stage verification

Verify the findings.

## Findings (finding from researcher, stage initial_research)

It is so.

findings:
- x (confidence: low; sources: a, b)
empty: none

# Given

## The goal

why?

# Hand in
Call \`submit_review\` once, as your last action; it ends your turn. Text alone is not taken.
Example: \`submit_review(${replyExample('review', 'finding')})\`
Instead, call \`ask_question\` if only a person can decide something that you need, or \`report_status\` with the status \`blocked\` if you cannot go on.`);
  });

  test('[A7] the message of the stage is not given a second time, nor is its first finding', () => {
    const { message } = delivery;
    const metadata = { ...message.content.metadata, claim: 'x', confidence: 'high', approved: true };
    const approved = { ...message, content: { ...message.content, metadata } };
    const text = taskText({ ...delivery, message: approved, inputs: [message, ...delivery.inputs] });
    expect(text.split('It is so.')).toHaveLength(2);
    expect(text).toContain('approved: true');
    expect(text).not.toMatch(/^claim: /m);
  });

  test('[A7] an agent that revises is asked to resolve the review and to hand in the whole work', () => {
    const { message } = delivery;
    const metadata = { verdict: 'NEEDS_REVISION', issues: [{ description: 'a gap' }] };
    const review = { ...message, type: 'review', content: { ...message.content, metadata } } as const;
    const order = (more: Partial<StageDelivery>) => taskText({ ...delivery, outputType: 'design', ...more });
    const wanted = 'Resolve every issue of the review below. Hand in the whole design, not only the changes.';
    expect(order({ message: review })).toContain(`Verify the findings. ${wanted}`);
    expect(order({ iteration: 2, inputs: [review] })).toContain(wanted);
    expect(order({ inputs: [review] })).not.toContain(wanted);
    const own = { ...review, from: 'reviewer' };
    expect(taskText({ ...delivery, inputs: [own] })).toContain('First check that each issue of your last review');
  });

  test("[A7] a person's answer is headed as one", () => {
    const answer = { ...createTaskMessage('reviewer', 'Answer', 'Yes.'), from: 'person' };
    expect(taskText({ ...delivery, inputs: [answer] })).toContain('## Answer (from the person)\n\nYes.');
  });

  test('a further round and why the agent is asked again', () => {
    const text = taskText({ ...delivery, iteration: 2, note: 'The verdict is missing.', inputs: [] });
    expect(text).toContain('# Stage verification (round 2)');
    expect(text).toContain('## Before you go on\n\nThe verdict is missing.');
    expect(text).not.toContain('# Given');
  });
});
