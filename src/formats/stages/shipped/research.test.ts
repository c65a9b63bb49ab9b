import { describe, expect, test } from 'vitest';
import { play, type Reply } from '../testing/play.ts';
import { APPROVED, finding, NEEDS_REVISION, REJECTED } from '../testing/replies.ts';
import { validateDefinition } from '../validate-definition.ts';
import { researchWorkflow } from './research.ts';

const report: Reply = { metadata: { summary: 'the report' } };
const stage = (name: string) => researchWorkflow.definition.stages.find((one) => one.name === name);

test('[ST1] the definition is valid', () => {
  expect(validateDefinition(researchWorkflow)).toEqual([]);
});

describe('[ST1] the table of stages', () => {
  test.each([
    ['initial_research', 'researcher', ['task'], 'finding', undefined],
    ['verification', 'reviewer', ['finding'], 'review', 'message_received'],
    ['deep_dive', 'researcher', ['review'], 'finding', 'verdict'],
    ['re_verification', 'reviewer', ['finding'], 'review', 'message_received'],
    ['synthesis', 'orchestrator', ['finding', 'review'], 'result', undefined],
  ])('%s is played by %s', (name, agent, inputTypes, outputType, condition) => {
    expect(stage(name)).toMatchObject({ agent, inputTypes, outputType });
    expect(stage(name)?.condition?.type).toBe(condition);
  });

  test('[ST3] 20 minutes, 2 revisions, one at a time, continue', () => {
    expect(researchWorkflow.definition.config).toEqual({
      maxDuration: 20 * 60_000,
      maxRevisions: 2,
      parallelAgents: false,
      failureStrategy: 'continue',
    });
    expect(researchWorkflow.getRoles()).toEqual(['researcher', 'reviewer']);
  });
});

test('[ST1] the initial task', () => {
  const { deliveries, decisions } = play(researchWorkflow, {}, 'why is the sky blue?');
  expect(deliveries[0]).toMatchObject({ stage: 'initial_research', role: 'researcher', iteration: 1 });
  expect(decisions[0]?.orders.sent[0]).toMatchObject({
    type: 'task',
    from: 'orchestrator',
    to: 'researcher',
    content: {
      subject: 'Research Assignment',
      body: 'why is the sky blue?',
      metadata: {
        workflow: 'research',
        sessionId: 'session-1',
        expectations: ['Find accurate, current information', 'Cite sources with URLs', 'Assess confidence levels'],
      },
    },
  });
});

describe('[ST1] the table of routes', () => {
  test('researcher finding → reviewer, verification', () => {
    const { deliveries } = play(researchWorkflow, { initial_research: [finding('a')] });
    expect(deliveries[1]).toMatchObject({
      stage: 'verification',
      role: 'reviewer',
      message: { type: 'finding', to: 'reviewer' },
    });
  });

  test('reviewer APPROVED → orchestrator, synthesis', () => {
    const { deliveries } = play(researchWorkflow, { initial_research: [finding('a')], verification: [APPROVED] });
    expect(deliveries[2]).toMatchObject({ stage: 'synthesis', role: 'orchestrator', message: { type: 'review' } });
  });

  test('reviewer NEEDS_REVISION below the limit → researcher, deep_dive', () => {
    const { deliveries } = play(researchWorkflow, { initial_research: [finding('a')], verification: [NEEDS_REVISION] });
    expect(deliveries[2]).toMatchObject({ stage: 'deep_dive', role: 'researcher', message: { type: 'review' } });
  });

  test('researcher finding in deep_dive → reviewer, re_verification: the more specific row is taken [ST6]', () => {
    const { stages } = play(researchWorkflow, {
      initial_research: [finding('a')],
      verification: [NEEDS_REVISION],
      deep_dive: [finding('b')],
    });
    expect(stages).toEqual(['initial_research', 'verification', 'deep_dive', 're_verification']);
  });

  test('[A7] an agent after a revision gets the newest findings and the newest review, and nothing they replace', () => {
    const { deliveries } = play(researchWorkflow, {
      initial_research: [finding('a')],
      verification: [NEEDS_REVISION],
      deep_dive: [finding('b'), finding('c')],
      re_verification: [NEEDS_REVISION, APPROVED],
    });
    const given = deliveries.map(({ stage, iteration, message, inputs, origins = {} }) => [
      `${stage} ${iteration}`,
      ...[message, ...inputs.slice(1)].map(({ id }) => origins[id]),
    ]);
    expect(given.slice(2)).toEqual([
      ['deep_dive 1', 'verification', 'initial_research'],
      ['re_verification 1', 'deep_dive', 'verification'],
      ['deep_dive 2', 're_verification', 'deep_dive'],
      ['re_verification 2', 'deep_dive, round 2', 're_verification'],
      ['synthesis 1', 're_verification, round 2', 'deep_dive, round 2'],
    ]);
  });

  test('reviewer NEEDS_REVISION at the limit → orchestrator, synthesis, partial', () => {
    const { stages, finished, codes } = play(researchWorkflow, {
      initial_research: [finding('a')],
      verification: [NEEDS_REVISION],
      deep_dive: [finding('b'), finding('c')],
      re_verification: [NEEDS_REVISION, NEEDS_REVISION],
      synthesis: [report],
    });
    expect(stages).toEqual([
      'initial_research',
      'verification',
      'deep_dive',
      're_verification',
      'deep_dive',
      're_verification',
      'synthesis',
    ]);
    expect(codes).toEqual(['MAX_ITERATIONS']);
    expect(finished).toMatchObject({
      outcome: 'partial',
      result: { partial: true, success: false, summary: 'the report' },
      failure: { code: 'MAX_ITERATIONS' },
    });
  });

  test('any status complete → completion is checked, and a stage that owes its output is asked for it [L4]', () => {
    const { deliveries, codes } = play(researchWorkflow, {
      initial_research: [{ type: 'status', metadata: { status: 'complete' } }],
    });
    expect(codes).toEqual(['INVALID_OUTPUT']);
    expect(deliveries[1]).toMatchObject({
      stage: 'initial_research',
      attempt: 2,
      note: expect.stringContaining('no finding'),
    });
  });
});

describe('[ST1] completion and result', () => {
  test('approved at once: findings with claim, confidence and sources, reviews, the report', () => {
    const { finished, state } = play(researchWorkflow, {
      initial_research: [finding('light scatters')],
      verification: [APPROVED],
      synthesis: [report],
    });
    expect(finished).toEqual({
      outcome: 'ok',
      result: {
        success: true,
        summary: 'the report',
        artifacts: ['reply-1'],
        findings: [{ claim: 'light scatters', confidence: 'high', sources: ['https://example.com'] }],
        reviews: [{ stage: 'verification', verdict: 'APPROVED', summary: 'good', issues: [] }],
      },
    });
    expect(state.status).toBe('complete');
  });

  test('[ST6] approved in re_verification', () => {
    const { finished } = play(researchWorkflow, {
      initial_research: [finding('a')],
      verification: [NEEDS_REVISION],
      deep_dive: [finding('b')],
      re_verification: [APPROVED],
      synthesis: [report],
    });
    expect(finished).toMatchObject({ outcome: 'ok', result: { success: true } });
  });

  test('[ST6] a finished verification that is not an approval does not complete the workflow', () => {
    const { finished } = play(researchWorkflow, { initial_research: [finding('a')], verification: [NEEDS_REVISION] });
    expect(finished).toBeNull();
  });

  test('[ST6] REJECTED ends the stage as failed; with `continue` what was found is reported, partial', () => {
    const { stages, finished, codes, state } = play(researchWorkflow, {
      initial_research: [finding('a')],
      verification: [REJECTED],
      synthesis: [report],
    });
    expect(stages).toEqual(['initial_research', 'verification', 'synthesis']);
    expect(codes).toEqual(['REJECTED']);
    expect(state.stageHistory[1]).toMatchObject({ stageName: 'verification', status: 'failed' });
    expect(finished).toMatchObject({ outcome: 'partial', failure: { code: 'REJECTED' } });
  });

  test('nothing found: failed, with the cause', () => {
    const { finished } = play(researchWorkflow, {
      initial_research: [{ fails: 'AGENT_ERROR' }, { fails: 'AGENT_ERROR' }],
    });
    expect(finished).toMatchObject({ outcome: 'failed', failure: { code: 'AGENT_ERROR' } });
  });
});

test('[ST2] getNextStage follows the table: the entry first, then where the newest output leads', () => {
  const { state, decisions } = play(researchWorkflow, {
    initial_research: [finding('a')],
    verification: [APPROVED],
    synthesis: [report],
  });
  expect(researchWorkflow.getNextStage({ ...state, stageHistory: [] })).toBe('initial_research');
  expect(researchWorkflow.getNextStage({ ...state, stageHistory: state.stageHistory.slice(0, 1) })).toBe(
    'verification',
  );
  expect(researchWorkflow.getNextStage({ ...state, stageHistory: state.stageHistory.slice(0, 2) })).toBe('synthesis');
  expect(researchWorkflow.getNextStage(state)).toBeNull();
  expect(decisions.at(-1)?.orders.open).toEqual([]);
});

test('[ST2] getNextStage changes nothing, also where routing would note a limit', () => {
  const { state } = play(researchWorkflow, { initial_research: [finding('a')], verification: [NEEDS_REVISION] });
  const atLimit = {
    ...state,
    stageHistory: state.stageHistory.slice(0, 2),
    iterationCounts: new Map([['deep_dive', 2]]),
  };
  expect(researchWorkflow.getNextStage(atLimit)).toBe('synthesis');
  expect(atLimit.errors).toEqual([]);
});
