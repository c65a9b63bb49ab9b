import type { RunInfo } from '../../journal/port.ts';
import type { RunView } from '../../protocol/run-view.ts';

/** The run is over, and a process brings its result to the user. */
export const isHandingOver = ({ status, driven }: RunInfo): boolean => status === 'settled' && driven;

/** The result waits for a person's decision. */
export const needsPerson = ({ handed }: RunView): boolean =>
  handed !== undefined && (handed.how === 'not-verified' || (handed.conflicts ?? []).length > 0);
