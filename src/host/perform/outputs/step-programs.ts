import { STEP_BEGIN, STEP_COLLECT } from '../../../core/model/step-program.ts';
import type { EngineProgram } from '../../world.ts';
import { stepBegin } from './step-begin.ts';
import { stepCollect } from './step-collect.ts';

/** The programs of the engine itself, for every family whose steps owe outputs. */
export const STEP_PROGRAMS: ReadonlyMap<string, EngineProgram> = new Map([
  [STEP_BEGIN, stepBegin],
  [STEP_COLLECT, stepCollect],
]);
