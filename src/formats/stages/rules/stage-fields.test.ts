import { describe, expect, test } from 'vitest';
import type { AgentMessage, MessageType } from './agent-message.ts';
import { registerCondition } from './stage-condition.ts';
import type { RoutingDecision } from './stage-definition.ts';
import { standardGuards } from './find-stage.ts';
import { play } from '../testing/play.ts';
import { APPROVED, NEEDS_REVISION, REJECTED } from '../testing/replies.ts';
import { tiny } from '../testing/tiny-workflow.ts';

const to = (stage: string, from: string, mail: RoutingDecision['messages'] = []): RoutingDecision => ({
  messages: mail,
  stageTransition: { from, to: stage },
});

/** Routes by the sender's name: `{ a: 'b' }` leads from the stage a to b. */
const chain =
  (links: Readonly<Record<string, string>>) =>
  (_from: string, _message: AgentMessage, { currentStage }: { currentStage: string }): RoutingDecision => {
    const next = links[currentStage];
    return next === undefined ? { messages: [] } : to(next, currentStage);
  };

describe('[ST3] every field of a stage changes what happens', () => {
  test('agent: it is the role that gets the turn; description and timeout go with it', () => {
    const { deliveries } = play(
      tiny({ stages: [{ name: 'a', agent: 'poet', description: 'Write a poem', timeout: 500 }] }),
      {},
    );
    expect(deliveries).toMatchObject([
      { stage: 'a', role: 'poet', description: 'Write a poem', timeoutMs: 500, outputType: 'task' },
    ]);
  });

  test('timeout: none by default', () => {
    expect(play(tiny({ stages: [{ name: 'a' }] }), {}).deliveries[0]?.timeoutMs).toBeNull();
  });

  test('outputTo: where the output goes when routeMessage says nothing', () => {
    const stages = [{ name: 'a', outputTo: ['c'] }, { name: 'b' }, { name: 'c' }];
    expect(play(tiny({ stages }), { a: [{}], c: [{}] })).toMatchObject({
      stages: ['a', 'c'],
      finished: { outcome: 'ok' },
    });
  });

  test('outputTo: names which stage of a role is meant when a message has no transition', () => {
    const mail = ({ content }: AgentMessage): RoutingDecision['messages'] =>
      content.subject === 'a'
        ? [{ to: 'writer', message: { content: { subject: 'x', body: '' } } as AgentMessage }]
        : [];
    const workflow = tiny({
      stages: [
        { name: 'a', outputTo: ['c'] },
        { name: 'b', agent: 'writer' },
        { name: 'c', agent: 'writer' },
      ],
      routeMessage: (_from, message) => ({ messages: mail(message) }),
    });
    expect(play(workflow, { a: [{}], c: [{}] }).stages).toEqual(['a', 'c']);
  });

  test('inputTypes: another type is refused with a code', () => {
    const workflow = tiny({
      stages: [{ name: 'a' }, { name: 'b', inputTypes: ['design'] }],
      routeMessage: chain({ a: 'b' }),
    });
    expect(play(workflow, { a: [{}] })).toMatchObject({
      stages: ['a'],
      codes: ['INPUT_REFUSED'],
      finished: {
        outcome: 'failed',
        failure: { code: 'INPUT_REFUSED', message: 'The stage b takes design; aer sent a task.' },
      },
    });
    expect(play(workflow, { a: [{ type: 'design' }] }).stages).toEqual(['a', 'b']);
  });

  test('inputFrom: the stage waits until all of them are complete, and gets what they gave', () => {
    const workflow = tiny({
      stages: [
        { name: 'a', outputTo: ['b', 'c', 'd'] },
        { name: 'b' },
        { name: 'c' },
        { name: 'd', inputFrom: ['b', 'c'] },
      ],
    });
    const played = play(workflow, { a: [{}], b: [{ body: 'from b' }], c: [{ body: 'from c' }], d: [{}] });
    expect(played).toMatchObject({ stages: ['a', 'b', 'c', 'd'], finished: { outcome: 'ok' } });
    expect(played.deliveries[3]?.inputs.map(({ content }) => content.body)).toEqual(['the goal', 'from b', 'from c']);
  });

  test('inputFrom: a message for a role goes to the stage that reads the sender', () => {
    const workflow = tiny({
      stages: [{ name: 'a' }, { name: 'b', agent: 'writer' }, { name: 'c', agent: 'writer', inputFrom: ['a'] }],
      routeMessage: (_from, message, { currentStage }) => ({
        messages: currentStage === 'a' ? [{ to: 'writer', message }] : [],
      }),
    });
    expect(play(workflow, { a: [{}], c: [{}] }).stages).toEqual(['a', 'c']);
  });

  test('inputFrom: what waits for a stage that never comes ends with INPUT_MISSING', () => {
    const workflow = tiny({
      stages: [{ name: 'a', outputTo: ['c'] }, { name: 'b' }, { name: 'c', inputFrom: ['a', 'b'] }],
    });
    expect(play(workflow, { a: [{}] }).finished).toMatchObject({
      outcome: 'failed',
      failure: { code: 'INPUT_MISSING', message: 'The stage c waits for b, which will not come.' },
    });
  });

  test('inputFrom: the entry stage begins with the goal, also where it later reads the review of its work', () => {
    const workflow = tiny({
      stages: [
        { name: 'draft', inputFrom: ['review'], outputType: 'artifact', iterationTrigger: 'review' },
        { name: 'review', inputFrom: ['draft'], outputType: 'review' },
      ],
      routeMessage: (_from, { type, content }, { currentStage }) => {
        if (type === 'artifact') return to('review', currentStage);
        return content.metadata?.['verdict'] === 'APPROVED' ? { messages: [] } : to('draft', currentStage);
      },
      isComplete: () => false,
    });
    const played = play(workflow, { draft: [{}, {}], review: [NEEDS_REVISION, APPROVED] });
    expect(played).toMatchObject({ stages: ['draft', 'review', 'draft', 'review'], finished: { outcome: 'ok' } });
  });

  test('maxIterations: the stage that has run as often is not begun again, and the result is partial', () => {
    const workflow = tiny({
      stages: [{ name: 'a', maxIterations: 2 }, { name: 'b' }, { name: 'end' }],
      routeMessage: chain({ a: 'b', b: 'a' }),
    });
    const played = play(workflow, { a: [{}, {}], b: [{}, {}] });
    expect(played.stages).toEqual(['a', 'b', 'a', 'b']);
    expect(played.codes).toEqual(['MAX_ITERATIONS']);
    expect(played.noted[0]).toMatchObject({ stage: 'a', agent: 'aer', recoverable: true });
    expect(played.finished).toMatchObject({ outcome: 'partial', result: { partial: true } });
  });

  test('iterationTrigger: only that type makes the stage run again', () => {
    const again = (type: MessageType) =>
      play(
        tiny({
          stages: [{ name: 'a', iterationTrigger: 'review' }, { name: 'b' }, { name: 'end' }],
          routeMessage: chain({ a: 'b', b: 'a' }),
        }),
        { a: [{}], b: [{ type }] },
      );
    expect(again('review').stages).toEqual(['a', 'b', 'a']);
    expect(again('finding')).toMatchObject({ stages: ['a', 'b'], finished: { failure: { code: 'NOT_TRIGGERED' } } });
  });

  test('iterationTrigger: it is taken besides inputTypes, and names the stage that a message for its role means', () => {
    const workflow = tiny({
      stages: [
        { name: 'a', agent: 'writer', inputTypes: ['task'], outputType: 'artifact', iterationTrigger: 'review' },
        { name: 'b' },
        { name: 'end' },
      ],
      routeMessage: (_from, message, { currentStage }) =>
        currentStage === 'a' ? to('b', 'a') : { messages: [{ to: 'writer', message }] },
    });
    const { stages, deliveries } = play(workflow, { a: [{ body: 'my draft' }], b: [{ type: 'review' }] });
    expect(stages).toEqual(['a', 'b', 'a']);
    expect(deliveries[2]?.inputs.map(({ content }) => content.body)).toEqual(['the goal', 'my draft']);
    expect(deliveries[2]).toMatchObject({ iteration: 2, message: { type: 'review' } });
  });

  test('optional: the run goes on past it when it fails, and is still ok', () => {
    const stages = [
      { name: 'a', outputTo: ['b'] },
      { name: 'b', optional: true, outputTo: ['c'] },
      { name: 'c', inputFrom: ['b'] },
    ];
    const played = play(tiny({ stages }), {
      a: [{ body: 'from a' }],
      b: [{ fails: 'AGENT_ERROR' }, { fails: 'AGENT_ERROR' }],
      c: [{}],
    });
    expect(played).toMatchObject({ stages: ['a', 'b', 'b', 'c'], finished: { outcome: 'ok' } });
    expect(played.deliveries[3]?.message.content.body).toBe('from a');
    expect(played.noted).toMatchObject([{ recoverable: true }, { recoverable: true }]);
  });

  test('optional: without outputTo its reader is next', () => {
    const stages = [
      { name: 'a', outputTo: ['b'] },
      { name: 'b', optional: true },
      { name: 'c', inputFrom: ['b'] },
    ];
    const played = play(tiny({ stages }), { a: [{}], b: [{ fails: 'TIMEOUT' }, { fails: 'TIMEOUT' }], c: [{}] });
    expect(played).toMatchObject({ stages: ['a', 'b', 'b', 'c'], finished: { outcome: 'ok' } });
  });

  test('[ST5] fallback: other roles play the stage when its agent has failed', () => {
    const workflow = tiny({ stages: [{ name: 'a', agent: 'first', fallback: ['second', 'third'] }] });
    const failed = { fails: 'AGENT_ERROR' as const };
    const played = play(workflow, { a: [failed, failed, failed, failed, {}] });
    expect(played.deliveries.map(({ role }) => role)).toEqual(['first', 'first', 'second', 'second', 'third']);
    expect(played.finished).toMatchObject({ outcome: 'ok' });
    expect(played.state.agentStates.get('first')).toMatchObject({ status: 'error' });
  });
});

describe('[ST3] conditions', () => {
  const skipping = (condition: Parameters<typeof tiny>[0]['stages'][number]['condition']) =>
    tiny({
      stages: [
        { name: 'a', outputType: 'review', outputTo: ['b'] },
        { name: 'b', ...(condition === undefined ? {} : { condition }), outputTo: ['c'] },
        { name: 'c' },
      ],
    });

  test.each([
    [
      'message_received',
      { type: 'message_received', messageType: 'review', from: 'aer' },
      { type: 'message_received', from: 'x' },
    ],
    ['verdict', { type: 'verdict', verdict: 'APPROVED' }, { type: 'verdict', verdict: 'REJECTED' }],
    ['count', { type: 'count', countField: 'n', threshold: 2 }, { type: 'count', countField: 'n', threshold: 3 }],
    ['custom', { type: 'custom', customCheck: 'test:yes' }, { type: 'custom', customCheck: 'test:no' }],
  ] as const)(
    '%s: a stage whose condition does not hold is skipped, and what it got goes past it',
    (_name, holds, fails) => {
      registerCondition('test:yes', yes);
      registerCondition('test:no', no);
      const script = { a: [{ metadata: { verdict: 'APPROVED', n: ['x', 'y'] } }], b: [{}], c: [{}] };
      expect(play(skipping(holds), script).stages).toEqual(['a', 'b', 'c']);
      const skipped = play(skipping(fails), script);
      expect(skipped.stages).toEqual(['a', 'c']);
      expect(skipped.state.stageHistory.map(({ status }) => status)).toEqual(['complete', 'skipped', 'complete']);
      expect(skipped.finished).toMatchObject({ outcome: 'ok' });
    },
  );

  test('of several targets those whose condition holds are begun; nothing goes past the others', () => {
    const workflow = tiny({
      stages: [
        { name: 'a', outputType: 'review', outputTo: ['fix', 'end'] },
        { name: 'fix', condition: { type: 'verdict', verdict: 'NEEDS_REVISION' }, outputTo: ['a'] },
        { name: 'end', condition: { type: 'verdict', verdict: 'APPROVED' } },
      ],
    });
    expect(play(workflow, { a: [NEEDS_REVISION, APPROVED], fix: [{}], end: [{}] }).stages).toEqual([
      'a',
      'fix',
      'a',
      'end',
    ]);
  });

  test('stages that are all skipped in a circle come to an end', () => {
    const never = { type: 'verdict', verdict: 'REJECTED' } as const;
    const workflow = tiny({
      stages: [
        { name: 'a', outputTo: ['b'] },
        { name: 'b', condition: never, outputTo: ['c'] },
        { name: 'c', condition: never, outputTo: ['b'] },
        { name: 'end' },
      ],
    });
    expect(play(workflow, { a: [{}] }).finished).toMatchObject({
      outcome: 'failed',
      failure: { code: 'NO_NEXT_STAGE' },
    });
  });

  test('a last stage that is skipped ends the workflow', () => {
    const workflow = tiny({
      stages: [
        { name: 'a', outputTo: ['b'] },
        { name: 'b', condition: { type: 'verdict', verdict: 'REJECTED' } },
      ],
      synthesizeResult: () => ({ success: true, summary: 'done', artifacts: [] }),
    });
    expect(play(workflow, { a: [{}] }).finished).toMatchObject({ outcome: 'ok' });
  });

  test('an unknown custom condition ends the run by its name', () => {
    const workflow = tiny({ stages: [{ name: 'a', condition: { type: 'custom', customCheck: 'nowhere' } }] });
    expect(play(workflow, {}).finished).toMatchObject({
      failure: { code: 'STAGE_CODE_FAILED', message: expect.stringContaining('"nowhere"') },
    });
  });
});

const yes = (): boolean => true;
const no = (): boolean => false;

describe('[ST3] the configuration', () => {
  test('maxRevisions: reviews that send work back, in the whole run', () => {
    const workflow = tiny({
      stages: [{ name: 'a' }, { name: 'b', outputType: 'review' }, { name: 'end' }],
      config: { maxRevisions: 1 },
      routeMessage: chain({ a: 'b', b: 'a' }),
    });
    const played = play(workflow, { a: [{}, {}], b: [NEEDS_REVISION, NEEDS_REVISION] });
    expect(played.stages).toEqual(['a', 'b', 'a', 'b']);
    expect(played.finished).toMatchObject({ outcome: 'partial', failure: { code: 'MAX_ITERATIONS' } });
  });

  const fan = (parallelAgents: boolean) =>
    tiny({
      stages: [
        { name: 'a', outputTo: ['b', 'c'] },
        { name: 'b', outputTo: ['d'] },
        { name: 'c', outputTo: ['d'] },
        { name: 'd', inputFrom: ['b', 'c'], outputTo: ['end'] },
        { name: 'end' },
      ],
      config: { parallelAgents },
    });

  test('[ST5] parallelAgents: stages whose inputs allow it are under way at once', () => {
    const { decisions } = play(fan(true), { a: [{}], b: [{}], c: [{}], d: [{}] });
    expect(decisions.map(({ orders }) => orders.deliver.map(({ stage }) => stage))).toEqual([
      ['a'],
      ['b', 'c'],
      [],
      ['d'],
      ['end'],
    ]);
    expect(decisions[1]?.orders.open).toEqual(['b', 'c']);
  });

  test('parallelAgents false: one after the other', () => {
    const { decisions } = play(fan(false), { a: [{}], b: [{}], c: [{}], d: [{}] });
    expect(decisions.map(({ orders }) => orders.deliver.map(({ stage }) => stage))).toEqual([
      ['a'],
      ['b'],
      ['c'],
      ['d'],
      ['end'],
    ]);
  });

  test('a stage that joins two is begun once, with what both sent', () => {
    const { deliveries } = play(fan(true), { a: [{}], b: [{ body: 'from b' }], c: [{ body: 'from c' }], d: [{}] });
    expect(deliveries.map(({ stage }) => stage)).toEqual(['a', 'b', 'c', 'd', 'end']);
    const { message, inputs } = deliveries[3] ?? { inputs: [] };
    expect(new Set([message, ...inputs].map((one) => one?.content.body))).toEqual(
      new Set(['from b', 'from c', 'the goal']),
    );
  });

  const failing = (failureStrategy: 'abort' | 'continue' | 'retry') =>
    tiny({
      stages: [{ name: 'a', outputTo: ['b'] }, { name: 'b', outputTo: ['c'] }, { name: 'c' }],
      config: { failureStrategy },
    });
  const failed = { fails: 'TIMEOUT' as const };

  test('failureStrategy abort: a stage is tried twice, then the run has failed', () => {
    const played = play(failing('abort'), { a: [{}], b: [failed, failed] });
    expect(played.stages).toEqual(['a', 'b', 'b']);
    expect(played.deliveries.map(({ attempt }) => attempt)).toEqual([1, 1, 2]);
    expect(played.noted).toMatchObject([
      { code: 'TIMEOUT', recoverable: true },
      { code: 'TIMEOUT', recoverable: false },
    ]);
    expect(played.finished).toMatchObject({ outcome: 'failed', failure: { code: 'TIMEOUT' } });
    expect(played.state.iterationCounts.get('b')).toBe(1);
  });

  test('failureStrategy continue: what depends on it is blocked, the rest is partial', () => {
    const played = play(failing('continue'), { a: [{}], b: [failed, failed] });
    expect(played.finished).toMatchObject({
      outcome: 'partial',
      result: { partial: true },
      failure: { code: 'TIMEOUT' },
    });
  });

  test('failureStrategy continue: the workflow may name a stage to go on with', () => {
    const workflow = { ...failing('continue'), getNextStage: () => 'c' };
    const played = play(workflow, { a: [{}], b: [failed, failed], c: [{}] });
    expect(played.stages).toEqual(['a', 'b', 'b', 'c']);
    expect(played.finished).toMatchObject({ outcome: 'partial', result: { success: true, partial: true } });
  });

  test('failureStrategy continue: a stage that has failed is not what follows it', () => {
    const workflow = { ...failing('continue'), getNextStage: () => 'b' };
    const played = play(workflow, { a: [{}], b: [failed, failed, {}] });
    expect(played).toMatchObject({ stages: ['a', 'b', 'b'], finished: { outcome: 'partial' } });
  });

  test('failureStrategy retry: three tries, then the run has failed', () => {
    const played = play(failing('retry'), { a: [{}], b: [failed, failed, failed] });
    expect(played.stages).toEqual(['a', 'b', 'b', 'b']);
    expect(played.finished).toMatchObject({ outcome: 'failed' });
  });

  test.each([
    ['abort', ['a'], 'failed'],
    ['continue', ['a'], 'failed'],
    ['retry', ['a', 'a', 'a'], 'failed'],
  ] as const)('[ST6] REJECTED with %s', (failureStrategy, stages, outcome) => {
    const workflow = tiny({
      stages: [{ name: 'a', outputType: 'review' }, { name: 'b' }],
      config: { failureStrategy },
    });
    const played = play(workflow, { a: [REJECTED, REJECTED, REJECTED] });
    expect(played.stages).toEqual(stages);
    expect(played.state.stageHistory).toMatchObject([{ stageName: 'a', status: 'failed' }]);
    expect(played.finished).toMatchObject({ outcome, failure: { code: 'REJECTED' } });
  });

  test('a workflow that routes REJECTED says itself what follows', () => {
    const workflow = tiny({
      stages: [{ name: 'a', outputType: 'review' }, { name: 'b' }],
      routeMessage: chain({ a: 'b' }),
    });
    const played = play(workflow, { a: [REJECTED], b: [{}] });
    expect(played).toMatchObject({ stages: ['a', 'b'], codes: ['REJECTED'], finished: { outcome: 'ok' } });
    expect(played.state.stageHistory[0]).toMatchObject({ status: 'failed' });
  });
});

describe('[ST3] guards', () => {
  test('a guard that refuses is reported by its errorMessage, and the stage is not begun', () => {
    const seen: string[] = [];
    const workflow = tiny({
      stages: [{ name: 'a' }, { name: 'b' }],
      routeMessage: chain({ a: 'b' }),
      guards: [
        {
          name: 'noB',
          check: ({ currentStage }) => {
            seen.push(currentStage);
            return currentStage !== 'b';
          },
          errorMessage: 'Not now',
        },
      ],
    });
    expect(play(workflow, { a: [{}] })).toMatchObject({
      stages: ['a'],
      codes: ['GUARD_REFUSED'],
      finished: {
        outcome: 'failed',
        failure: { code: 'GUARD_REFUSED', message: 'Not now (the guard noB, before b).' },
      },
    });
    expect(new Set(seen)).toEqual(new Set(['a', 'b']));
    expect(play(workflow, { a: [{}] }).state.currentStage).toBe('a');
  });

  test('the two guards of the document', () => {
    const workflow = tiny({
      stages: [
        { name: 'a', maxIterations: 1 },
        { name: 'b', inputFrom: ['a'] },
      ],
    });
    const [iterations, previous] = standardGuards(workflow.definition);
    const { state, deliveries } = play(workflow, { a: [{}] });
    const message = deliveries[0]?.message;
    expect(message && iterations?.check({ ...state, currentStage: 'a' }, message)).toBe(false);
    expect(message && iterations?.check({ ...state, currentStage: 'b' }, message)).toBe(true);
    expect(message && previous?.check({ ...state, currentStage: 'b' }, message)).toBe(true);
    expect(message && previous?.check({ ...state, stageHistory: [], currentStage: 'b' }, message)).toBe(false);
    expect(iterations?.errorMessage).toBe('Maximum revision iterations exceeded');
    expect(previous?.errorMessage).toBe('Required input stages not complete');
  });
});

describe('[ST3] messages', () => {
  test('priority: the most urgent of those that wait is delivered first', () => {
    const mail = (message: AgentMessage, subject: string, priority: AgentMessage['priority']): AgentMessage => ({
      ...message,
      id: subject,
      priority,
    });
    const workflow = tiny({
      stages: [
        { name: 'a', outputTo: ['b', 'c', 'd', 'e'] },
        { name: 'b' },
        { name: 'c' },
        { name: 'd' },
        { name: 'e' },
        { name: 'end' },
      ],
      routeMessage: (_from, message, { currentStage }) => ({
        messages:
          currentStage === 'a'
            ? [
                { to: 'ber', message: mail(message, 'm1', 'low') },
                { to: 'cer', message: mail(message, 'm2', 'normal') },
                { to: 'der', message: mail(message, 'm3', 'critical') },
                { to: 'eer', message: mail(message, 'm4', 'high') },
              ]
            : [],
      }),
    });
    const { stages } = play(workflow, { a: [{}], b: [{}], c: [{}], d: [{}], e: [{}] });
    expect(stages).toEqual(['a', 'd', 'e', 'c', 'b']);
  });

  test('a message for a role without a stage to begin waits for the next stage the role plays', () => {
    const workflow = tiny({
      stages: [{ name: 'a' }, { name: 'b' }, { name: 'c', agent: 'later' }],
      routeMessage: (_from, message, { currentStage }) =>
        currentStage === 'a'
          ? to('b', 'a', [
              { to: 'later', message: { ...message, id: 'note', content: { subject: 'note', body: 'remember' } } },
            ])
          : currentStage === 'b'
            ? to('c', 'b')
            : { messages: [] },
    });
    const { deliveries, decisions } = play(workflow, { a: [{}], b: [{}], c: [{}] });
    expect(decisions[1]?.orders.sent.map(({ id }) => id)).toContain('note');
    expect(deliveries[2]).toMatchObject({ stage: 'c', role: 'later' });
    expect(deliveries[2]?.inputs.map(({ content }) => content.body)).toContain('remember');
  });

  test('updateAgentState: the agent is changed as the routing says', () => {
    const workflow = tiny({
      stages: [{ name: 'a' }, { name: 'b' }],
      routeMessage: () => ({
        messages: [],
        stageTransition: { from: 'a', to: 'b' },
        updateAgentState: { role: 'aer', state: { status: 'blocked' } },
      }),
    });
    expect(play(workflow, { a: [{}] }).state.agentStates.get('aer')).toMatchObject({ role: 'aer', status: 'blocked' });
  });

  test('taking a waiting message out of the state unsends it', () => {
    const workflow = tiny({
      stages: [{ name: 'a', outputTo: ['b', 'c'] }, { name: 'b' }, { name: 'c' }, { name: 'end' }],
      getNextStage: () => null,
      onStageComplete: (stage, _messages, state) => {
        if (stage === 'b') state.pendingMessages = [];
      },
    });
    expect(play(workflow, { a: [{}], b: [{}] }).stages).toEqual(['a', 'b']);
  });
});
