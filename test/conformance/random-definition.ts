import type { Expression, Program } from '../../src/core/model/expression.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import {
  agent,
  command,
  context,
  definitionOf,
  end,
  pool,
  tell,
  to,
  wait,
  work,
} from '../../src/core/testing/definitions.ts';
import {
  addTo,
  binary,
  equals,
  isolate,
  literal,
  name,
  throwing,
  variable,
} from '../../src/core/testing/expressions.ts';
import type { Join, Limits, PoolWork, State, Transition, UnitWork, Work } from '../../src/core/model/workflow.ts';
import type { Choices } from './choices.ts';

/** A workflow with everything in it: turns and tools, permissions, pools that grow, isolates, timeouts, retries and tight limits. */
export function randomDefinition(choices: Choices): Definition {
  const names = Array.from({ length: choices.below(5) + 1 }, (_, index) => `s${index}`);
  const states = names.map((own) => randomState(choices, own, names));
  return definitionOf([...states, end('end', 'ok', choices.oneIn(4) ? isolate('output()') : variable('n'))], {
    data: { n: choices.below(3), list: ['x', 'y', 'z'].slice(0, choices.below(4)) },
    agents: [agent('coder'), agent('reviewer', { side: 'user' }), agent('loner', { context: 'alone' })],
    contexts: [context('talk', { maxLength: 60 }), context('alone', { maxLength: 400 })],
    parsingTools: ['verdict'],
    limits: randomLimits(choices),
    ...(choices.oneIn(2) ? { ask: ['grep', 'glob'] } : {}),
    ...(choices.oneIn(3) ? { onFailure: 'rollback' } : {}),
    retry: { tries: { server: 3, auth: 1, 'bad-reply': 2 }, baseMs: 20, maxMs: 50 },
  });
}

function randomLimits(choices: Choices): Partial<Limits> {
  return {
    iterations: choices.below(5) + 2,
    toolRounds: choices.below(3) + 1,
    ...(choices.oneIn(4) ? { tokens: 30 * (choices.below(5) + 1) } : {}),
    ...(choices.oneIn(6) ? { usd: 0.5 } : {}),
    ...(choices.oneIn(4) ? { durationMs: 50 * (choices.below(5) + 1) } : {}),
  };
}

function randomState(choices: Choices, own: string, names: readonly string[]): State {
  const transitions = () => randomTransitions(choices, names);
  const on = {
    ...(choices.oneIn(2) ? { failed: transitions() } : {}),
    ...(choices.oneIn(2) ? { partial: transitions() } : {}),
    ...(choices.oneIn(2) ? { timeout: transitions() } : {}),
    ...(choices.oneIn(4) ? { quota: transitions() } : {}),
  };
  return work(own, randomWork(choices), {
    enter: choices.oneIn(4) ? randomProgram(choices) : null,
    transitions: transitions(),
    on,
    timeoutMs: choices.oneIn(3) ? 10 * (choices.below(6) + 1) : null,
  });
}

function randomTransitions(choices: Choices, names: readonly string[]): readonly Transition[] {
  const target = () => (choices.below(6) === 0 ? 'end' : (names[choices.below(names.length)] ?? 'end'));
  const guarded = choices.list(2, () =>
    to(target(), randomCondition(choices), choices.oneIn(3) ? randomProgram(choices) : null),
  );
  return choices.oneIn(12)
    ? guarded
    : [...guarded, to(target(), null, choices.oneIn(3) ? randomProgram(choices) : null)];
}

function randomCondition(choices: Choices): Expression {
  switch (choices.below(10)) {
    case 9:
      return throwing;
    case 8:
    case 7:
      return isolate('condition()');
    case 6:
      return equals(name('outcome'), 'ok');
    case 5:
      return equals(variable('n'), choices.below(4));
    default:
      return binary('<', variable('n'), literal(choices.below(4)));
  }
}

const randomProgram = (choices: Choices): Program => (choices.oneIn(4) ? isolate('change()') : addTo('n', 1));

function randomWork(choices: Choices): Work {
  switch (choices.below(10)) {
    case 9:
    case 8:
    case 7:
    case 6:
      return randomPool(choices);
    case 5:
      return { kind: 'none' };
    case 4:
      return { kind: 'merge', agent: 'coder' };
    default:
      return randomUnitWork(choices);
  }
}

function randomUnitWork(choices: Choices): UnitWork {
  const speaker = choices.pick(['coder', 'reviewer', 'loner'] as const);
  switch (choices.below(10)) {
    case 9:
      return { kind: 'ask', question: literal('Sure?'), choices: [] };
    case 8:
      return { kind: 'call', workflow: 'child', input: { n: choices.oneIn(2) ? isolate('input()') : variable('n') } };
    case 7:
      return wait(10 * choices.below(4));
    case 6:
      return command(choices.oneIn(3) ? isolate('line()') : literal('npm test'));
    case 5:
      return choices.oneIn(2) ? tell(speaker, literal('Mind that.')) : command(throwing);
    case 4:
      return { kind: 'turn', agent: speaker, mode: 'clear', input: null };
    default:
      return {
        kind: 'turn',
        agent: speaker,
        mode: 'ask',
        input: choices.oneIn(6) ? isolate('say()') : literal('Go on.'),
      };
  }
}

function randomPool(choices: Choices): PoolWork {
  const join = choices.pick<Join>([{ rule: 'all' }, { rule: 'any' }, { rule: 'first' }, { rule: 'quorum', count: 2 }]);
  return pool(choices.oneIn(2) ? randomItems(choices) : randomUnits(choices), {
    join,
    slots: choices.below(3) + 1,
    grow: choices.oneIn(3) ? randomGrowth(choices) : null,
  });
}

function randomUnits(choices: Choices): PoolWork['units'] {
  const ids = ['a', '7', 'b', '3', 'c'].slice(0, choices.below(5) + 1);
  const list = ids.map((id, index) => ({
    id,
    after: ids.slice(0, index).filter(() => choices.oneIn(3)),
    work: randomUnitWork(choices),
  }));
  return { kind: 'fixed', list };
}

const randomItems = (choices: Choices): PoolWork['units'] => ({
  kind: 'items',
  items: choices.oneIn(3) ? isolate('items()') : variable('list'),
  work: randomUnitWork(choices),
});

/** Grows by one, but only from the first unit: a pool may be long, but not endless. */
function randomGrowth(choices: Choices): Expression {
  if (choices.oneIn(3)) return isolate('grow()');
  return {
    kind: 'conditional',
    test: equals(name('index'), 0),
    then: literal([{ id: 'grown' }]),
    otherwise: literal([]),
  };
}
