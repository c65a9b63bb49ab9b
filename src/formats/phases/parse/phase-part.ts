import type { PhaseLowering } from './lower-phase.ts';
import type { PhaseScript } from './phase-script.ts';

/** A phase of the file, read and not lowered yet. */
export interface PhasePart extends Omit<PhaseLowering, 'loop'> {
  readonly key: string;
  readonly read: PhaseScript;
}
