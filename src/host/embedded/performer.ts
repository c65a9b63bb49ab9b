import type { Effect } from '../../core/effect.ts';
import type { Event, TaskDone } from '../../core/event.ts';
import { isFault, unreachable } from '../../core/fault.ts';
import type { TaskId } from '../../core/ids.ts';
import type { Failure } from '../../core/outcome.ts';
import { callActor } from '../perform/call-actor.ts';
import type { Performance } from '../perform/performance.ts';
import { runCommand } from '../perform/run-command.ts';
import { runScript } from '../perform/run-script.ts';
import { runTool } from '../perform/run-tool.ts';
import type { LiveEvent, World } from '../port.ts';
import type { Children, Driver } from './driver.ts';

type Performed = Exclude<Effect, { kind: 'timer.set' | 'timer.clear' }>;

/** Why a signal fired: the work itself must end, not only this process. */
export const STOPPED = 'stopped';

interface PerformerOptions {
  readonly world: World;
  readonly driver: Driver;
  readonly children: Children;
  readonly onLive: (event: LiveEvent) => void;
}

interface UnderWay {
  readonly abort: AbortController;
  readonly task: TaskId | null;
  readonly ended: Promise<void>;
}

/** Carries out the effects of one run, and stops for real what must stop. Every effect comes back as exactly one event. */
export class Performer {
  readonly #options: PerformerOptions;
  readonly #underWay = new Map<string, UnderWay>();

  constructor(options: PerformerOptions) {
    this.#options = options;
  }

  /** Children wait for people by themselves, so they do not count as busy here. */
  get isBusy(): boolean {
    for (const key of this.#underWay.keys()) if (!key.startsWith('child.start')) return true;
    return false;
  }

  perform(effect: Performed, isRepeat: boolean): void {
    if (effect.kind === 'task.stop') return this.#stop(effect.task);
    const key = keyOf(effect);
    if (this.#underWay.has(key)) return;
    const abort = new AbortController();
    const ended = this.#run(effect, abort.signal, isRepeat).then((event) => {
      this.#underWay.delete(key);
      if (!abort.signal.aborted) void this.#options.driver.tell(event);
    });
    this.#underWay.set(key, { abort, task: effect.kind === 'script.run' ? null : effect.task, ended });
  }

  async stopAll(): Promise<void> {
    const all = [...this.#underWay.values()];
    for (const { abort } of all) abort.abort('shutdown');
    await Promise.allSettled(all.map(({ ended }) => ended));
  }

  #stop(task: TaskId): void {
    for (const [key, work] of this.#underWay) {
      if (work.task !== task) continue;
      work.abort.abort(STOPPED);
      this.#underWay.delete(key);
    }
  }

  async #run(
    effect: Exclude<Performed, { kind: 'task.stop' }>,
    signal: AbortSignal,
    isRepeat: boolean,
  ): Promise<Event> {
    const { world, driver, onLive } = this.#options;
    const performance: Performance = {
      world,
      run: driver.run,
      definition: driver.definition,
      snapshot: driver.snapshot,
      signal,
      isRepeat,
      onText: (delta) => {
        if (effect.kind !== 'actor.call' || signal.aborted) return;
        onLive({ kind: 'text', run: driver.run, agent: effect.agent, task: effect.task, delta });
      },
    };
    try {
      return await this.#carryOut(effect, performance);
    } catch (error) {
      return failedEvent(effect, toFailure(error));
    }
  }

  #carryOut(effect: Exclude<Performed, { kind: 'task.stop' }>, performance: Performance): Promise<Event> {
    switch (effect.kind) {
      case 'actor.call':
        return callActor(performance, effect);
      case 'tool.run':
        return runTool(performance, effect);
      case 'script.run':
        return runScript(performance, effect);
      case 'command.run':
        return runCommand(performance, effect);
      case 'child.start':
        return this.#options.children.start(this.#options.driver, effect, performance.signal);
      case 'merge.run':
        return Promise.resolve(refusedMerge(effect.task));
      default:
        return unreachable(effect);
    }
  }
}

function keyOf(effect: Exclude<Performed, { kind: 'task.stop' }>): string {
  switch (effect.kind) {
    case 'actor.call':
      return `actor.call ${effect.task} ${effect.call} ${effect.attempt}`;
    case 'tool.run':
      return `tool.run ${effect.task} ${effect.toolCall.id}`;
    case 'script.run':
      return `script.run ${effect.key}`;
    default:
      return `${effect.kind} ${effect.task}`;
  }
}

function refusedMerge(task: TaskId): TaskDone {
  const failure: Failure = {
    code: 'MERGE_UNAVAILABLE',
    message: 'This version cannot merge workspaces.',
    class: 'config',
    hint: 'Take the state with the merge out of the workflow, or copy the results with --out.',
  };
  return { kind: 'task.done', task, outcome: 'failed', output: null, failure };
}

/** Faults of the world become failures of the work: they are journaled and told, and never lost in a promise. */
function toFailure(error: unknown): Failure {
  if (isFault(error)) {
    return {
      code: error.code,
      message: error.message,
      class: 'config',
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    };
  }
  return { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error), class: 'crash' };
}

function failedEvent(effect: Exclude<Performed, { kind: 'task.stop' }>, failure: Failure): Event {
  switch (effect.kind) {
    case 'actor.call':
      return { kind: 'call.failed', task: effect.task, call: effect.call, attempt: effect.attempt, failure };
    case 'tool.run': {
      const { task, toolCall } = effect;
      return { kind: 'tool.finished', task, toolCall: toolCall.id, content: failure.message, isError: true, ms: 0 };
    }
    case 'script.run':
      return { kind: 'script.evaluated', key: effect.key, result: { kind: 'failed', failure } };
    default:
      return { kind: 'task.done', task: effect.task, outcome: 'failed', output: null, failure };
  }
}
