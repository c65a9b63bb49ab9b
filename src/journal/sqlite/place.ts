import { Fault } from '../../core/model/fault.ts';

/** How many rows of one table a run can have. The rest of the 53 bits of a safe integer counts runs: 134 million. */
const ROWS_PER_RUN = 2 ** 26;

/** The key of the `index`-th row (from 1) of the run with this number. */
export function place(run: number, index: number): number {
  if (index < ROWS_PER_RUN) return run * ROWS_PER_RUN + index;
  throw new Fault('RUN_TOO_LONG', `A run cannot have more than ${ROWS_PER_RUN - 1} records.`, {
    hint: 'Split the work into child runs: each has its own journal.',
  });
}

export const indexIn = (run: number, key: number): number => key - run * ROWS_PER_RUN;
