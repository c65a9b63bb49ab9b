/** One part of the benchmark: what it found, and what was promised. */
export interface Part {
  readonly name: string;
  readonly title: string;
  run(bench: Bench): Promise<PartResult>;
}

export interface PartResult {
  readonly tables: readonly Table[];
  readonly goals: readonly Goal[];
  readonly notes?: readonly string[];
  /** Pictures for the page; written with it. */
  readonly files?: readonly { readonly path: string; readonly text: string }[];
}

export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

export type Cell = string | number | null;

/** A ratio (or a time) that must not be exceeded; null where it could not be measured. */
export interface Goal {
  readonly what: string;
  readonly atMost: number;
  readonly found: number | null;
  readonly unit: string;
}

/** What a part may use. */
export interface Bench {
  readonly repetitions: number;
  /** Small sizes, to see that everything works. */
  readonly quick: boolean;
  /** What is watched over time is watched for ten minutes. */
  readonly long?: boolean;
  readonly peers: boolean;
  /** A new folder under the bench's temporary one. */
  folder(name: string): string;
  /** Tells on the terminal what is under way. */
  say(text: string): void;
}
