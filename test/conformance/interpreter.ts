import { applyRecord, foldRecords } from '../../src/core/fold/fold.ts';
import { forkRecords } from '../../src/core/history/fork.ts';
import { openEffects, recover } from '../../src/core/step/recover.ts';
import { rewoundState } from '../../src/core/history/rewind.ts';
import { start } from '../../src/core/step/start.ts';
import { stepEnd } from '../../src/core/step/step-end.ts';
import { step } from '../../src/core/step/step.ts';

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
