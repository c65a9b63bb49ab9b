import { describe, expect, test } from 'vitest';
import {
  addTo,
  binary,
  equals,
  isolate,
  literal,
  member,
  name,
  set,
  throwing,
  variable,
} from '../testing/expressions.ts';
import { command, definitionOf, end, route, to, wait, work } from '../testing/definitions.ts';
import { failure, TestedRun } from '../testing/tested-run.ts';

const isAbove = (key: string, bound: number) => binary('>', variable(key), literal(bound));

describe('which transition is taken', () => {
  test('[SM6] the first transition whose condition holds is taken, also when a later one holds too', () => {
    const run = new TestedRun(
      definitionOf(
        [
          route('start', [to('none', isAbove('n', 9)), to('first', isAbove('n', 1)), to('second', isAbove('n', 0))]),
          end('none'),
          end('first'),
          end('second'),
        ],
        { data: { n: 5 } },
      ),
    );
    expect(run.path()).toEqual(['start', 'first']);
    expect(run.ofKind('state.entered')[1]?.from).toEqual({ state: 'start', outcome: 'ok', transition: 1 });
  });

  test('[SM6] a transition without a condition always holds', () => {
    const run = new TestedRun(definitionOf([route('start', [to('first'), to('second')]), end('first'), end('second')]));
    expect(run.path()).toEqual(['start', 'first']);
  });

  test('[SM5] a condition holds by JavaScript’s rules of truth, not only when it is true', () => {
    const targets = (value: string | number | null) =>
      new TestedRun(
        definitionOf([route('start', [to('yes', variable('v')), to('no')]), end('yes'), end('no')], {
          data: { v: value },
        }),
      ).path()[1];
    expect(targets('text')).toBe('yes');
    expect(targets(1)).toBe('yes');
    expect(targets('')).toBe('no');
    expect(targets(0)).toBe('no');
    expect(targets(null)).toBe('no');
  });

  test('[SM5] conditions after the work see its result and its outcome', () => {
    const states = [
      work('start', command(), {
        transitions: [to('red', equals(name('result'), 'red')), to('green', equals(name('outcome'), 'ok'))],
      }),
      end('red'),
      end('green'),
    ];
    const red = new TestedRun(definitionOf(states));
    red.done('t1', 'red');
    expect(red.path()).toEqual(['start', 'red']);
    const green = new TestedRun(definitionOf(states));
    green.done('t1', 'green');
    expect(green.path()).toEqual(['start', 'green']);
  });
});

describe('nothing stops quietly', () => {
  test('[L3] no transition matched is a failure with a code and a hint', () => {
    const run = new TestedRun(definitionOf([route('start', [to('stop', literal(false))]), end()]));
    expect(run.snapshot.status).toBe('settled');
    expect(run.snapshot.result).toMatchObject({ outcome: 'failed', output: null, failure: { code: 'NO_TRANSITION' } });
    expect(run.snapshot.result?.failure?.message).toContain('start');
    expect(run.snapshot.result?.failure?.hint).toBeDefined();
  });

  test('[L3] a state without any transition is the same failure', () => {
    const run = new TestedRun(definitionOf([route('start', [])]));
    expect(run.snapshot.result?.failure?.code).toBe('NO_TRANSITION');
  });

  test('[L3] a condition that throws ends the run with its reason, and never counts as false', () => {
    const run = new TestedRun(definitionOf([route('start', [to('stop', throwing), to('stop')]), end()]));
    expect(run.path()).toEqual(['start']);
    expect(run.snapshot.result).toMatchObject({
      outcome: 'failed',
      failure: { code: 'SCRIPT_FAILED', class: 'script' },
    });
    expect(run.snapshot.result?.failure?.message).toContain('condition of transition 1 (to stop) of state start');
  });

  test('[L3] a condition after the one that holds is not evaluated, so it cannot throw', () => {
    const run = new TestedRun(definitionOf([route('start', [to('stop'), to('stop', throwing)]), end()]));
    expect(run.snapshot.result?.outcome).toBe('ok');
  });

  test('[L3] a transition to a state that does not exist is a failure with a code', () => {
    const run = new TestedRun(definitionOf([route('start', [to('nowhere')])]));
    expect(run.snapshot.result).toMatchObject({ outcome: 'failed', failure: { code: 'STATE_UNKNOWN' } });
  });
});

describe('the script of a transition', () => {
  test('[SM6] runs only for the transition that is taken', () => {
    const run = new TestedRun(
      definitionOf(
        [
          route('start', [
            to('stop', isAbove('n', 5), set({ touched: literal('tried') })),
            to('stop', null, addTo('n', 1)),
            to('stop', null, set({ touched: literal('later') })),
          ]),
          end(),
        ],
        { data: { n: 1 } },
      ),
    );
    expect(run.snapshot.data).toEqual({ n: 2 });
  });

  test('[SM6] its change is in the fact of the state that is entered, so a fold runs no script', () => {
    const run = new TestedRun(
      definitionOf([route('start', [to('stop', null, set({ n: literal(7) }))]), end()], { data: { n: 1 } }),
    );
    expect(run.ofKind('state.entered')[1]?.patch).toEqual({ set: { n: 7 } });
  });

  test('[SM6] the conditions are judged on the data as it was before', () => {
    const run = new TestedRun(
      definitionOf(
        [
          route('start', [to('a', isAbove('n', 5), addTo('n', 1)), to('b', null, addTo('n', 10))]),
          route('b', [to('a', isAbove('n', 5)), to('start')]),
          end('a'),
        ],
        { data: { n: 0 } },
      ),
    );
    expect(run.path()).toEqual(['start', 'b', 'a']);
    expect(run.snapshot.data).toEqual({ n: 10 });
  });

  test('[L3] one that throws ends the run, and the state is not entered', () => {
    const run = new TestedRun(definitionOf([route('start', [to('stop', null, set({ n: throwing }))]), end()]));
    expect(run.path()).toEqual(['start']);
    expect(run.snapshot.result?.failure?.message).toContain('The script before stop of state start');
  });
});

describe('work that did not succeed', () => {
  const states = [
    work('start', command(), {
      transitions: [to('stop')],
      on: {
        failed: [to('fix', equals(member(name('failure'), 'code'), 'CALL_FAILED')), to('stop')],
        timeout: [],
      },
      timeoutMs: 50,
    }),
    route('fix', [to('stop', null, set({ fixed: literal(true) }))]),
    end(),
  ];

  test('[L5] goes by the transitions for its outcome, with the failure in scope', () => {
    const run = new TestedRun(definitionOf(states));
    run.breaks('t1');
    expect(run.path()).toEqual(['start', 'fix', 'stop']);
    expect(run.ofKind('state.entered')[1]?.from).toEqual({ state: 'start', outcome: 'failed', transition: 0 });
    expect(run.snapshot.result?.outcome).toBe('ok');
  });

  test('[L5] an outcome that the state does not handle ends the run with it, and with its failure', () => {
    const run = new TestedRun(definitionOf(states));
    run.breaks('t1', 'blocked');
    expect(run.snapshot.result).toMatchObject({ outcome: 'blocked', failure: { code: 'CALL_FAILED' } });
  });

  test('[L5] a partial child gives its partial output to the run when no handler takes it', () => {
    const run = new TestedRun(definitionOf(states));
    run.send({
      kind: 'task.done',
      task: run.last.snapshot.current.task ?? ('' as never),
      outcome: 'partial',
      output: 'half',
      failure: null,
    });
    expect(run.snapshot.result).toEqual({ outcome: 'partial', output: 'half', failure: null });
  });

  test('[L3] a handler none of whose conditions hold is an error, not a silent stop', () => {
    const run = new TestedRun(definitionOf(states));
    run.timer('t1/deadline', 1050);
    expect(run.snapshot.result).toMatchObject({ outcome: 'failed', failure: { code: 'NO_TRANSITION' } });
  });

  test('[L2] a failure that a handler resolved stays visible among the run’s failures', () => {
    const run = new TestedRun(definitionOf(states));
    run.breaks('t1');
    const place = { at: 1000, state: 'start', task: 't1', pool: null };
    expect(run.snapshot.failures.items).toEqual([{ ...place, failure: failure('logic', 't1 broke') }]);
  });
});

describe('entering too often', () => {
  const loop = [route('start', [to('again')]), route('again', [to('start')])];

  test('[SM9] a state is entered exactly as often as the limit says, then the run pauses in front of it', () => {
    const run = new TestedRun(definitionOf(loop, { limits: { iterations: 3 } }));
    expect(run.path()).toEqual(['start', 'again', 'start', 'again', 'start', 'again']);
    expect(run.snapshot.paused).toMatchObject({
      kind: 'limit.reached',
      limit: 'iterations',
      allowed: 3,
      used: 3,
      state: 'start',
    });
    expect(run.snapshot.status).toBe('running');
  });

  test('[SM9] fifty is the limit where the file sets none', () => {
    const run = new TestedRun(definitionOf([route('start', [to('start')])]));
    expect(run.path()).toHaveLength(50);
    expect(run.snapshot.paused?.limit).toBe('iterations');
  });

  test('[SM9] visits are numbered, also over several states', () => {
    const run = new TestedRun(definitionOf(loop, { limits: { iterations: 2 } }));
    expect(run.ofKind('state.entered').map((fact) => `${fact.state}${fact.visit}`)).toEqual([
      'start1',
      'again1',
      'start2',
      'again2',
    ]);
  });

  test('[L10] after a raise the run continues by the same transition, and its script has run once', () => {
    const states = [route('start', [to('stop', isAbove('n', 3)), to('start', null, addTo('n', 1))]), end()];
    const run = new TestedRun(definitionOf(states, { data: { n: 0 }, limits: { iterations: 3 } }));
    expect(run.snapshot.data).toEqual({ n: 2 });
    run.send({ kind: 'limit.raise', limit: 'iterations', allowed: 5, by: 'someone' });
    expect(run.snapshot.result?.outcome).toBe('ok');
    expect(run.snapshot.data).toEqual({ n: 4 });
    expect(run.path()).toEqual(['start', 'start', 'start', 'start', 'start', 'stop']);
  });

  test('[L10] a condition the isolate answered is not requested again when the run continues after a raise', () => {
    const states = [work('start', wait(10), { transitions: [to('start', isolate('deep()'))] })];
    const run = new TestedRun(definitionOf(states, { limits: { iterations: 1 } }));
    run.timer('t1/wait', 1010);
    run.evaluated(true);
    expect(run.snapshot.paused?.limit).toBe('iterations');
    run.send({ kind: 'limit.raise', limit: 'iterations', allowed: 2, by: 'someone' });
    expect(run.path()).toEqual(['start', 'start']);
    expect(run.effects.filter((effect) => effect.kind === 'script.run')).toHaveLength(1);
  });
});
