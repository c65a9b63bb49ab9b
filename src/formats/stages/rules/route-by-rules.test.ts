import { describe, expect, test } from 'vitest';
import { type AgentMessage, createTaskMessage } from './agent-message.ts';
import { createWorkflowState } from './workflow-state.ts';
import { routeByRules, type RoutingRule } from './stage-definition.ts';
import { play } from '../testing/play.ts';
import { tiny } from '../testing/tiny-workflow.ts';

const finding: AgentMessage = {
  ...createTaskMessage('orchestrator', 'F', 'text'),
  from: 'researcher',
  type: 'finding',
};
const state = () => ({ ...createWorkflowState('w', 's'), currentStage: 'here' });
const route = (rules: RoutingRule[], message = finding, into = state()) =>
  routeByRules(rules)(message.from, message, into);

describe('[ST6] the most specific row is taken', () => {
  const any: RoutingRule = { from: '*', messageType: 'finding', routeTo: 'a' };
  const role: RoutingRule = { from: 'researcher', messageType: 'finding', routeTo: 'b' };
  const anyIf: RoutingRule = { ...any, condition: () => true, routeTo: 'c' };
  const roleIf: RoutingRule = { ...role, condition: () => true, routeTo: 'd' };

  test.each([
    [[any, role], 'b'],
    [[role, anyIf], 'c'],
    [[any, anyIf, role, roleIf], 'd'],
    [[roleIf, { ...roleIf, routeTo: 'e' }], 'd'],
    [[{ ...roleIf, condition: () => false }, any], 'a'],
  ])('whatever the order (%#)', (rules, expected) => {
    expect(route(rules).messages[0]?.to).toBe(expected);
    expect(route(rules.toReversed().toReversed()).messages[0]?.to).toBe(expected);
  });

  test('other types and other roles do not match', () => {
    expect(
      route([
        { ...role, from: 'developer' },
        { ...any, messageType: 'review' },
      ]).refusal?.code,
    ).toBe('UNEXPECTED_MESSAGE');
  });
});

describe('[ST3] every field of a row changes what happens', () => {
  const rule: RoutingRule = { from: 'researcher', messageType: 'finding', routeTo: 'reviewer' };

  test('routeTo: the message is for that role', () => {
    expect(route([rule])).toEqual({ messages: [{ to: 'reviewer', message: { ...finding, to: 'reviewer' } }] });
  });

  test('transformMessage', () => {
    const rules: RoutingRule[] = [{ ...rule, transformMessage: (message) => ({ ...message, type: 'task' }) }];
    expect(route(rules).messages[0]?.message.type).toBe('task');
  });

  test('updateStage', () => {
    expect(route([{ ...rule, updateStage: 'there' }]).stageTransition).toEqual({ from: 'here', to: 'there' });
  });

  test('updateState: the run gets its own copy', () => {
    const rules: RoutingRule[] = [{ ...rule, updateState: { iterationCounts: new Map([['x', 1]]) } }];
    const [first, second] = [state(), state()];
    route(rules, finding, first);
    first.iterationCounts.set('x', 9);
    route(rules, finding, second);
    expect(second.iterationCounts.get('x')).toBe(1);
  });

  test('updateState reaches the run', () => {
    const workflow = tiny({
      stages: [{ name: 'a' }, { name: 'b' }],
      routeMessage: routeByRules([
        { from: 'aer', messageType: 'task', routeTo: 'ber', updateStage: 'b', updateState: { sessionId: 'changed' } },
      ]),
    });
    const played = play(workflow, { a: [{}], b: [{}] });
    expect(played.state.sessionId).toBe('changed');
    expect(played.finished).toMatchObject({ outcome: 'ok' });
  });

  test('limitReached: the run is marked partial', () => {
    const workflow = tiny({
      stages: [{ name: 'a' }, { name: 'b' }],
      routeMessage: routeByRules([
        { from: 'aer', messageType: 'task', routeTo: 'ber', updateStage: 'b', limitReached: 'Enough.' },
      ]),
    });
    expect(play(workflow, { a: [{}], b: [{}] }).finished).toMatchObject({
      outcome: 'partial',
      failure: { code: 'MAX_ITERATIONS', message: 'Enough.' },
    });
  });

  test('condition: it sees the message and the state', () => {
    const rules: RoutingRule[] = [
      { ...rule, condition: ({ content }, { currentStage }) => content.body === 'text' && currentStage === 'here' },
    ];
    expect(route(rules).messages).toHaveLength(1);
    expect(route(rules, finding, { ...state(), currentStage: 'there' }).refusal).toEqual({
      code: 'UNEXPECTED_MESSAGE',
      message: 'No rule of w takes a finding from researcher in the stage there.',
    });
  });

  test('a refusal names verdict and status', () => {
    const review: AgentMessage = {
      ...finding,
      type: 'review',
      content: { subject: '', body: '', metadata: { verdict: 'REJECTED' } },
    };
    expect(route([], review).refusal?.message).toContain('a review (verdict REJECTED) from');
    const status: AgentMessage = {
      ...finding,
      type: 'status',
      content: { subject: '', body: '', metadata: { status: 'lost' } },
    };
    expect(route([], status).refusal?.message).toContain('a status (status lost) from');
  });
});
