import type { ComputeRun } from '../../core/effect.ts';
import type { TaskDone } from '../../core/event.ts';
import { Fault } from '../../core/fault.ts';
import { outcomeOf } from '../../core/outcome.ts';
import { runTime } from '../../core/work-clock.ts';
import type { ProgramAnswer } from '../port.ts';
import type { Performance } from './performance.ts';
import { ENGINE_PROGRAMS } from './programs/engine-programs.ts';

/** Computes what a workflow asked for by name. Done again after a crash: nothing of it counts before it is journaled. */
export async function runCompute(performance: Performance, effect: ComputeRun): Promise<TaskDone> {
  const { output, failure = null, notes = [] } = await answerOf(performance, effect);
  for (const fact of notes) performance.note(fact);
  const outcome = failure === null ? 'ok' : outcomeOf(failure);
  return { kind: 'task.done', task: effect.task, outcome, output, failure };
}

async function answerOf(performance: Performance, effect: ComputeRun): Promise<ProgramAnswer> {
  const { program, task, input } = effect;
  const own = ENGINE_PROGRAMS.get(program);
  if (own !== undefined) return await own(performance, effect);
  const { world, run, snapshot, signal } = performance;
  const found = await world.programs?.(program);
  const now = world.clock.now();
  const { workedMs } = runTime(snapshot.clock, now);
  if (found !== undefined) return await found({ run, task, input, now, workedMs, signal });
  throw new Fault('PROGRAM_UNKNOWN', `There is no program named "${program}" here.`, {
    hint: 'Start or resume the run where the module that brings it can be loaded.',
  });
}
