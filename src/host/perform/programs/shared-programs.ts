import type { EngineProgram } from '../../world.ts';
import { filesMissing } from './files-missing.ts';
import { stepBegin } from './step-begin.ts';
import { stepCollect } from './step-collect.ts';
import { routeFacts } from './route-facts.ts';

/** Those that several families share. */
export const SHARED_PROGRAMS: ReadonlyMap<string, EngineProgram> = new Map([
  ['step.begin', stepBegin],
  ['step.collect', stepCollect],
  ['files.missing', filesMissing],
  ['route.facts', routeFacts],
]);
