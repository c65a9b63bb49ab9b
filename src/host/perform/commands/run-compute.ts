import type { ComputeRun } from '../../../core/model/effect.ts';
import type { TaskDone } from '../../../core/model/event.ts';
import { Fault } from '../../../core/model/fault.ts';
import { outcomeOf } from '../../../core/model/outcome.ts';
import type { EffectContext, ProgramAnswer } from '../../world.ts';
import { STEP_PROGRAMS } from '../outputs/step-programs.ts';

/** Computes what a workflow requested by name. Done again after a crash: nothing counts before it is journaled. */
export async function runCompute(context: EffectContext, effect: ComputeRun): Promise<TaskDone> {
  const { output, kept, failure = null, facts = [] } = await answerOf(context, effect);
  for (const fact of facts) context.note(fact);
  const outcome = failure === null ? 'ok' : outcomeOf(failure);
  return { kind: 'task.done', task: effect.task, outcome, output, failure, ...(kept === undefined ? {} : { kept }) };
}

async function answerOf(context: EffectContext, effect: ComputeRun): Promise<ProgramAnswer> {
  const { program } = effect;
  const found = STEP_PROGRAMS.get(program) ?? (await context.world.formats.program(program));
  if (found !== undefined) return await found(context, effect);
  throw new Fault('PROGRAM_UNKNOWN', `There is no program named "${program}" here.`, {
    hint: 'Start or resume the run where the module that brings it can be loaded.',
  });
}
