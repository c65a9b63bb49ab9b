import type { Fact } from '../../src/core/record/fact.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import type { Snapshot } from '../../src/core/fold/snapshot.ts';
import type { Step } from '../../src/core/step/step.ts';

/** Looks on while a run is played: at its clock, at what a person held, and at what was not allowed. */
export class Watch {
  readonly #definition: Definition;
  /** How long the run has been moving. */
  #movedMs = 0;
  /** When the time of each task is over, by that clock. */
  readonly #ends = new Map<string, number>();
  /** Agents and tools that a person allowed for good. */
  readonly #permits: Set<string>;

  constructor(definition: Definition, permits: readonly string[]) {
    this.#definition = definition;
    this.#permits = new Set(permits);
  }

  /** The rule that this step broke, or null. */
  problem(before: Snapshot, step: Step, at: number): string | null {
    return (
      this.#heldProblem(before, step) ?? this.#permissionProblem(before, step) ?? this.#clockProblem(before, step, at)
    );
  }

  #heldProblem(before: Snapshot, { snapshot, facts }: Step): string | null {
    if (before.held === null || snapshot.held === null) return null;
    const started = facts.find((fact) => STARTS.has(fact.kind) && !('isHeld' in fact));
    return started === undefined ? null : `[PA1] ${started.kind} while a person holds the run`;
  }

  #permissionProblem(before: Snapshot, { facts, effects }: Step): string | null {
    const allowed = new Set<string>();
    for (const fact of facts) {
      if (fact.kind !== 'permission.settled' || !fact.isAllowed) continue;
      allowed.add(`${fact.task}/${fact.toolCall}`);
      const task = before.tasks[fact.task];
      const call = task?.turn?.openTools.find(({ id }) => id === fact.toolCall);
      if (fact.forAll && task?.work.kind === 'turn') this.#permits.add(`${task.work.agent}/${call?.name}`);
    }
    for (const effect of effects) {
      if (effect.kind !== 'tool.run' || facts.some(({ kind }) => kind === 'run.resumed')) continue;
      const { task, agent, toolCall } = effect;
      const isFree = !this.#asks(agent).includes(toolCall.name) || this.#permits.has(`${agent}/${toolCall.name}`);
      if (!isFree && !allowed.has(`${task}/${toolCall.id}`)) return `[PE1] ${toolCall.id} runs and nobody allowed it`;
    }
    return null;
  }

  #asks(name: string): readonly string[] {
    const role = this.#definition.workflow.agents.find((agent) => agent.name === name)?.role ?? '';
    return this.#definition.roles[role]?.ask ?? [];
  }

  #clockProblem(before: Snapshot, { snapshot }: Step, at: number): string | null {
    this.#movedMs += isStill(before) ? 0 : at - before.at;
    for (const { id, deadline, stopping } of Object.values(snapshot.tasks)) {
      if (deadline === null || stopping !== null || isStill(snapshot)) continue;
      const end = this.#movedMs + deadline - at;
      if ((this.#ends.get(id) ?? end) !== end) return `[PA3] ${id} has another time left than before`;
      this.#ends.set(id, end);
    }
    return null;
  }
}

const isStill = ({ paused, held }: Snapshot): boolean => paused !== null || held !== null;

const STARTS: ReadonlySet<Fact['kind']> = new Set(['task.started', 'state.entered', 'call.started', 'call.retried']);
