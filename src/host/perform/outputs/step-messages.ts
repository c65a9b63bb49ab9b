import type { BusMessage, BusSent, Handoff, HandoffMade } from '../../../core/record/artifact-fact.ts';
import type { ComputeRun } from '../../../core/model/effect.ts';
import type { RunId } from '../../../core/model/ids.ts';
import type { EffectContext } from '../../world.ts';

/** The engine's name on the bus. */
export const ORCHESTRATOR = 'orchestrator';

/** Handoffs and bus messages of one task, with ids that are the same on every repetition (L9). */
export class StepMessages {
  readonly #run: RunId;
  readonly #task: ComputeRun['task'];
  #count = 0;

  constructor({ run }: Pick<EffectContext, 'run'>, { task }: ComputeRun) {
    this.#run = run;
    this.#task = task;
  }

  handoff(handoff: Omit<Handoff, 'id'>): HandoffMade {
    return { kind: 'handoff.made', task: this.#task, handoff: { id: this.#nextId(), ...handoff } };
  }

  bus(message: Omit<BusMessage, 'id'>): BusSent {
    return { kind: 'bus.sent', task: this.#task, message: { id: this.#nextId(), ...message } };
  }

  /** Groups the messages of one phase. */
  correlationId(phase: string): string {
    return `${this.#run}/${phase}`;
  }

  #nextId(): string {
    this.#count += 1;
    return `${this.#run}/${this.#task}/${this.#count}`;
  }
}
