/** `GET /api/search`: where a text stands in the records of a run and of those below it, or, without a run, which runs are about it. */
export interface SearchPage {
  readonly query: string;
  /** The first of them, in order. */
  readonly hits: readonly SearchHit[];
  /** How often it stands there in all. */
  readonly count: number;
  /** Records, or runs, that have it. */
  readonly places: number;
  /** False: there was more than could be looked at in the time there is; the counts are of what was. */
  readonly isWhole: boolean;
}

export interface SearchHit {
  readonly run: string;
  /** Null where it stands in what lists show of the run: its title, workflow, id or project. */
  readonly seq: number | null;
  readonly at: number;
  /** The kind of the fact; or what of the run it is. */
  readonly kind: string;
  /** Keys and indexes from the fact down to the text. */
  readonly path: readonly (string | number)[];
  readonly excerpt: string;
  /** Where in the excerpt it begins. */
  readonly offset: number;
  /** How often it stands in this record, or run. */
  readonly count: number;
}
