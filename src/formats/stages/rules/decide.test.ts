import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AgentMessage, createTaskMessage, generateMessageId, timestamp } from './agent-message.ts';
import { loadWorkflow } from '../registry.ts';
import type { RoutingDecision, StageDefinition } from './stage-definition.ts';
import { NOW, play, stateIn, type Reply } from '../testing/play.ts';
import { APPROVED, CODE, DOCUMENTATION, finding, NEEDS_REVISION, REJECTED } from '../testing/replies.ts';
import { tiny } from '../testing/tiny-workflow.ts';
import type { StageWorkflowState } from './workflow-state.ts';
import { decideStage } from './decide.ts';
import type { StageDecision, StageEvent } from './decision.ts';

const two = (parts: Partial<StageDefinition> = {}): StageDefinition => ({
  ...tiny({ stages: [{ name: 'a', outputTo: ['b'] }, { name: 'b' }] }),
  ...parts,
});

const start: StageEvent = { kind: 'started', goal: 'the goal', sessionId: 's1' };
const begun = (workflow: StageDefinition): StageDecision =>
  decideStage(workflow, { state: null, event: start, now: NOW, run: 'r1' });
const next = (workflow: StageDefinition, before: StageDecision, event: StageEvent): StageDecision =>
  decideStage(workflow, { state: before.state, event, now: NOW, run: 'r1' });

const message = (parts: Partial<AgentMessage> = {}): AgentMessage => ({
  id: 'm1',
  timestamp: new Date(NOW).toISOString(),
  from: 'aer',
  to: 'orchestrator',
  type: 'task',
  priority: 'normal',
  content: { subject: 's', body: 'b', metadata: {} },
  ...parts,
});
const said = (stage: string, parts: Partial<AgentMessage> = {}): StageEvent => {
  const one = message({ from: `${stage}er`, ...parts });
  return { kind: 'message', stage, from: one.from, message: one };
};

describe('[ST2] unexpected messages change nothing and are reported', () => {
  test('the same message twice', () => {
    const workflow = two();
    const once = next(workflow, begun(workflow), said('a'));
    const twice = next(workflow, once, said('a'));
    expect(twice).toMatchObject({
      orders: { deliver: [], sent: [], finished: null },
      notes: [{ code: 'MESSAGE_DUPLICATE', recoverable: true }],
    });
    expect(twice.state).toEqual(once.state);
  });

  test.each([
    ['a stage that is not under way', said('b'), 'UNEXPECTED_MESSAGE'],
    ['a stage that does not exist', said('nowhere', { from: 'aer' }), 'UNEXPECTED_MESSAGE'],
    ['a role that is not in the workflow', said('a', { from: 'stranger' }), 'UNKNOWN_ROLE'],
    ['another role of the workflow', said('a', { from: 'ber' }), 'UNEXPECTED_MESSAGE'],
    [
      'a failure of a stage that is not under way',
      { kind: 'failed', stage: 'b', code: 'TIMEOUT', message: 'late' },
      'UNEXPECTED_MESSAGE',
    ],
    ['an answer without a question', { kind: 'answered', stage: 'a', answer: 'yes' }, 'UNEXPECTED_MESSAGE'],
  ] as const)('%s', (_what, event, code) => {
    const workflow = two();
    const before = begun(workflow);
    const after = next(workflow, before, event);
    expect(after).toMatchObject({ orders: { deliver: [], finished: null, open: ['a'] }, notes: [{ code }] });
    expect(after.state).toEqual(before.state);
  });
});

describe('[ST3] routing that cannot be followed is an error with a code', () => {
  const routing = (decision: RoutingDecision) => play(two({ routeMessage: () => decision }), { a: [{}] });

  test('a message to a role that is not in the workflow', () => {
    const { finished, noted } = routing({ messages: [{ to: 'stranger', message: message() }] });
    expect(noted).toMatchObject([{ code: 'UNKNOWN_ROLE', stage: 'a', message: expect.stringContaining('"stranger"') }]);
    expect(finished).toMatchObject({ outcome: 'failed', failure: { code: 'UNKNOWN_ROLE' } });
  });

  test('the orchestrator may always be written to', () => {
    const { stages, codes } = routing({ messages: [{ to: 'orchestrator', message: message() }] });
    expect([stages, codes]).toEqual([['a', 'b'], []]);
  });

  test('a transition to a stage that does not exist', () => {
    const { finished } = routing({ messages: [], stageTransition: { from: 'a', to: 'nowhere' } });
    expect(finished).toMatchObject({
      outcome: 'failed',
      failure: { code: 'UNKNOWN_STAGE', message: 'tiny has no stage "nowhere"; it has a, b.' },
    });
  });

  test('a transition from the wrong stage is reported and taken', () => {
    const { stages, codes } = routing({ messages: [], stageTransition: { from: 'b', to: 'b' } });
    expect(stages).toEqual(['a', 'b']);
    expect(codes).toEqual(['STAGE_MISMATCH']);
  });

  test('a change to an agent that does not exist is reported', () => {
    const { codes } = routing({ messages: [], updateAgentState: { role: 'stranger', state: {} } });
    expect(codes).toEqual(['UNKNOWN_ROLE']);
  });

  test('a refusal: the agent is asked once more with the reason, then the stage has failed', () => {
    const refusal = { code: 'UNEXPECTED_MESSAGE', message: 'No rule takes it.' } as const;
    const played = play(two({ routeMessage: () => ({ messages: [], refusal }) }), { a: [{}, {}] });
    expect(played.deliveries).toMatchObject([{ attempt: 1 }, { attempt: 2, note: 'No rule takes it.' }]);
    expect(played.finished).toMatchObject({ outcome: 'failed', failure: refusal });
  });

  test('nothing was routed, the workflow is not complete and names no next stage', () => {
    const workflow = tiny({ stages: [{ name: 'a' }, { name: 'b' }] });
    expect(play(workflow, { a: [{}] }).finished).toMatchObject({
      outcome: 'failed',
      failure: {
        code: 'NO_NEXT_STAGE',
        message: 'tiny is not complete, and nothing follows after the task of aer in the stage a.',
      },
    });
  });

  test('an initial task for a role that is not in the workflow', () => {
    const workflow = two({ createInitialTask: (goal) => createTaskMessage('stranger', 'Go', goal) });
    expect(play(workflow, {}).finished).toMatchObject({ outcome: 'failed', failure: { code: 'UNKNOWN_ROLE' } });
  });

  test('getNextStage that names a stage that does not exist', () => {
    const workflow = { ...tiny({ stages: [{ name: 'a' }, { name: 'b' }] }), getNextStage: () => 'nowhere' };
    expect(play(workflow, { a: [{}] }).finished).toMatchObject({ failure: { code: 'UNKNOWN_STAGE' } });
  });
});

describe('[ST2] the functions of the workflow', () => {
  test('getNextStage is asked when nothing was routed', () => {
    const workflow = { ...tiny({ stages: [{ name: 'a' }, { name: 'b' }] }), getNextStage: () => 'b' };
    expect(play(workflow, { a: [{ body: 'from a' }], b: [{}] })).toMatchObject({
      stages: ['a', 'b'],
      finished: { outcome: 'ok' },
      deliveries: [{}, { message: { content: { body: 'from a' }, to: 'ber' } }],
    });
  });

  test('onStageComplete gets the output and may change the state, which isComplete then sees', () => {
    const workflow = two({
      onStageComplete: (stage, messages, state) => {
        state.iterationCounts.set(`seen ${stage} ${messages[0]?.content.body ?? ''}`, 1);
      },
      isComplete: (state) => state.iterationCounts.has('seen a hello'),
      synthesizeResult: (state) => ({
        success: true,
        summary: [...state.iterationCounts.keys()].join(),
        artifacts: [],
      }),
    });
    expect(play(workflow, { a: [{ body: 'hello' }] }).finished).toMatchObject({
      outcome: 'ok',
      result: { summary: 'a,seen a hello' },
    });
  });

  test('Maps, Sets, dates and added fields that a function keeps in the state are there at the next event', () => {
    type Own = StageWorkflowState & { votes?: Map<string, Set<string>> };
    const workflow = two({
      onStageComplete: (stage, _messages, state: Own) => {
        state.votes = new Map([...(state.votes ?? []), [stage, new Set([stage])]]);
      },
      synthesizeResult: (state: Own) => ({ success: true, summary: `${state.votes?.get('a')?.size}`, artifacts: [] }),
    });
    expect(play(workflow, { a: [{}], b: [{}] }).finished?.result.summary).toBe('1');
  });

  test('isComplete ends the workflow, but the last stage that was just routed to is played first', () => {
    const workflow = two({
      isComplete: () => true,
      routeMessage: (_from, _message, { currentStage }) =>
        currentStage === 'a' ? { messages: [], stageTransition: { from: 'a', to: 'b' } } : { messages: [] },
    });
    expect(play(workflow, { a: [{}], b: [{}] }).stages).toEqual(['a', 'b']);
    const other = tiny({
      stages: [{ name: 'a', outputTo: ['b'] }, { name: 'b' }, { name: 'c' }],
      isComplete: () => true,
    });
    expect(play(other, { a: [{}] })).toMatchObject({ stages: ['a'], finished: {} });
  });

  test('a result that is no success makes the run failed, with its summary', () => {
    const workflow = two({ synthesizeResult: () => ({ success: false, summary: 'not good enough', artifacts: [] }) });
    expect(play(workflow, { a: [{}], b: [{}] }).finished).toMatchObject({
      outcome: 'failed',
      failure: { code: 'RESULT_NOT_SUCCESSFUL', message: 'not good enough' },
    });
  });

  test.each([
    ['complete', 'ok'],
    ['failed', 'failed'],
    ['timeout', 'partial'],
  ] as const)('a function that sets the status to %s ends the run', (status, outcome) => {
    const workflow = two({
      onStageComplete: (_stage, _messages, state) => {
        state.status = status;
      },
      synthesizeResult: () => ({ success: true, summary: '', artifacts: [] }),
    });
    expect(play(workflow, { a: [{}] }).finished).toMatchObject({ outcome });
  });

  test('[L9] timestamp() and generateMessageId() come from the event', () => {
    const ids: string[] = [];
    const workflow = two({
      routeMessage: () => {
        ids.push(`${timestamp()} ${generateMessageId()}`);
        return { messages: [] };
      },
    });
    const { decisions } = play(workflow, { a: [{}] });
    expect(decisions[0]?.orders.sent[0]?.id).toBe('msg-r1-1');
    expect(new Set(ids)).toEqual(new Set(['2026-01-01T00:00:01.000Z msg-r1-2']));
    expect(generateMessageId()).not.toContain('r1');
  });

  test('a message that leaves things out is completed', () => {
    const workflow = two({
      createInitialTask: (goal) => ({ type: 'task', to: 'aer', content: { body: goal } }) as unknown as AgentMessage,
    });
    expect(play(workflow, {}).deliveries[0]?.message).toEqual({
      id: 'msg-r1-1',
      timestamp: new Date(NOW).toISOString(),
      from: 'orchestrator',
      to: 'aer',
      type: 'task',
      priority: 'normal',
      content: { subject: '', body: 'the goal', metadata: {} },
    });
  });
});

describe('[ST2] code of the author that fails is reported with workflow, function and message', () => {
  const boom = (): never => {
    throw new TypeError('x is undefined');
  };

  test.each([
    ['getRoles', {}],
    ['createInitialTask', {}],
    ['routeMessage', { a: [{}] }],
    ['onStageComplete', { a: [{}] }],
    ['isComplete', { a: [{}] }],
    ['synthesizeResult', { a: [{}], b: [{}] }],
  ] as const)('%s', (name, script) => {
    const { finished, codes } = play(two({ [name]: boom }), script);
    expect(finished).toMatchObject({
      outcome: 'failed',
      failure: {
        code: 'STAGE_CODE_FAILED',
        message: `In the workflow tiny, ${name} failed: TypeError: x is undefined.`,
      },
    });
    expect(codes).toContain('STAGE_CODE_FAILED');
  });

  test('getNextStage and guards', () => {
    const lone = tiny({ stages: [{ name: 'a' }, { name: 'b' }] });
    expect(play({ ...lone, getNextStage: boom }, { a: [{}] }).finished?.failure?.message).toContain(
      'getNextStage failed',
    );
    const guards = [{ name: 'g', check: boom, errorMessage: '' }];
    expect(play({ ...lone, guards }, {}).finished?.failure?.message).toContain('the guard g failed');
  });

  test.each([
    ['a promise', { routeMessage: (async () => ({ messages: [] })) as never }, 'returned a promise'],
    ['no decision', { routeMessage: (() => undefined) as never }, 'routeMessage returned no decision'],
    [
      'an entry without a message',
      { routeMessage: (() => ({ messages: [{}] })) as never },
      'an entry without a message',
    ],
    ['no result', { synthesizeResult: (() => null) as never }, 'synthesizeResult returned no result'],
    ['no initial task', { createInitialTask: (() => 'go') as never }, 'createInitialTask returned no message'],
    ['no roles', { getRoles: (() => 'aer') as never }, 'getRoles returned no list'],
    [
      'a state without its Map',
      {
        onStageComplete: (_s: string, _m: unknown, state: StageWorkflowState) =>
          void Object.assign(state, { iterationCounts: {} }),
      },
      'left state.iterationCounts as something else',
    ],
  ])('%s is of no use', (_what, parts, words) => {
    const { finished } = play(two(parts), { a: [{}], b: [{}] });
    expect(finished).toMatchObject({ outcome: 'failed', failure: { code: 'STAGE_CODE_FAILED' } });
    expect(finished?.failure?.message).toContain(words);
  });

  test('what cannot be kept ends the run with its place', () => {
    const workflow = two({
      onStageComplete: (_stage, _messages, state) => void Object.assign(state, { helper: () => 1 }),
    });
    expect(play(workflow, { a: [{}] }).finished).toMatchObject({
      outcome: 'failed',
      failure: { code: 'STATE_NOT_KEPT', message: expect.stringContaining('state.state.helper is a function') },
    });
  });

  test('a promise that is rejected does not end the process', async () => {
    const workflow = two({ routeMessage: (() => Promise.reject(new Error('later'))) as never });
    expect(play(workflow, { a: [{}] }).finished).toMatchObject({ outcome: 'failed' });
    await Promise.resolve();
  });
});

describe('[ST3] errors of the work', () => {
  test('INVALID_OUTPUT: the agent is asked again with the reason', () => {
    const { deliveries } = play(two(), { a: [{ fails: 'INVALID_OUTPUT' }] });
    expect(deliveries[1]).toMatchObject({ stage: 'a', attempt: 2, iteration: 1, note: 'a did not come out' });
  });

  test('a verdict outside the list', () => {
    const review: Reply = { type: 'review', metadata: { verdict: 'MAYBE' } };
    const { codes, deliveries } = play(two(), { a: [review] });
    expect(codes).toEqual(['INVALID_OUTPUT']);
    expect(deliveries[1]?.note).toBe('The verdict "MAYBE" is not one of APPROVED, NEEDS_REVISION, REJECTED.');
  });

  test('a type that is none', () => {
    expect(play(two(), { a: [{ type: 'gossip' as never }] }).codes).toEqual(['INVALID_OUTPUT']);
  });

  test('an error has time, stage, agent, code, words and whether the run could go on', () => {
    const { state } = play(two(), { a: [{ fails: 'AGENT_ERROR' }, {}] });
    expect(state.errors).toEqual([
      {
        timestamp: '2026-01-01T00:00:01.000Z',
        stage: 'a',
        agent: 'aer',
        code: 'AGENT_ERROR',
        message: 'a did not come out',
        recoverable: true,
      },
    ]);
  });

  test('expired: what there is is put together, partial; with nothing there it has failed', () => {
    const workflow = tiny({ stages: [{ name: 'a', outputTo: ['b'] }, { name: 'b' }], config: { maxDuration: 5000 } });
    const first = begun(workflow);
    const nothing = next(workflow, first, { kind: 'expired' });
    expect(nothing.orders.finished).toMatchObject({ outcome: 'failed', failure: { code: 'TIMEOUT' } });
    expect(stateIn(nothing).status).toBe('timeout');
    const something = next(workflow, next(workflow, first, said('a')), { kind: 'expired' });
    expect(something.orders.finished).toMatchObject({
      outcome: 'partial',
      result: { partial: true, summary: 'a complete, b failed' },
      failure: { code: 'TIMEOUT', message: 'The workflow has run for its 5000 ms.' },
    });
    expect(something.orders.open).toEqual([]);
    expect(stateIn(something).status).toBe('timeout');
  });
});

describe('[ST6] questions', () => {
  test.each([
    ['a question', { type: 'question', body: 'Which?' }],
    ['a status of blocked', { type: 'status', body: 'Which?', metadata: { status: 'blocked' } }],
  ] as const)(
    '%s that no agent of the workflow takes goes to the person, and the stage goes on with the answer',
    (_what, asked) => {
      const { questions, deliveries, finished, decisions } = play(two(), {
        a: [asked, {}],
        b: [{}],
        person: [{ body: 'This.' }],
      });
      expect(questions).toEqual([{ stage: 'a', role: 'aer', text: 'Which?', choices: [] }]);
      const asking = stateIn(decisions[1] ?? ({} as StageDecision));
      expect(asking.agentStates.get('aer')).toMatchObject({ status: 'blocked', currentTask: 'a' });
      expect(asking.stageHistory).toMatchObject([{ stageName: 'a', status: 'running' }]);
      expect(deliveries[1]).toMatchObject({
        stage: 'a',
        iteration: 1,
        attempt: 1,
        note: 'A person answered your question. The answer is the last part of what you are given.',
      });
      expect(deliveries[1]?.inputs.at(-1)).toMatchObject({ content: { subject: 'Answer', body: 'This.' } });
      expect(finished).toMatchObject({ outcome: 'ok' });
    },
  );

  test('a question that the workflow routes goes where it says', () => {
    const workflow = two({
      routeMessage: (_from, { type }, { currentStage }) =>
        type === 'question' ? { messages: [], stageTransition: { from: currentStage, to: 'b' } } : { messages: [] },
    });
    expect(play(workflow, { a: [{ type: 'question' }], b: [{}] })).toMatchObject({ stages: ['a', 'b'], questions: [] });
  });

  test('others go on while one waits for an answer', () => {
    const workflow = tiny({
      stages: [
        { name: 'a', outputTo: ['b', 'c'] },
        { name: 'b', outputTo: ['d'] },
        { name: 'c', outputTo: ['d'] },
        { name: 'd', inputFrom: ['b', 'c'] },
      ],
      config: { parallelAgents: true },
    });
    const { stages, questions } = play(workflow, {
      a: [{}],
      b: [{ type: 'question' }, {}],
      c: [{}],
      d: [{}],
      person: [{ body: 'x' }],
    });
    expect(stages).toEqual(['a', 'b', 'c', 'b', 'd']);
    expect(questions).toHaveLength(1);
  });

  test('more than ten questions of one stage are too many', () => {
    const asked = Array.from({ length: 11 }, (): Reply => ({ type: 'question' }));
    const person = Array.from({ length: 11 }, (): Reply => ({ body: 'ask on' }));
    const { finished, questions } = play(two(), { a: asked, person });
    expect(questions).toHaveLength(10);
    expect(finished).toMatchObject({ outcome: 'failed', failure: { code: 'AGENT_ERROR' } });
  });
});

describe('[L9] decide', () => {
  test('a run that has ended stays as it is', () => {
    const workflow = two();
    const done = [said('a'), said('b', { id: 'm2' })].reduce(
      (before, event) => next(workflow, before, event),
      begun(workflow),
    );
    expect(done.orders.finished).toMatchObject({ outcome: 'ok' });
    for (const event of [said('a', { id: 'm3' }), { kind: 'expired' } as const]) {
      const after = next(workflow, done, event);
      expect(after).toMatchObject({
        state: done.state,
        orders: { finished: done.orders.finished, deliver: [], sent: [] },
      });
    }
  });

  test('a run begins with `started`, once', () => {
    const workflow = two();
    expect(() => decideStage(workflow, { state: null, event: { kind: 'expired' }, now: NOW, run: 'r' })).toThrowError(
      'cannot come first',
    );
    expect(() => next(workflow, begun(workflow), start)).toThrowError('cannot come again');
  });

  const reply = fc.constantFrom<Reply>(
    APPROVED,
    NEEDS_REVISION,
    REJECTED,
    CODE,
    DOCUMENTATION,
    finding('x'),
    { fails: 'TIMEOUT' },
    { type: 'status', metadata: { status: 'complete' } },
    { type: 'question' },
    {},
  );

  test.each(['research', 'development', 'architecture'])(
    '[ST1] %s ends whatever its agents answer, and every loop holds',
    (name) => {
      const workflow = loadWorkflow(name);
      const names = [...workflow.definition.stages.map((stage) => stage.name), 'person'];
      const scripts = fc.record(
        Object.fromEntries(names.map((stage) => [stage, fc.array(reply, { minLength: 40, maxLength: 40 })])),
      );
      fc.assert(
        fc.property(scripts, (script) => {
          const { finished, state } = play(workflow, {
            ...script,
            person: Array.from({ length: 40 }, () => ({ body: 'continue' })),
          });
          expect(finished).not.toBeNull();
          for (const stage of workflow.definition.stages) {
            expect(state.iterationCounts.get(stage.name) ?? 0).toBeLessThanOrEqual(stage.maxIterations ?? 4);
          }
        }),
        { numRuns: 30 },
      );
    },
  );
});
