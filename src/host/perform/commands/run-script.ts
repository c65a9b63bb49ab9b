import type { ScriptRun } from '../../../core/model/effect.ts';
import type { ScriptEvaluated } from '../../../core/record/task-fact.ts';
import { surfaceOf } from '../../../core/evaluate/surface.ts';
import type { EffectContext } from '../../world.ts';

/** A script or condition that only the isolate can run; its answer is journaled, so no fold ever runs it again. */
export async function runScript(context: EffectContext, effect: ScriptRun): Promise<ScriptEvaluated> {
  const { definition, snapshot } = context;
  const isolate = await context.isolate();
  const surface = surfaceOf(definition.workflow, snapshot, effect.locals);
  const result = await isolate.run(effect.script, { wants: effect.wants, surface });
  return { kind: 'script.evaluated', key: effect.key, result };
}
