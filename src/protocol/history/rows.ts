import type { Fact, JournalRecord } from '../../core/record/fact.ts';

/** A list that a fold adds to and changes. Rows are never changed in place: an unchanged row stays the same object. */
export class Rows<Row extends object> {
  #rows: Row[] = [];
  #list: readonly Row[] | null = null;

  /** The same object as long as no row has changed. */
  get list(): readonly Row[] {
    return (this.#list ??= [...this.#rows]);
  }

  get count(): number {
    return this.#rows.length;
  }

  at(place: number | undefined): Row | undefined {
    return place === undefined ? undefined : this.#rows[place];
  }

  /** Returns the index of the row. */
  add(row: Row): number {
    this.#list = null;
    return this.#rows.push(row) - 1;
  }

  change(place: number | undefined, change: Partial<Row>): void {
    const row = this.at(place);
    if (place === undefined || row === undefined) return;
    this.#rows[place] = { ...row, ...change };
    this.#list = null;
  }

  /** Null where a row stays as it is. */
  changeAll(changeOf: (row: Row) => Partial<Row> | null): void {
    for (const [place, row] of this.#rows.entries()) {
      const change = changeOf(row);
      if (change !== null) this.change(place, change);
    }
  }

  clear(): void {
    this.#rows = [];
    this.#list = null;
  }
}

/** A handler for each kind of fact. */
export type Takers<Fold> = {
  readonly [Kind in Fact['kind']]?: (
    fold: Fold,
    fact: Extract<Fact, { readonly kind: Kind }>,
    record: JournalRecord,
  ) => void;
};

export function takeWith<Fold>(takers: Takers<Fold>, fold: Fold, record: JournalRecord): void {
  const take = takers[record.fact.kind] as ((fold: Fold, fact: Fact, record: JournalRecord) => void) | undefined;
  take?.(fold, record.fact, record);
}
