import { workflowCode } from '../../src/core/codes/codes.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { Expression, Program } from '../../src/core/model/expression.ts';
import { unreachable } from '../../src/core/model/fault.ts';
import type { TaskId } from '../../src/core/model/ids.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import type { Snapshot, Task } from '../../src/core/fold/snapshot.ts';
import type { Step } from '../../src/core/step/step.ts';
import { agent, definitionOf, end, to, work } from '../../src/core/testing/definitions.ts';
import { binary, equals, literal, member, name, throwing, variable } from '../../src/core/testing/expressions.ts';
import { answered, BEGINNING } from '../../src/core/testing/tested-run.ts';
import type { State, Transition, Work } from '../../src/core/model/workflow.ts';
import type { Interpreter } from './interpreter.ts';
import type { Action, Change, Data, Edge, Guard, Machine, MachineState } from './machine.ts';
import type { Trace, TraceEnd } from './trace.ts';

/** The same machine as a workflow, driven by the smallest host there can be. */
export function runAsWorkflow(machine: Machine, actions: readonly Action[], interpreter: Interpreter): Trace {
  const run = new WorkflowRun(workflowOf(machine), interpreter);
  const steps = [run.path.length];
  for (const action of actions) {
    run.act(action);
    steps.push(run.path.length);
  }
  return { path: run.path, steps, data: run.snapshot.data as unknown as Data, end: endOf(run.snapshot) };
}

class WorkflowRun {
  readonly path: string[] = [];
  snapshot: Snapshot;
  readonly #definition: Definition;
  readonly #interpreter: Interpreter;
  readonly #timers = new Map<string, number>();
  readonly #timersEver = new Set<string>();
  #now = BEGINNING.at;
  #newest: Event | null = null;

  constructor(definition: Definition, interpreter: Interpreter) {
    this.#definition = definition;
    this.#interpreter = interpreter;
    const first = interpreter.start(definition, BEGINNING);
    this.snapshot = first.snapshot;
    this.#take(first);
  }

  act(action: Action): void {
    switch (action.kind) {
      case 'tick':
        return this.#tick(action.ms);
      case 'echo':
        return this.#echo();
      case 'done':
      case 'error': {
        const task = Object.values(this.snapshot.tasks)[0];
        if (task === undefined || task.work.kind === 'wait') return this.#echo();
        this.#newest = resultOf(task, action);
        return this.#send(this.#newest);
      }
    }
  }

  #tick(ms: number): void {
    this.#now += ms;
    const due = () => [...this.#timers].find(([, at]) => at <= this.#now);
    for (let next = due(); next !== undefined; next = due()) {
      this.#timers.delete(next[0]);
      this.#send({ kind: 'timer.fired', timer: next[0] });
    }
  }

  /** Everything that can come too late, twice or too early: an interpreter that is right changes nothing. */
  #echo(): void {
    if (this.#newest !== null) this.#send(this.#newest);
    for (const timer of this.#timersEver) this.#send({ kind: 'timer.fired', timer });
  }

  #send(event: Event): void {
    this.#take(this.#interpreter.step(this.#definition, this.snapshot, { event, at: this.#now }));
  }

  #take(step: Step): void {
    this.snapshot = step.snapshot;
    const stopped: TaskId[] = [];
    for (const fact of step.facts) if (fact.kind === 'state.entered') this.path.push(fact.state);
    for (const effect of step.effects) {
      if (effect.kind === 'timer.clear') this.#timers.delete(effect.timer);
      if (effect.kind === 'task.stop') stopped.push(effect.task);
      if (effect.kind !== 'timer.set') continue;
      this.#timers.set(effect.timer, effect.at);
      this.#timersEver.add(effect.timer);
    }
    // [X6] The parent waits for a child run that must stop; here it stops at once.
    for (const task of stopped) {
      if (this.snapshot.tasks[task] === undefined) continue;
      this.#send({ kind: 'task.done', task, outcome: 'cancelled', output: null, failure: null });
    }
  }
}

function resultOf(task: Task, action: Extract<Action, { kind: 'done' | 'error' }>): Event {
  const id: TaskId = task.id;
  const failure =
    action.kind === 'error'
      ? ({ code: workflowCode(action.code), message: 'it broke', class: 'logic' } as const)
      : null;
  if (task.work.kind === 'turn') {
    if (failure !== null) return { kind: 'call.failed', task: id, call: 1, attempt: 1, failure };
    return answered({ task: id, content: action.kind === 'done' ? String(action.value) : '' });
  }
  if (action.kind === 'done')
    return { kind: 'task.done', task: id, outcome: 'ok', output: action.value, failure: null };
  return { kind: 'task.done', task: id, outcome: 'failed', output: null, failure };
}

function endOf({ status, paused, result }: Snapshot): TraceEnd {
  if (paused !== null) return 'paused';
  if (status === 'running') return 'running';
  if (result?.outcome === 'ok') return 'done';
  if (result?.outcome === 'timeout') return 'late';
  return result?.failure?.code === 'NO_TRANSITION' ? 'stuck' : 'error';
}

export function workflowOf(machine: Machine): Definition {
  return definitionOf(machine.states.map(stateOf), {
    data: { ...machine.data },
    agents: [agent('coder')],
    limits: { iterations: machine.iterations },
  });
}

function stateOf(state: MachineState): State {
  if (state.kind === 'final') return end(state.name);
  const transitions = (edges: readonly Edge[]) => edges.map((edge) => transitionOf(edge, state));
  const failed = state.failed === null ? {} : { failed: transitions(state.failed) };
  const timeout = state.late === null ? {} : { timeout: transitions(state.late) };
  return work(state.name, workOf(state), {
    enter: state.entry.length === 0 ? null : programOf(state.entry),
    transitions: transitions(state.edges),
    on: { ...failed, ...timeout },
    timeoutMs: state.kind === 'work' ? state.ms : null,
  });
}

function workOf(state: MachineState): Work {
  if (state.kind === 'route') return { kind: 'none' };
  if (state.kind === 'wait') return { kind: 'wait', ms: literal(state.ms) };
  switch (state.work) {
    case 'command':
      return { kind: 'command', command: literal('run'), okExitCodes: [0] };
    case 'call':
      return { kind: 'call', workflow: 'child', input: {} };
    case 'turn':
      return { kind: 'turn', agent: 'coder', mode: 'ask', input: literal('speak') };
    default:
      return unreachable(state.work);
  }
}

const transitionOf = (edge: Edge, state: MachineState): Transition =>
  to(edge.target, conditionOf(edge.guard, state), edge.changes.length === 0 ? null : programOf(edge.changes));

function conditionOf(guard: Guard, state: MachineState): Expression | null {
  switch (guard.kind) {
    case 'always':
      return null;
    case 'throws':
      return throwing;
    case 'result':
      // What an agent says is text.
      return equals(name('result'), state.work === 'turn' ? String(guard.value) : guard.value);
    case 'code': {
      const failure = name('failure');
      const code = equals(member(failure, 'code'), guard.value);
      return { kind: 'logical', operator: '&&', left: failure, right: code };
    }
    case 'data':
      return binary(guard.operator, variable(guard.name), literal(guard.value));
    default:
      return unreachable(guard);
  }
}

const programOf = (changes: readonly Change[]): Program => ({
  kind: 'assignments',
  steps: changes.map(({ name: key, from, plus }) => ({
    path: [key],
    value: from === 'throws' ? throwing : binary('%', binary('+', variable(from), literal(plus)), literal(5)),
  })),
});
