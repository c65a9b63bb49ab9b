import type { JournalRecord } from '../../core/record/fact.ts';
import { isRedefining } from '../../app/library/defining-records.ts';
import { TaskBook } from '../../protocol/history/task-book.ts';
import { UnitFold } from '../../protocol/history/units.ts';
import type { ChildRun, SceneStory } from './scene.ts';

/**
 * What the records of a run say about its drawing, kept up as they come: it never reads a record twice. A run that was put back has
 * the units and children it had then.
 */
export class StoryBook {
  readonly #book = new TaskBook();
  readonly #units = new UnitFold(this.#book);
  #seq = 0;
  #story: SceneStory | null = null;
  #definitions = 0;

  /** The newest record it knows. */
  get seq(): number {
    return this.#seq;
  }

  /** Another one whenever the definition of the run may be another one. */
  get definitions(): number {
    return this.#definitions;
  }

  take(records: readonly JournalRecord[]): void {
    for (const record of records) {
      const { seq, fact } = record;
      if (seq <= this.#seq) continue;
      this.#seq = seq;
      this.#book.take(record);
      this.#units.take(record);
      if (fact.kind === 'run.started' || isRedefining(fact)) this.#definitions += 1;
      this.#story = null;
    }
  }

  get story(): SceneStory {
    return (this.#story ??= this.#tell());
  }

  #tell(): SceneStory {
    const { tasks, lineage } = this.#book;
    const calls = [...tasks.values()].flatMap(({ id, seq, work, state, unitId }): readonly [string, ChildRun][] =>
      work.kind === 'call' && lineage.counts(seq)
        ? [[keyOf(state, unitId), { workflow: work.workflow, task: id }]]
        : [],
    );
    const children = new Map(calls);
    const units = this.#units.view;
    return {
      units: (state) =>
        [...(units.get(state) ?? [])].map(([id, { after, item, task }]) => {
          return { id, after, item, work: this.#book.task(task)?.work ?? null };
        }),
      // A pool that is entered again has units of the same names, which have not begun yet.
      child: (state, unit) =>
        unit !== null && units.get(state)?.get(unit)?.task === null ? null : (children.get(keyOf(state, unit)) ?? null),
    };
  }
}

const keyOf = (state: string, unit: string | null): string => JSON.stringify([state, unit]);
