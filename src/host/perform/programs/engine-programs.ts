import { busSend } from './bus-send.ts';
import type { EngineProgram } from './engine-program.ts';
import { phaseBegin } from './phase-begin.ts';
import { phaseCollect } from './phase-collect.ts';
import { routeFacts } from './route-facts.ts';

/** By the names that lowered workflows use. All of them only look, so each can be asked again. */
export const ENGINE_PROGRAMS: ReadonlyMap<string, EngineProgram> = new Map([
  ['phase.begin', phaseBegin],
  ['phase.collect', phaseCollect],
  ['bus.send', busSend],
  ['route.facts', routeFacts],
]);
