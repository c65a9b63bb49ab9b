import { applyTo } from '../fold/apply.ts';
import { startDraft, type Draft } from '../fold/draft.ts';
import type { Effect } from '../model/effect.ts';
import type { Fact } from '../record/fact.ts';
import type { ScriptEvaluated } from '../record/task-fact.ts';
import type { Definition } from '../model/definition.ts';
import type { Snapshot, Task } from '../fold/snapshot.ts';
import type { Workflow } from '../model/workflow.ts';

/**
 * One step in progress: what was decided so far, and the resulting run. Lives for a single call of `step`; its snapshot is
 * one draft until then, so read `snapshot` again after each fact and do not keep it.
 */
export class StepProgress {
  readonly definition: Definition;
  readonly at: number;
  readonly facts: Fact[] = [];
  readonly effects: Effect[] = [];
  /** A script's change of the data that has just arrived: journaled with the state it leads to. */
  arrived: ScriptEvaluated | null = null;
  #snapshot: Snapshot;
  #draft: Draft | null = null;

  constructor(definition: Definition, snapshot: Snapshot, at: number) {
    this.definition = definition;
    this.at = at;
    this.#snapshot = snapshot;
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  get workflow(): Workflow {
    return this.definition.workflow;
  }

  /** The task of this id, if it is open. Ids also come from outside, so inherited properties must not be found. */
  task(id: string): Task | undefined {
    const { tasks } = this.#snapshot;
    return Object.hasOwn(tasks, id) ? tasks[id] : undefined;
  }

  /** A fact is applied at once, so the next decision sees it. */
  record(fact: Exclude<Fact, { kind: 'run.started' }>): void {
    this.facts.push(fact);
    this.#draft ??= startDraft(this.#snapshot);
    this.#snapshot = applyTo(this.#draft, fact, this.at);
  }

  emit(effect: Effect): void {
    this.effects.push(effect);
  }
}
