import { describe, expect, test } from 'vitest';
import { play, type Reply } from '../testing/play.ts';
import { APPROVED, CODE, DOCUMENTATION, NEEDS_REVISION, REJECTED } from '../testing/replies.ts';
import { validateDefinition } from '../validate-definition.ts';
import { developmentWorkflow } from './development.ts';

const design: Reply = { body: 'the design', metadata: { title: 'Design' } };
const stage = (name: string) => developmentWorkflow.definition.stages.find((one) => one.name === name);

test('[ST1] the definition is valid', () => {
  expect(validateDefinition(developmentWorkflow)).toEqual([]);
});

describe('[ST1] the table of stages', () => {
  test.each([
    ['architecture', 'architect', ['task'], 'design', 1],
    ['design_review', 'reviewer', ['design'], 'review', undefined],
    ['design_revision', 'architect', ['review'], 'design', 2],
    ['implementation', 'developer', ['design'], 'artifact', 1],
    ['code_review', 'reviewer', ['artifact'], 'review', undefined],
    ['code_revision', 'developer', ['review'], 'artifact', 3],
    ['documentation', 'developer', ['artifact'], 'artifact', 1],
  ])('%s is played by %s', (name, agent, inputTypes, outputType, maxIterations) => {
    expect(stage(name)).toMatchObject({ agent, inputTypes, outputType });
    expect(stage(name)?.maxIterations).toBe(maxIterations);
  });

  test('[ST3] an hour, 3 revisions', () => {
    expect(developmentWorkflow.definition.config).toMatchObject({ maxDuration: 3_600_000, maxRevisions: 3 });
    expect(developmentWorkflow.getRoles()).toEqual(['architect', 'developer', 'reviewer']);
  });
});

test('[ST1] the initial task', () => {
  const { decisions, deliveries } = play(developmentWorkflow, {}, 'a feature');
  expect(deliveries[0]).toMatchObject({ stage: 'architecture', role: 'architect' });
  expect(decisions[0]?.orders.sent[0]).toMatchObject({
    type: 'task',
    from: 'orchestrator',
    to: 'architect',
    content: {
      subject: 'Development Task',
      body: 'a feature',
      metadata: {
        workflow: 'development',
        sessionId: 'session-1',
        requirements: ['Design the approach', 'Implementation with tests', 'Documentation'],
      },
    },
  });
});

describe('[ST1] the table of routes', () => {
  const upTo = (script: Record<string, Reply[]>) => play(developmentWorkflow, script).deliveries.at(-1);

  test('architect design in architecture → reviewer, design_review', () => {
    expect(upTo({ architecture: [design] })).toMatchObject({
      stage: 'design_review',
      role: 'reviewer',
      message: { type: 'design' },
    });
  });

  test('review of the design, APPROVED → developer, implementation, with the approved design', () => {
    expect(upTo({ architecture: [design], design_review: [APPROVED] })).toMatchObject({
      stage: 'implementation',
      role: 'developer',
      message: { type: 'design', content: { body: 'the design', metadata: { approved: true } } },
    });
  });

  test('review of the design, NEEDS_REVISION → architect, design_revision', () => {
    expect(upTo({ architecture: [design], design_review: [NEEDS_REVISION] })).toMatchObject({
      stage: 'design_revision',
      role: 'architect',
      message: { type: 'review' },
    });
  });

  test('architect design in design_revision → reviewer, design_review', () => {
    const script = { architecture: [design], design_review: [NEEDS_REVISION], design_revision: [design] };
    expect(upTo(script)).toMatchObject({ stage: 'design_review', iteration: 2, role: 'reviewer' });
  });

  const built = { architecture: [design], design_review: [APPROVED], implementation: [CODE] };

  test('developer artifact of the kind code → reviewer, code_review', () => {
    expect(upTo(built)).toMatchObject({ stage: 'code_review', role: 'reviewer', message: { type: 'artifact' } });
  });

  test('[A7] the code reviewer is given the newest design, and its own review when the code comes back', () => {
    const revised = { ...design, body: 'the design, revised' };
    const script = { ...built, design_review: [NEEDS_REVISION, APPROVED], design_revision: [revised] };
    const given = (more: object) =>
      upTo({ ...script, ...more })
        ?.inputs.slice(1)
        .map(({ content }) => content.body);
    expect(given({})).toEqual(['the design, revised']);
    const again = given({ code_review: [{ ...NEEDS_REVISION, body: 'a gap' }], code_revision: [CODE] });
    expect(again).toEqual(['the design, revised', 'a gap']);
  });

  test('review of the code, APPROVED → developer, documentation, with the approved artifact', () => {
    expect(upTo({ ...built, code_review: [APPROVED] })).toMatchObject({
      stage: 'documentation',
      role: 'developer',
      message: { type: 'artifact', content: { metadata: { kind: 'code', approved: true } } },
    });
  });

  test('review of the code, NEEDS_REVISION → developer, code_revision', () => {
    expect(upTo({ ...built, code_review: [NEEDS_REVISION] })).toMatchObject({
      stage: 'code_revision',
      role: 'developer',
    });
  });

  test('developer artifact of the kind documentation → orchestrator, complete', () => {
    const { finished } = play(developmentWorkflow, {
      ...built,
      code_review: [APPROVED],
      documentation: [DOCUMENTATION],
    });
    expect(finished).toMatchObject({
      outcome: 'ok',
      result: { success: true, summary: 'documented', artifacts: ['src/a.ts', 'docs/a.md'] },
    });
  });

  test('[ST6] an artifact of the wrong kind is sent back, not guessed at', () => {
    const { deliveries, codes } = play(developmentWorkflow, { ...built, implementation: [DOCUMENTATION, CODE] });
    expect(codes).toEqual(['INVALID_OUTPUT']);
    expect(deliveries[3]).toMatchObject({ stage: 'implementation', attempt: 2, iteration: 1 });
    expect(deliveries[4]).toMatchObject({ stage: 'code_review' });
  });

  test('[L4] code is not taken for documentation: the last stage fails, and the result is no success', () => {
    const { codes, finished } = play(developmentWorkflow, {
      ...built,
      code_review: [APPROVED],
      documentation: [CODE, CODE],
    });
    expect(codes).toEqual(['INVALID_OUTPUT', 'INVALID_OUTPUT']);
    expect(finished).toMatchObject({ outcome: 'partial', result: { success: false } });
  });
});

test('[ST1] a rejected design and two rejected code reviews end with documented code', () => {
  const { stages, finished } = play(developmentWorkflow, {
    architecture: [design],
    design_review: [NEEDS_REVISION, APPROVED],
    design_revision: [design],
    implementation: [CODE],
    code_review: [NEEDS_REVISION, NEEDS_REVISION, APPROVED],
    code_revision: [CODE, CODE],
    documentation: [DOCUMENTATION],
  });
  expect(stages).toEqual([
    'architecture',
    'design_review',
    'design_revision',
    'design_review',
    'implementation',
    'code_review',
    'code_revision',
    'code_review',
    'code_revision',
    'code_review',
    'documentation',
  ]);
  expect(finished).toMatchObject({ outcome: 'ok' });
  expect(finished?.result.reviews).toHaveLength(5);
});

describe('[ST1] the limits', () => {
  test('a design is revised twice, then what there is is partial', () => {
    const { stages, finished } = play(developmentWorkflow, {
      architecture: [design],
      design_review: [NEEDS_REVISION, NEEDS_REVISION, NEEDS_REVISION],
      design_revision: [design, design],
    });
    expect(stages.filter((name) => name === 'design_revision')).toHaveLength(2);
    expect(finished).toMatchObject({
      outcome: 'partial',
      result: { partial: true, success: false },
      failure: { code: 'MAX_ITERATIONS', message: expect.stringContaining('design_revision') },
    });
  });

  test('code is revised three times, then what there is is partial', () => {
    const { stages, finished } = play(developmentWorkflow, {
      architecture: [design],
      design_review: [APPROVED],
      implementation: [CODE],
      code_review: [NEEDS_REVISION, NEEDS_REVISION, NEEDS_REVISION, NEEDS_REVISION],
      code_revision: [CODE, CODE, CODE],
    });
    expect(stages.filter((name) => name === 'code_revision')).toHaveLength(3);
    expect(finished).toMatchObject({ outcome: 'partial', result: { artifacts: ['src/a.ts'] } });
  });

  test('[ST3] three revisions in the whole run', () => {
    const { finished, stages } = play(developmentWorkflow, {
      architecture: [design],
      design_review: [NEEDS_REVISION, NEEDS_REVISION, APPROVED],
      design_revision: [design, design],
      implementation: [CODE],
      code_review: [NEEDS_REVISION, NEEDS_REVISION],
      code_revision: [CODE],
    });
    expect(stages.filter((name) => name === 'code_revision')).toHaveLength(1);
    expect(finished).toMatchObject({
      outcome: 'partial',
      failure: { message: expect.stringContaining('3 revisions in all') },
    });
  });

  test('[ST6] REJECTED ends the review as failed; with `continue` the design remains, partial', () => {
    const { finished, codes } = play(developmentWorkflow, { architecture: [design], design_review: [REJECTED] });
    expect(codes).toEqual(['REJECTED']);
    expect(finished).toMatchObject({
      outcome: 'partial',
      failure: { code: 'REJECTED', message: expect.stringContaining('beyond repair') },
    });
  });
});
