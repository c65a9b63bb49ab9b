import type { EngineProgram } from '../../world.ts';
import { filesMissing } from './files-missing.ts';
import { phaseBegin } from './step-begin.ts';
import { phaseCollect } from './step-collect.ts';
import { routeFacts } from './route-facts.ts';

/** Those that several families share. */
export const SHARED_PROGRAMS: ReadonlyMap<string, EngineProgram> = new Map([
  ['phase.begin', phaseBegin],
  ['phase.collect', phaseCollect],
  ['files.missing', filesMissing],
  ['route.facts', routeFacts],
]);
