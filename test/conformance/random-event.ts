import type { Effect } from '../../src/core/model/effect.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { ScriptResult } from '../../src/core/record/task-fact.ts';
import type { Noted } from '../../src/core/record/files-fact.ts';
import { taskId, treeId } from '../../src/core/model/ids.ts';
import type { Json } from '../../src/core/model/json.ts';
import type { Failure } from '../../src/core/model/outcome.ts';
import { limitQuestion } from '../../src/core/record/question-name.ts';
import { openPermissions } from '../../src/core/step/turn/permit.ts';
import type { Snapshot } from '../../src/core/fold/snapshot.ts';
import { answered, call, failure } from '../../src/core/testing/tested-run.ts';
import type { Choices } from './choices.ts';

/** How an order comes back: mostly well, sometimes badly. */
export function randomAnswer(choices: Choices, effect: Effect, serial: number): Event | null {
  switch (effect.kind) {
    case 'actor.call':
      return randomReply(choices, effect, serial);
    case 'tool.run':
      return {
        kind: 'tool.finished',
        task: effect.task,
        toolCall: effect.toolCall.id,
        content: 'result '.repeat(choices.below(3) + 1),
        isError: choices.oneIn(4),
        ms: 1,
      };
    case 'script.run':
      return { kind: 'script.evaluated', key: effect.key, result: randomResult(choices, effect) };
    case 'command.run':
    case 'child.start':
    case 'merge.run':
      return randomDone(choices, effect.task);
    case 'question.look':
      return { kind: 'question.looked', question: effect.question, files: randomFiles(choices) };
    case 'rollback.run':
      return { kind: 'rollback.done', failure: choices.oneIn(3) ? failure('crash', 'disk full') : null };
    default:
      return null;
  }
}

/** Of an approval: those it is asked for, and those there are when it is answered. */
const randomFiles = (choices: Choices) => ({ main: treeId(choices.oneIn(4) ? 'b' : 'a') });

function randomReply(choices: Choices, effect: Extract<Effect, { kind: 'actor.call' }>, serial: number): Event {
  const { task, agent, attempt } = effect;
  if (choices.oneIn(5)) {
    const kind = choices.pick(['server', 'auth', 'quota', 'bad-reply'] as const);
    return { kind: 'call.failed', task, call: effect.call, attempt, failure: failure(kind) };
  }
  const calls = choices.oneIn(3)
    ? []
    : choices.list(3, (index) =>
        call(`c${serial}-${index}`, choices.oneIn(3) ? 'verdict' : choices.pick(['grep', 'glob'])),
      );
  const rejected = Object.fromEntries(calls.filter(() => choices.oneIn(4)).map((one) => [one.id, 'it does not fit.']));
  return answered({
    task,
    author: agent,
    content: 'word '.repeat(choices.below(5)),
    call: effect.call,
    attempt,
    tokens: 10,
    costUsd: choices.oneIn(30) ? null : 0.05,
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
    ...(Object.keys(rejected).length === 0 ? {} : { rejected }),
  });
}

function randomResult(choices: Choices, effect: Extract<Effect, { kind: 'script.run' }>): ScriptResult {
  if (choices.oneIn(12)) return { kind: 'failed', failure: failure('script') };
  if (effect.wants === 'patch') return { kind: 'patch', patch: { set: { n: choices.below(4) } } };
  return { kind: 'value', value: randomValue(choices, effect.key) };
}

/** Mostly what such an expression should yield; sometimes anything. */
function randomValue(choices: Choices, key: string): Json {
  const lists: readonly [Json, ...Json[]] = [
    [],
    [1],
    [{ id: 'a' }, { id: 'b', after: ['a'] }],
    [{ id: 'x', after: ['x'] }],
    'no list',
  ];
  if (/\/(items|grow\/.*)$/v.test(key)) return choices.pick(lists);
  return choices.pick<Json>([false, true, 'text', 1, null]);
}

function randomDone(choices: Choices, task: ReturnType<typeof taskId>): Event {
  if (!choices.oneIn(3)) return { kind: 'task.done', task, outcome: 'ok', output: choices.below(3), failure: null };
  const outcome = choices.pick(['failed', 'partial', 'blocked', 'quota', 'crashed', 'cancelled'] as const);
  const why: Failure | null = outcome === 'partial' ? null : failure('logic');
  return { kind: 'task.done', task, outcome, output: null, failure: why };
}

/** What a person does: answers what waits, raises limits, lets the run go on, brings new work, cancels. */
export function randomPerson(choices: Choices, snapshot: Snapshot): Event | null {
  const { paused, held, tasks } = snapshot;
  const by = 'someone';
  if (held !== null && choices.oneIn(2)) return { kind: 'run.continue', by };
  if (paused !== null && held === null && choices.oneIn(4)) return { kind: 'run.pause', by, reason: '' };
  if (paused !== null && choices.oneIn(2)) {
    // Going on doubles the limit: a loop without work would be run for ever longer.
    const isEnough = paused.limit === 'iterations' && paused.allowed > 20;
    const answer = isEnough ? 'stop' : choices.pick<Json>(['continue', paused.used + 7, 'continue', 'stop']);
    return { kind: 'question.answered', question: limitQuestion(paused), answer, by };
  }
  if (paused !== null) return { kind: 'limit.raise', limit: paused.limit, allowed: paused.used + 5, by };
  const [permission] = openPermissions(snapshot);
  if (permission !== undefined)
    return {
      kind: 'question.answered',
      question: permission.id,
      answer: choices.pick(['always', 'no', 'yes', 'always']),
      by,
      files: randomFiles(choices),
    };
  const asked = Object.values(tasks).find((task) => task.work.kind === 'ask');
  if (asked !== undefined) return { kind: 'question.answered', question: asked.id, answer: 'yes', by };
  if (choices.oneIn(8)) return { kind: 'run.cancel', by, reason: 'enough' };
  const pool = Object.values(tasks).find((task) => task.units !== null);
  if (pool === undefined) return null;
  const unit = { id: choices.pick(['extra', 'a', '__proto__']), after: choices.oneIn(3) ? ['a'] : [], item: null };
  return { kind: 'units.offered', task: pool.id, units: [unit] };
}

/** What is found around the work: workspaces, their files, what was leased for them. */
export function randomNote(choices: Choices, serial: number): Event {
  const workspace = choices.pick(['main', 'coder', 't1.shared']);
  const tree = treeId(`tree-${serial}`);
  const facts = choices.list(3, (index): Noted => {
    switch (choices.below(4)) {
      case 3:
        return { kind: 'resource.leased', workspace, values: { port: String(4000 + serial) } };
      case 2:
        return { kind: 'workspace.made', workspace, tree, version: serial };
      default:
        return {
          kind: 'files.changed',
          workspace,
          tree,
          version: serial + index,
          base: tree,
          why: choices.pick(['work', 'outside', 'merge', 'conflict', 'rollback']),
          task: choices.oneIn(3) ? null : taskId('t1'),
        };
    }
  });
  return { kind: 'world.noted', facts };
}

/** Events that nothing waits for: other tasks, other calls, other attempts, alarms that were never set. */
export function randomStale(choices: Choices, snapshot: Snapshot): Event {
  const known = Object.values(snapshot.tasks);
  const task = known[choices.below(Math.max(1, known.length))];
  const turn = task?.turn ?? null;
  const id = choices.pick(['t0', 't999', 'constructor', '__proto__'] as const);
  switch (choices.below(10)) {
    case 9:
      return snapshot.held === null
        ? { kind: 'run.continue', by: 'someone' }
        : { kind: 'run.pause', by: 'x', reason: '' };
    case 8:
      return { kind: 'question.answered', question: `permit/${task?.id ?? id}/c?`, answer: 'yes', by: 'someone' };
    case 7:
      return { kind: 'timer.fired', timer: `${id}/${choices.pick(['wait', 'deadline', 'retry'])}` };
    case 6:
      return { kind: 'question.answered', question: choices.pick([id, 'limit/none']), answer: 'stop', by: 'someone' };
    case 5:
      return { kind: 'script.evaluated', key: `${id}#1/enter`, result: { kind: 'value', value: true } };
    case 4:
      return {
        kind: 'tool.finished',
        task: task?.id ?? taskId(id),
        toolCall: 'c?',
        content: '',
        isError: false,
        ms: 0,
      };
    case 3:
      return { kind: 'task.done', task: taskId(id), outcome: 'ok', output: 1, failure: null };
    case 2:
      return { kind: 'units.offered', task: taskId(id), units: [{ id: 'u', after: [], item: null }] };
    case 1:
      return answered({ task: task?.id ?? id, content: 'late', call: (turn?.call ?? 1) + 1 });
    default:
      return answered({ task: task?.id ?? id, content: 'late', attempt: (turn?.attempt ?? 1) + 1 });
  }
}
