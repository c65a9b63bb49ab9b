import { median } from './statistics.ts';

/** What each contestant showed in each repetition; a place is null where it could not run. */
export class Results<Name extends string, T extends object> {
  readonly #rounds: ReadonlyMap<Name, readonly (T | null)[]>;

  constructor(rounds: ReadonlyMap<Name, readonly (T | null)[]>) {
    this.#rounds = rounds;
  }

  has(name: Name): boolean {
    return this.#all(name).some((one) => one !== null);
  }

  /** Of every repetition in which it could run. */
  all(name: Name): readonly T[] {
    return this.#all(name).filter((one) => one !== null);
  }

  /** Median over the repetitions. */
  median(name: Name, read: (figures: T) => number): number | null {
    const values = this.#all(name).flatMap((one) => (one === null ? [] : [read(one)]));
    return values.length === 0 ? null : median(values);
  }

  /** Median of the ratios within a repetition, so that a slow minute slows both sides. */
  ratio(name: Name, to: Name, read: (figures: T) => number): number | null {
    const others = this.#all(to);
    const values = this.#all(name).flatMap((one, round) => {
      const other = others[round] ?? null;
      return one === null || other === null ? [] : [read(one) / read(other)];
    });
    return values.length === 0 ? null : median(values);
  }

  get names(): readonly Name[] {
    return [...this.#rounds.keys()];
  }

  #all(name: Name): readonly (T | null)[] {
    return this.#rounds.get(name) ?? [];
  }
}

export interface Contestant<Name extends string, T> {
  readonly name: Name;
  /** Null where it cannot run here. */
  run(round: number): Promise<T | null>;
}

/** Every contestant once a round, one after the other; the order turns, so that none is always first. */
export async function interleave<Name extends string, T extends object>(
  rounds: number,
  contestants: readonly Contestant<Name, T>[],
  say: (text: string) => void,
): Promise<Results<Name, T>> {
  const found = new Map<Name, (T | null)[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (let place = 0; place < contestants.length; place += 1) {
      const contestant = contestants[(place + round) % contestants.length];
      if (contestant === undefined) continue;
      say(`round ${round + 1} of ${rounds}: ${contestant.name}`);
      found.get(contestant.name)?.push(await contestant.run(round));
    }
  }
  return new Results(found);
}
