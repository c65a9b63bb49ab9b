import { phaseScript } from './phase-script.ts';
import { lowerPhase } from './lower-phase.ts';
export interface PhasePart extends Omit<Parameters<typeof lowerPhase>[0], 'loop'> {
  readonly key: string;
  readonly read: ReturnType<typeof phaseScript>;
}
