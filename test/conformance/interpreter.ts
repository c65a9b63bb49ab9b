import { applyRecord, foldRecords } from '../../src/core/fold.ts';
import { openEffects, recover } from '../../src/core/recover.ts';
import { start } from '../../src/core/start.ts';
import { step } from '../../src/core/step.ts';

/** The interpreter under test: ours, or a copy with a defect planted in it. */
export interface Interpreter {
  readonly start: typeof start;
  readonly step: typeof step;
  readonly recover: typeof recover;
  readonly openEffects: typeof openEffects;
  readonly foldRecords: typeof foldRecords;
  readonly applyRecord: typeof applyRecord;
}

export const OURS: Interpreter = { start, step, recover, openEffects, foldRecords, applyRecord };
