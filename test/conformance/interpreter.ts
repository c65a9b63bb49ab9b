import { applyRecord, foldRecords } from '../../src/core/fold.ts';
import { forkRecords } from '../../src/core/fork.ts';
import { openEffects, recover } from '../../src/core/recover.ts';
import { rewoundState } from '../../src/core/rewind.ts';
import { start } from '../../src/core/start.ts';
import { stepEnd } from '../../src/core/step-end.ts';
import { step } from '../../src/core/step.ts';

/** The interpreter under test: ours, or a copy with a defect planted in it. */
export interface Interpreter {
  readonly start: typeof start;
  readonly step: typeof step;
  readonly recover: typeof recover;
  readonly openEffects: typeof openEffects;
  readonly foldRecords: typeof foldRecords;
  readonly applyRecord: typeof applyRecord;
  readonly forkRecords: typeof forkRecords;
  readonly rewoundState: typeof rewoundState;
  readonly stepEnd: typeof stepEnd;
}

export const OURS: Interpreter = {
  start,
  step,
  recover,
  openEffects,
  foldRecords,
  applyRecord,
  forkRecords,
  rewoundState,
  stepEnd,
};
