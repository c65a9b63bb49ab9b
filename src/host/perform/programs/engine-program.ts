import type { ComputeRun } from '../../../core/effect.ts';
import type { ProgramAnswer } from '../../port.ts';
import type { Performance } from '../performance.ts';

/** One of the engine's own: it sees the run and its workspaces. */
export type EngineProgram = (performance: Performance, effect: ComputeRun) => Promise<ProgramAnswer>;
