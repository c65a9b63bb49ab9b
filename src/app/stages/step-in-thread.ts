import type { Failure } from '../../core/outcome.ts';
import type { ModuleContent } from '../../dialects/stages/module-content.ts';
import { CODE_LIMIT_MS, ModuleThreadError, moduleThread } from './module-thread.ts';
import type { ModulePlace } from './module-place.ts';
import type { ModuleOrder } from './module-worker.ts';
import type { TakenStep } from './take-step.ts';

export interface ThreadStep {
  readonly order: ModuleOrder & { readonly kind: 'step' };
  readonly signal: AbortSignal;
}

/** Takes a step by functions of the user's. One that does not return is stopped, and the run fails by its name. */
export async function stepInThread(
  place: ModulePlace,
  { order, signal }: ThreadStep,
): Promise<TakenStep | { readonly failure: Failure }> {
  const thread = moduleThread(place);
  try {
    const { stages } = (await thread.give({ kind: 'describe' }, { signal })) as ModuleContent;
    const found = stages.find(({ definition }) => definition.name === order.workflow);
    const limitMs = found?.definition.config.functionTimeout ?? CODE_LIMIT_MS;
    return (await thread.give(order, { signal, limitMs })) as TakenStep;
  } catch (error) {
    if (!(error instanceof ModuleThreadError)) throw error;
    return { failure: failureOf(error, order.workflow, place.path) };
  }
}

function failureOf(error: ModuleThreadError, workflow: string, path: string): Failure {
  const { kind, calling, message } = error;
  const what = calling ?? 'the module';
  const told = kind === 'thrown' ? `${what} failed: ${message}` : `${what} ${message}`;
  return {
    code: 'STAGE_CODE_FAILED',
    class: 'logic',
    message: `In the workflow ${workflow}, ${told}${/[.!?]$/.test(told) ? '' : '.'}`,
    hint:
      kind === 'stuck'
        ? `Look for a loop that never ends in ${path}, or set functionTimeout (in ms) in the workflow's config.`
        : `See ${path}.`,
  };
}
