import { describe, expect, test } from 'vitest';
import type { StageDefinition } from './stage-definition.ts';
import { play } from '../testing/play.ts';
import { tiny } from '../testing/tiny-workflow.ts';

const begun = (workflow: StageDefinition, script: Parameters<typeof play>[1]) =>
  play(workflow, script).decisions.map(({ orders }) => orders.deliver.map(({ stage }) => stage));

describe('[ST5] stages side by side', () => {
  test('routing sees the stage that the message came from, whichever was begun last', () => {
    const seen: string[] = [];
    const workflow = tiny({
      stages: [{ name: 'a', outputTo: ['b', 'c'] }, { name: 'b' }, { name: 'c' }, { name: 'end' }],
      config: { parallelAgents: true },
      routeMessage: (from, _message, { currentStage }) => {
        seen.push(`${from} in ${currentStage}`);
        return { messages: [] };
      },
    });
    play(workflow, { a: [{}], b: [{}], c: [{}] });
    expect([...new Set(seen)]).toEqual(['aer in a', 'ber in b', 'cer in c']);
  });

  test('messages for two roles begin the stages that read the sender', () => {
    const workflow = tiny({
      stages: [
        { name: 'a' },
        { name: 'b', inputFrom: ['a'] },
        { name: 'c', inputFrom: ['a'] },
        { name: 'd', inputFrom: ['b', 'c'] },
      ],
      config: { parallelAgents: true },
      routeMessage: (_from, message, { currentStage, stageHistory }) => {
        if (currentStage === 'a') return { messages: ['ber', 'cer'].map((to) => ({ to, message })) };
        const isJoined = ['b', 'c'].every((name) =>
          stageHistory.some((one) => one.stageName === name && one.status === 'complete'),
        );
        return isJoined && currentStage !== 'd' ? { messages: [{ to: 'der', message }] } : { messages: [] };
      },
    });
    expect(begun(workflow, { a: [{}], b: [{}], c: [{}], d: [{}] })).toEqual([['a'], ['b', 'c'], [], ['d'], []]);
  });

  test.each([
    [true, [['a'], ['b', 'c'], [], []]],
    [false, [['a'], ['b'], []]],
  ])(
    'a message beside a transition begins a stage only where outputTo names it and parallelAgents is %s',
    (parallelAgents, expected) => {
      const workflow = tiny({
        stages: [{ name: 'a', outputTo: ['b', 'c'] }, { name: 'b' }, { name: 'c' }, { name: 'd' }],
        config: { parallelAgents },
        routeMessage: (_from, message, { currentStage }) =>
          currentStage === 'a'
            ? {
                messages: [
                  { to: 'cer', message },
                  { to: 'der', message },
                ],
                stageTransition: { from: 'a', to: 'b' },
              }
            : { messages: [] },
      });
      expect(begun(workflow, { a: [{}], b: [{}], c: [{}] })).toEqual(expected);
    },
  );

  test('a stage waits while one that it reads runs again', () => {
    const workflow = tiny({
      stages: [
        { name: 'a', outputTo: ['b', 'c'] },
        { name: 'b' },
        { name: 'c', outputTo: ['b', 'd'] },
        { name: 'd', inputFrom: ['b'] },
      ],
      config: { parallelAgents: true },
    });
    expect(begun(workflow, { a: [{}], b: [{}, {}], c: [{}], d: [{}] })).toEqual([
      ['a'],
      ['b', 'c'],
      [],
      ['b'],
      ['d'],
      [],
    ]);
  });

  const fan = (
    parts: Partial<StageDefinition> = {},
    failureStrategy: 'abort' | 'continue' = 'abort',
  ): StageDefinition => ({
    ...tiny({
      stages: [
        { name: 'a', outputTo: ['b', 'c'], maxIterations: 1 },
        { name: 'b', outputTo: ['a'] },
        { name: 'c' },
        { name: 'end' },
      ],
      config: { parallelAgents: true, failureStrategy },
    }),
    ...parts,
  });

  test('a limit that is reached while another stage is under way makes the run partial when that one has ended', () => {
    const played = play(fan(), { a: [{}], b: [{}], c: [{}] });
    expect(played.decisions.map(({ orders }) => [orders.finished?.outcome, orders.open])).toEqual([
      [undefined, ['a']],
      [undefined, ['b', 'c']],
      [undefined, ['c']],
      ['partial', []],
    ]);
  });

  test('with `abort` the failure of one ends the run; what is still under way has failed in the history', () => {
    const played = play(fan(), { a: [{}], b: [{ fails: 'AGENT_ERROR' }, { fails: 'AGENT_ERROR' }] });
    expect(played.decisions.at(-1)).toMatchObject({
      orders: { open: [], deliver: [], finished: { outcome: 'failed' } },
    });
    expect(played.state.stageHistory.map(({ stageName, status }) => `${stageName} ${status}`)).toEqual([
      'a complete',
      'b failed',
      'c failed',
    ]);
    expect(played.state.agentStates.get('cer')).toMatchObject({ status: 'idle' });
  });

  test('with `continue` the others go on', () => {
    const workflow = fan(
      { getNextStage: ({ stageHistory }) => (stageHistory.at(-1)?.status === 'running' ? null : 'end') },
      'continue',
    );
    const failed = { fails: 'TIMEOUT' as const };
    const played = play(workflow, { a: [{}], b: [failed, failed], c: [{}], end: [{}] });
    expect(played.stages).toEqual(['a', 'b', 'c', 'b', 'end']);
    expect(played.finished).toMatchObject({ outcome: 'partial', result: { success: true } });
  });

  test('a stage that is under way is not begun a second time until it has ended', () => {
    const workflow = tiny({
      stages: [{ name: 'a', outputTo: ['b', 'c'] }, { name: 'b', outputTo: ['c'] }, { name: 'c' }, { name: 'end' }],
      config: { parallelAgents: true },
    });
    expect(begun(workflow, { a: [{}], b: [{}], c: [{}, {}] })).toEqual([['a'], ['b', 'c'], [], ['c'], []]);
  });
});
