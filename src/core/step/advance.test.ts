import { describe, expect, test } from 'vitest';
import { addTo, literal, set, throwing, variable } from '../testing/expressions.ts';
import { agent, context, definitionOf, end, route, tell, to, work } from '../testing/definitions.ts';
import { TestedRun } from '../testing/tested-run.ts';

describe('the script of a state', () => {
  test('[SM4] runs on entry, once, and before the transitions are judged', () => {
    const run = new TestedRun(
      definitionOf([route('start', [to('stop', variable('n'))], addTo('n', 1)), end()], { data: { n: 0 } }),
    );
    expect(run.path()).toEqual(['start', 'stop']);
    expect(run.snapshot.data).toEqual({ n: 1 });
    expect(run.ofKind('data.set')).toHaveLength(1);
  });

  test('[SM4] runs again on every visit', () => {
    const run = new TestedRun(
      definitionOf([route('start', [to('start')], addTo('n', 1))], { data: { n: 0 }, limits: { iterations: 4 } }),
    );
    expect(run.snapshot.data).toEqual({ n: 4 });
  });

  test('[SM4] a script that changes nothing still counts as run', () => {
    const run = new TestedRun(definitionOf([route('start', [to('stop')], set({})), end()]));
    expect(run.snapshot.result?.outcome).toBe('ok');
    expect(run.ofKind('data.set')).toHaveLength(1);
  });

  test('[L3] one that throws ends the run and names the state', () => {
    const run = new TestedRun(definitionOf([route('start', [to('stop')], set({ n: throwing })), end()]));
    expect(run.snapshot.result?.failure).toMatchObject({ code: 'SCRIPT_FAILED', class: 'script' });
    expect(run.snapshot.result?.failure?.message).toContain('The script of state start');
  });
});

describe('how a run ends', () => {
  test('[SM1] the end’s own expression is the result', () => {
    const run = new TestedRun(definitionOf([end('stop', 'ok', variable('n'))], { data: { n: 3 }, output: 'other' }));
    expect(run.snapshot.result).toEqual({ outcome: 'ok', output: 3, failure: null });
  });

  test('[SM1] without one it is the variable that the workflow names as its output', () => {
    const run = new TestedRun(definitionOf([end()], { data: { n: 3 }, output: 'n' }));
    expect(run.snapshot.result?.output).toBe(3);
  });

  test('[SM1] an output that was never set is null', () => {
    expect(new TestedRun(definitionOf([end()], { output: 'n' })).snapshot.result?.output).toBeNull();
    expect(new TestedRun(definitionOf([end()])).snapshot.result?.output).toBeNull();
  });

  test('[L10] an end carries the outcome its author gave it', () => {
    const run = new TestedRun(definitionOf([end('stop', 'blocked', literal('why'))]));
    expect(run.snapshot.result).toEqual({ outcome: 'blocked', output: 'why', failure: null });
  });

  test('[L3] a result that cannot be computed makes the run fail, with the reason', () => {
    const run = new TestedRun(definitionOf([end('stop', 'ok', throwing)]));
    expect(run.snapshot.result).toMatchObject({ outcome: 'failed', failure: { code: 'SCRIPT_FAILED' } });
  });

  test('[L2] the run starts with its workflow’s data, and the input goes over it', () => {
    const run = new TestedRun(definitionOf([end()], { data: { a: 1, b: 1 } }), { input: { b: 2 } });
    expect(run.snapshot.data).toEqual({ a: 1, b: 2 });
    expect(run.snapshot.input).toEqual({ b: 2 });
    expect(run.facts[0]).toMatchObject({ kind: 'run.started', format: 1, data: { a: 1, b: 2 } });
  });

  test('[L10] limits given at the start go over those of the workflow', () => {
    const run = new TestedRun(definitionOf([end()], { limits: { iterations: 5, tokens: 9 } }), {
      limits: { tokens: 3 },
    });
    expect(run.snapshot.limits).toEqual({ iterations: 5, toolRounds: 50, tokens: 3 });
  });
});

describe('telling and clearing', () => {
  const cast = {
    agents: [agent('coder')],
    contexts: [context('talk', { startingMessages: [{ author: 'person', role: 'user', content: 'Hello.' }] })],
  };

  test('[SM4] tell adds a message for the agent and does not wait', () => {
    const run = new TestedRun(
      definitionOf(
        [work('start', tell('coder', literal('Mind the tests.')), { transitions: [to('stop')] }), end()],
        cast,
      ),
    );
    expect(run.snapshot.result?.outcome).toBe('ok');
    expect(run.ofKind('message.added')[0]).toEqual({
      kind: 'message.added',
      context: 'talk',
      message: { author: 'workflow', to: 'coder', role: 'user', content: 'Mind the tests.' },
    });
    expect(run.effects).toEqual([]);
  });

  test('[SM4] clear empties the agent’s conversation', () => {
    const run = new TestedRun(
      definitionOf(
        [
          work('start', { kind: 'turn', agent: 'coder', mode: 'clear', input: null }, { transitions: [to('stop')] }),
          end(),
        ],
        cast,
      ),
    );
    expect(run.snapshot.result?.outcome).toBe('ok');
    expect(run.snapshot.contexts['talk']).toMatchObject({ chars: 0, messages: { length: 0 } });
    expect(run.effects).toEqual([]);
  });

  test('[L3] an empty message is a named failure, not the word "undefined"', () => {
    for (const input of [variable('missing'), literal(''), null]) {
      const run = new TestedRun(
        definitionOf([work('start', tell('coder', input), { transitions: [to('stop')] }), end()], cast),
      );
      expect(run.snapshot.result).toMatchObject({ outcome: 'failed', failure: { code: 'INPUT_UNDEFINED' } });
    }
  });

  test('[SM5] a value that is not text is sent as JSON', () => {
    const run = new TestedRun(
      definitionOf([work('start', tell('coder', literal({ a: [1] })), { transitions: [to('stop')] }), end()], cast),
    );
    expect(run.ofKind('message.added')[0]?.message.content).toBe('{"a":[1]}');
  });
});
