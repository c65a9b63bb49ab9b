import type { Effect } from '../../src/core/model/effect.ts';
import type { Event } from '../../src/core/model/event.ts';

/** What a host has been ordered to do and has not yet answered: a second book, kept apart from the interpreter's own. */
export class Orders {
  readonly open = new Map<string, Exclude<Effect, { kind: 'timer.set' | 'timer.clear' | 'task.stop' }>>();
  readonly timers = new Map<string, number>();

  give(effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (effect.kind === 'timer.set') this.timers.set(effect.timer, effect.at);
      else if (effect.kind === 'timer.clear') this.timers.delete(effect.timer);
      else if (effect.kind === 'task.stop') this.#stop(effect.task);
      else this.open.set(keyOf(effect), effect);
    }
  }

  /** The interpreter took this event as an answer. */
  answered(event: Event): void {
    switch (event.kind) {
      case 'call.answered':
      case 'call.failed':
        this.open.delete(`call ${event.task} ${event.call} ${event.attempt}`);
        return;
      case 'tool.finished':
        this.open.delete(`tool ${event.task} ${event.toolCall}`);
        return;
      case 'script.evaluated':
        this.open.delete(`script ${event.key}`);
        return;
      case 'task.done':
        this.open.delete(`task ${event.task}`);
        return;
      case 'question.looked':
        this.open.delete(`look ${event.question}`);
        return;
      case 'rollback.done':
        this.open.delete('rollback.run');
        return;
      case 'timer.fired':
        this.timers.delete(event.timer);
        return;
      default:
    }
  }

  /** A state that was left wants no answers any more, nor does a run that is over. */
  forget(isWanted: (script: string) => boolean): void {
    for (const [key, effect] of this.open)
      if (effect.kind === 'script.run' && !isWanted(effect.key)) this.open.delete(key);
  }

  /** No one waits for the files of a question that is closed, or that has its files by now. */
  forgetLooks(isWanted: (question: string) => boolean): void {
    for (const [key, effect] of this.open)
      if (effect.kind === 'question.look' && !isWanted(effect.question)) this.open.delete(key);
  }

  #stop(task: string): void {
    for (const [key, effect] of this.open) {
      // A child that must stop is still owed: it reports what it has spent.
      if (!('task' in effect) || effect.kind === 'child.start') continue;
      if (effect.task === task) this.open.delete(key);
    }
  }
}

export function keyOf(effect: Effect): string {
  switch (effect.kind) {
    case 'actor.call':
      return `call ${effect.task} ${effect.call} ${effect.attempt}`;
    case 'tool.run':
      return `tool ${effect.task} ${effect.toolCall.id}`;
    case 'script.run':
      return `script ${effect.key}`;
    case 'timer.set':
    case 'timer.clear':
      return `timer ${effect.timer}`;
    case 'question.look':
      return `look ${effect.question}`;
    case 'rollback.run':
    case 'delivery.run':
      return effect.kind;
    default:
      return `task ${effect.task}`;
  }
}
