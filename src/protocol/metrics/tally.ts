import { entry, Figure, type FigureSums } from './counters.ts';

/** `tasks` and `spawned` have only one figure. */
type Kind =
  | 'phases'
  | 'days'
  | 'agents'
  | 'calls'
  | 'uses'
  | 'tools'
  | 'models'
  | 'errors'
  | 'artifacts'
  | 'tasks'
  | 'spawned';

type Key = readonly (string | null)[];

/** The content of a tally as short JSON, in the order in which its entries first appeared. */
export type TallySums = readonly (readonly [kind: Kind, key: Key, FigureSums])[];

/** Counts of one run or of many: runs only add to it. */
export class Tally {
  readonly #figures = new Map<string, { readonly kind: Kind; readonly key: Key; readonly figure: Figure }>();

  of(kind: Kind, ...key: Key): Figure {
    return entry(this.#figures, JSON.stringify([kind, ...key]), () => ({ kind, key, figure: new Figure() })).figure;
  }

  phase({ workflow, phase, within }: PhaseName): Figure {
    return this.of('phases', workflow, phase, within);
  }

  use({ agent, tool, how, ms }: ToolUse): void {
    this.of('agents', agent);
    this.of('uses', agent).count(how);
    this.of('tools', agent, tool).add(how, ms);
  }

  /** In the order in which they first appeared. */
  list<Entry>(kind: Kind, view: (figure: Figure, key: readonly string[]) => Entry): readonly Entry[] {
    return [...this.#figures.values()].flatMap((one) =>
      one.kind === kind ? [view(one.figure, one.key as readonly string[])] : [],
    );
  }

  get sums(): TallySums {
    return [...this.#figures.values()].map(({ kind, key, figure }) => [kind, key, figure.sums]);
  }

  take(sums: TallySums): void {
    for (const [kind, key, figure] of sums) this.of(kind, ...key).take(figure);
  }
}

export interface PhaseName {
  readonly workflow: string;
  readonly phase: string;
  readonly within: string | null;
}

export interface ToolUse {
  readonly agent: string;
  readonly tool: string;
  readonly how: 'ok' | 'failed' | 'refused';
  readonly ms: number;
}
