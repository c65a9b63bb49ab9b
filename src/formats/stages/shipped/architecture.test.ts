import { describe, expect, test } from 'vitest';
import { play, type Reply } from '../testing/play.ts';
import { APPROVED, finding, NEEDS_REVISION } from '../testing/replies.ts';
import { validateDefinition } from '../validate-definition.ts';
import { architectureWorkflow } from './architecture.ts';

const refined: Reply = { body: 'refined requirements', metadata: { requirements: ['fast'] } };
const options: Reply = { body: 'two options', metadata: { options: [] } };
const decided: Reply = { body: 'option one' };
const plan: Reply = { body: 'the plan' };
const MORE_RESEARCH: Reply = { metadata: { ...NEEDS_REVISION.metadata, needs: 'research' } };
const stage = (name: string) => architectureWorkflow.definition.stages.find((one) => one.name === name);

test('[ST1] the definition is valid', () => {
  expect(validateDefinition(architectureWorkflow)).toEqual([]);
});

describe('[ST1] the table of stages', () => {
  test.each([
    ['requirements', 'orchestrator', 'task', undefined, 'task'],
    ['prior_art', 'researcher', 'finding', 'requirements', 'task'],
    ['design_options', 'architect', 'design', 'prior_art', 'finding'],
    ['evaluation', 'reviewer', 'review', 'design_options', 'design'],
    ['decision', 'orchestrator', 'task', 'evaluation', 'review'],
    ['implementation_plan', 'architect', 'design', 'decision', 'task'],
  ])('%s is played by %s and gives a %s', (name, agent, outputType, from, input) => {
    expect(stage(name)).toMatchObject({ agent, outputType });
    expect(stage(name)?.inputTypes).toContain(input);
    expect(stage(name)?.inputFrom?.at(-1)).toBe(from);
  });

  test('[ST3] the defaults: 30 minutes, 3 revisions', () => {
    expect(architectureWorkflow.definition.config).toMatchObject({ maxDuration: 1_800_000, maxRevisions: 3 });
    expect(architectureWorkflow.getRoles()).toEqual(['researcher', 'architect', 'reviewer']);
  });
});

const initial = {
  type: 'task',
  from: 'orchestrator',
  to: 'researcher',
  content: {
    subject: 'Architecture Research',
    body: 'a system',
    metadata: {
      workflow: 'architecture',
      sessionId: 'session-1',
      phase: 'prior_art',
      lookingFor: ['Similar systems', 'Common patterns', 'Known pitfalls'],
    },
  },
};

test('[ST1][ST6] the initial task is for the researcher; the orchestrator clarifies it first, then it goes there', () => {
  const { decisions, deliveries } = play(architectureWorkflow, { requirements: [refined] }, 'a system');
  expect(decisions[0]?.orders.sent[0]).toMatchObject(initial);
  expect(deliveries[0]).toMatchObject({
    stage: 'requirements',
    role: 'orchestrator',
    message: { content: { body: 'a system' } },
  });
  expect(deliveries[1]).toMatchObject({
    stage: 'prior_art',
    role: 'researcher',
    message: {
      ...initial,
      content: {
        ...initial.content,
        body: 'refined requirements',
        metadata: { ...initial.content.metadata, requirements: ['fast'] },
      },
    },
  });
});

test('[ST6] the orchestrator asks the person where it must, and goes on with the answer', () => {
  const { questions, deliveries, finished } = play(architectureWorkflow, {
    requirements: [{ type: 'question', body: 'How many users?', metadata: { choices: ['ten', 'a million'] } }, refined],
    person: [{ body: 'ten' }],
  });
  expect(questions).toEqual([
    { stage: 'requirements', role: 'orchestrator', text: 'How many users?', choices: ['ten', 'a million'] },
  ]);
  expect(deliveries[1]).toMatchObject({
    stage: 'requirements',
    iteration: 1,
    note: 'A person answered your question. The answer is the last part of what you are given.',
  });
  expect(deliveries[2]).toMatchObject({ stage: 'prior_art' });
  expect(finished).toBeNull();
});

const researched = { requirements: [refined], prior_art: [finding('a system like it')] };

test('[ST1] approved: decision, plan, complete', () => {
  const { stages, finished, deliveries } = play(architectureWorkflow, {
    ...researched,
    design_options: [options],
    evaluation: [APPROVED],
    decision: [decided],
    implementation_plan: [plan],
  });
  expect(stages).toEqual([
    'requirements',
    'prior_art',
    'design_options',
    'evaluation',
    'decision',
    'implementation_plan',
  ]);
  expect(deliveries[2]?.inputs.map(({ type }) => type)).toEqual(['task', 'task']);
  expect(finished).toMatchObject({
    outcome: 'ok',
    result: {
      success: true,
      summary: 'the plan',
      artifacts: ['reply-3', 'reply-6'],
      findings: [{ claim: 'a system like it' }],
    },
  });
});

test('[ST1] approved without a plan, as the decision says', () => {
  const { finished, stages } = play(architectureWorkflow, {
    ...researched,
    design_options: [options],
    evaluation: [APPROVED],
    decision: [{ ...decided, metadata: { planNeeded: false } }],
  });
  expect(stages.at(-1)).toBe('decision');
  expect(finished).toMatchObject({ outcome: 'ok', result: { success: true, summary: 'option one' } });
});

test('[ST6] NEEDS_REVISION leads to another look at the design, or to more research', () => {
  const { stages, deliveries } = play(architectureWorkflow, {
    ...researched,
    prior_art: [finding('one'), finding('two')],
    design_options: [options, options, options],
    evaluation: [NEEDS_REVISION, MORE_RESEARCH],
  });
  expect(stages.slice(3)).toEqual([
    'evaluation',
    'design_options',
    'evaluation',
    'prior_art',
    'design_options',
    'evaluation',
  ]);
  expect(deliveries[6]).toMatchObject({ stage: 'prior_art', role: 'researcher', message: { type: 'review' } });
});

test.each([
  ['design', NEEDS_REVISION],
  ['research', MORE_RESEARCH],
])('[ST6] at most two more rounds of %s, then partial', (_kind, verdict) => {
  const { finished, stages } = play(architectureWorkflow, {
    ...researched,
    prior_art: [finding('1'), finding('2'), finding('3')],
    design_options: [options, options, options],
    evaluation: [verdict, verdict, verdict],
  });
  expect(stages.filter((name) => name === 'design_options')).toHaveLength(3);
  expect(finished).toMatchObject({
    outcome: 'partial',
    result: { partial: true },
    failure: { code: 'MAX_ITERATIONS' },
  });
});

test('[ST1] a plan for a design that was not approved does not complete the workflow', () => {
  const { state } = play(architectureWorkflow, {
    ...researched,
    design_options: [options],
    evaluation: [APPROVED],
    decision: [decided],
    implementation_plan: [plan],
  });
  expect(architectureWorkflow.isComplete(state)).toBe(true);
  const evaluation = state.messages?.find(({ type }) => type === 'review');
  Object.assign(evaluation?.content.metadata ?? {}, { verdict: 'NEEDS_REVISION' });
  expect(architectureWorkflow.isComplete(state)).toBe(false);
});
