import type { Fact, JournalRecord, TaskStarted, UnitsAdded } from '../../core/fact.ts';
import { isRedefining } from '../../app/library/defining-records.ts';
import type { ChildRun, SceneStory, StoryUnit } from './scene.ts';

/**
 * What the records of a run say about its drawing, kept up as they come: it never reads a record twice. A run that was put back has
 * the units and children it had then.
 */
export class StoryBook {
  #seq = 0;
  #last: Link | null = null;
  /** Every record that counts here, in order; also those that were undone, for whoever goes back to them. */
  readonly #links: Link[] = [];
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
    for (const { seq, fact } of records) {
      if (seq <= this.#seq) continue;
      this.#seq = seq;
      if (!counts(fact)) continue;
      if (fact.kind === 'run.started' || isRedefining(fact)) this.#definitions += 1;
      const isBack = fact.kind === 'run.rewound' && fact.state !== null;
      this.#last = { seq, fact, before: isBack ? this.#upTo(fact.to) : this.#last };
      this.#links.push(this.#last);
      this.#story = null;
    }
  }

  get story(): SceneStory {
    return (this.#story ??= storyOf(this.#last));
  }

  #upTo(seq: number): Link | null {
    return this.#links.findLast((link) => link.seq <= seq) ?? null;
  }
}

const counts = (fact: Fact): boolean => KINDS.has(fact.kind) || isRedefining(fact);

const KINDS: ReadonlySet<Fact['kind']> = new Set(['run.started', 'task.started', 'units.added']);

interface Link {
  readonly seq: number;
  readonly fact: Fact;
  readonly before: Link | null;
}

function storyOf(last: Link | null): SceneStory {
  const facts: Fact[] = [];
  for (let link = last; link !== null; link = link.before) facts.push(link.fact);
  const told: Told = { pools: new Map(), byState: new Map(), children: new Map() };
  for (const fact of facts.toReversed()) {
    if (fact.kind === 'units.added') addUnits(told, fact);
    if (fact.kind === 'task.started') addTask(told, fact);
  }
  const unitsIn = (state: string) => told.pools.get(told.byState.get(state) ?? '');
  return {
    units: (state) => [...(unitsIn(state)?.values() ?? [])],
    child: (state, unit) => {
      const child = told.children.get(keyOf(state, unit)) ?? null;
      // A pool that is entered again has units of the same names, which have not begun yet.
      return unit !== null && unitsIn(state)?.get(unit)?.work === null ? null : child;
    },
  };
}

interface Told {
  /** By task: the units, by id. */
  readonly pools: Map<string, Map<string, StoryUnit>>;
  /** The newest pool of a state. */
  readonly byState: Map<string, string>;
  readonly children: Map<string, ChildRun>;
}

function addUnits({ pools }: Told, { task, units }: UnitsAdded): void {
  for (const { id, after, item } of units) pools.get(task)?.set(id, { id, after, item, work: null });
}

function addTask({ pools, byState, children }: Told, { task, state, pool, unit, work }: TaskStarted): void {
  if (work.kind === 'pool') {
    pools.set(task, new Map());
    byState.set(state, task);
  }
  if (work.kind === 'call') children.set(keyOf(state, unit), { workflow: work.workflow, task });
  const units = pool === null ? undefined : pools.get(pool);
  const known = unit === null ? undefined : units?.get(unit);
  if (known !== undefined) units?.set(known.id, { ...known, work });
}

const keyOf = (state: string, unit: string | null): string => JSON.stringify([state, unit]);
