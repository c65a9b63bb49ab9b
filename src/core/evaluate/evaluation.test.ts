import { describe, expect, test } from 'vitest';
import { binary, isolate, literal, name, set, throwing, variable } from '../testing/expressions.ts';
import { command, definitionOf, end, route, to, wait, work } from '../testing/definitions.ts';
import { failure, TestedRun } from '../testing/tested-run.ts';

const condition = isolate('complicated()');

describe('expressions that only the isolate can run', () => {
  test('[SM5] a condition is asked for, and the run waits for its answer', () => {
    const run = new TestedRun(definitionOf([route('start', [to('yes', condition), to('no')]), end('yes'), end('no')]));
    expect(run.effects).toEqual([
      {
        kind: 'script.run',
        key: 'start#1/when/ok/0',
        script: condition,
        wants: 'value',
        locals: { result: null, outcome: 'ok', failure: null },
      },
    ]);
    expect(run.snapshot.status).toBe('running');
    run.evaluated(false);
    expect(run.path()).toEqual(['start', 'no']);
  });

  test('[SM6] conditions are asked for one after the other, only as far as needed', () => {
    const run = new TestedRun(
      definitionOf([route('start', [to('a', isolate('1')), to('b', isolate('2')), to('c', isolate('3'))]), end('b')]),
    );
    run.evaluated(false);
    expect(run.lastScript()).toBe('start#1/when/ok/1');
    run.evaluated('truthy');
    expect(run.path()).toEqual(['start', 'b']);
    expect(run.effects.filter((effect) => effect.kind === 'script.run')).toHaveLength(2);
  });

  test('[SM4] a script of a state is answered with a change of the data', () => {
    const run = new TestedRun(
      definitionOf([route('start', [to('stop')], isolate('change()')), end()], { data: { a: 1, b: 2 } }),
    );
    expect(run.effects).toMatchObject([{ kind: 'script.run', key: 'start#1/enter', wants: 'patch' }]);
    run.send({
      kind: 'script.evaluated',
      key: 'start#1/enter',
      result: { kind: 'patch', patch: { set: { a: 5 }, unset: ['b'] } },
    });
    expect(run.snapshot.data).toEqual({ a: 5 });
    expect(run.snapshot.result?.outcome).toBe('ok');
  });

  const change = (key: string) =>
    ({ kind: 'script.evaluated', key, result: { kind: 'patch', patch: { set: { a: 5 } } } }) as const;

  test('[SM4] a change of the data is journaled once: with the entry or the state it leads to', () => {
    const states = [
      work('start', command(literal('make')), {
        enter: isolate('one()'),
        transitions: [to('stop', null, isolate('two()'))],
      }),
      end(),
    ];
    const run = new TestedRun(definitionOf(states));
    expect(run.send(change('start#1/enter')).facts).toMatchObject([
      { kind: 'data.set', patch: { set: { a: 5 } } },
      { kind: 'task.started' },
    ]);
    expect(run.send(change('start#1/enter')).facts).toEqual([]);
    run.done('t1');
    expect(run.send(change('start#1/assign/ok/0')).facts).toMatchObject([
      { kind: 'state.entered', state: 'stop', patch: { set: { a: 5 } } },
      { kind: 'run.settled' },
    ]);
  });

  test('[SM4] a change that arrives while the run is paused is kept, and used when the run continues', () => {
    const run = new TestedRun(definitionOf([route('start', [to('stop')], isolate('change()')), end()]));
    run.pause();
    expect(run.send(change('start#1/enter')).facts).toEqual([change('start#1/enter')]);
    expect(run.send(change('start#1/enter')).facts).toEqual([]);
    expect(run.goOn().effects).toEqual([]);
    expect(run.snapshot).toMatchObject({ data: { a: 5 }, result: { outcome: 'ok' } });
  });

  test('[SM9] a change in front of a state that may not be entered is kept until the limit is raised', () => {
    const loop = [route('start', [to('start', null, isolate('change()'))])];
    const run = new TestedRun(definitionOf(loop, { limits: { iterations: 1 } }));
    const { facts } = run.send(change('start#1/assign/ok/0'));
    expect(facts.map(({ kind }) => kind)).toEqual(['limit.reached', 'script.evaluated']);
    expect(run.snapshot.data).toEqual({});
    run.send({ kind: 'limit.raise', limit: 'iterations', allowed: 2, by: 'someone' });
    expect(run.path()).toEqual(['start', 'start']);
    expect(run.snapshot.data).toEqual({ a: 5 });
  });

  test('[SM6] the script of a transition is asked for only when its condition holds', () => {
    const run = new TestedRun(
      definitionOf([
        route('start', [to('a', literal(false), isolate('one()')), to('b', null, isolate('two()'))]),
        end('a'),
        end('b'),
      ]),
    );
    expect(run.effects).toMatchObject([{ kind: 'script.run', key: 'start#1/assign/ok/1' }]);
  });

  test('[SM5] inputs of work and the result of an end may need it too', () => {
    const states = [
      work('start', command(isolate('line()')), { transitions: [to('child')] }),
      work(
        'child',
        { kind: 'call', workflow: 'other', input: { a: isolate('a()'), b: literal(2), c: isolate('c()') } },
        {
          transitions: [to('stop')],
        },
      ),
      end('stop', 'ok', isolate('sum()')),
    ];
    const run = new TestedRun(definitionOf(states));
    run.evaluated('make');
    expect(run.last.effects).toEqual([{ kind: 'command.run', task: 't1', command: 'make', okExitCodes: [0] }]);
    run.done('t1');
    expect(run.lastScript()).toBe('child#1/work/a');
    run.evaluated(1);
    expect(run.lastScript()).toBe('child#1/work/c');
    run.evaluated(3);
    expect(run.last.effects).toEqual([
      { kind: 'child.start', task: 't2', workflow: 'other', input: { a: 1, b: 2, c: 3 } },
    ]);
    run.done('t2');
    expect(run.lastScript()).toBe('stop#1/output');
    run.evaluated({ all: true });
    expect(run.snapshot.result).toEqual({ outcome: 'ok', output: { all: true }, failure: null });
  });

  test('[L3] a script that failed ends the run, and says which one it was', () => {
    const run = new TestedRun(definitionOf([route('start', [to('stop', condition)]), end()]));
    run.send({
      kind: 'script.evaluated',
      key: run.lastScript(),
      result: { kind: 'failed', failure: failure('script', 'ran too long') },
    });
    expect(run.snapshot.result).toMatchObject({ outcome: 'failed', failure: { class: 'script' } });
    expect(run.snapshot.result?.failure?.message).toBe(
      'The condition of transition 1 (to stop) of state start: ran too long',
    );
  });
});

describe('where the author wrote it', () => {
  const at = { line: 7, column: 3 };
  const written = (states: Parameters<typeof definitionOf>[0]) => {
    const definition = definitionOf(states);
    return new TestedRun({ ...definition, workflow: { ...definition.workflow, file: 'flow.yaml' } });
  };

  test('[L3] a failure at run time names the file and the line', () => {
    const failing = written([route('start', [{ ...to('stop', throwing), at }]), end()]);
    expect(failing.snapshot.result?.failure?.message).toContain('of state start (flow.yaml:7:3): ');
    const stuck = written([{ ...route('start', []), at }]);
    expect(stuck.snapshot.result?.failure?.message).toContain('state start (flow.yaml:7:3) matched');
    const empty = written([{ ...work('start', command(literal('')), {}), at }]);
    expect(empty.snapshot.result?.failure?.message).toContain('state start (flow.yaml:7:3) came out empty');
  });

  test('[L3] without a position it names the file, without a file nothing', () => {
    const failing = written([route('start', [to('stop', throwing)]), end()]);
    expect(failing.snapshot.result?.failure?.message).toContain('of state start (flow.yaml): ');
    const bare = new TestedRun(definitionOf([route('start', [{ ...to('stop', throwing), at }]), end()]));
    expect(bare.snapshot.result?.failure?.message).toContain('of state start: ');
  });

  test('[L2] a result that JSON cannot hold is a failure, not a null', () => {
    const run = new TestedRun(definitionOf([end('stop', 'ok', binary('/', literal(0), literal(0)))]));
    expect(run.snapshot.result).toMatchObject({ outcome: 'failed', failure: { code: 'SCRIPT_FAILED' } });
  });
});

describe('stale answers', () => {
  test('[L2] a second answer for the same expression changes nothing', () => {
    const run = new TestedRun(
      definitionOf([work('start', wait(5), { transitions: [to('stop', condition), to('start', isolate('x'))] })]),
    );
    run.timer('t1/wait', 1005);
    run.evaluated(false);
    const before = run.snapshot;
    expect(run.evaluated(true, 'start#1/when/ok/0').snapshot).toBe(before);
  });

  test('[L2] an answer for a state that was left, or an earlier visit of it, changes nothing', () => {
    const run = new TestedRun(
      definitionOf([work('start', wait(5), { transitions: [to('start', condition)] })], { limits: { iterations: 5 } }),
    );
    run.timer('t1/wait', 1005);
    run.evaluated(true);
    expect(run.path()).toEqual(['start', 'start']);
    for (const key of ['start#1/when/ok/0', 'other#1/when/ok/0', 'start#11/when/ok/0', '']) {
      const before = run.snapshot;
      expect(run.evaluated(true, key)).toEqual({ facts: [], snapshot: before, effects: [] });
    }
  });

  test('[L9] the answers of a visit are forgotten when the state is left', () => {
    const run = new TestedRun(
      definitionOf([route('start', [to('next', condition)]), work('next', wait(5), { transitions: [] })]),
    );
    run.evaluated(true);
    expect(run.snapshot.current.scripts).toEqual({});
  });
});

describe('expressions that the core evaluates by itself', () => {
  test('[SM5] it needs no isolate, and is still journaled', () => {
    const run = new TestedRun(
      definitionOf([route('start', [to('stop', variable('go'), set({ seen: name('outcome') }))]), end()], {
        data: { go: true },
      }),
    );
    expect(run.effects).toEqual([]);
    expect(run.snapshot.data).toEqual({ go: true, seen: 'ok' });
  });

  test('[SM5] a name that has no value there is an error with the expression in its message', () => {
    const run = new TestedRun(definitionOf([route('start', [to('stop', name('item'))]), end()]));
    expect(run.snapshot.result?.failure?.message).toContain('item');
    expect(run.snapshot.result?.failure?.code).toBe('SCRIPT_FAILED');
  });
});
