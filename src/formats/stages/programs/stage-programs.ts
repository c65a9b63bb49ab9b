import { Fault } from '../../../core/model/fault.ts';
import { SEEN_PROGRAM, workflowOf } from '../parse/stage-plan.ts';
import { seenEvidence, type SeenBefore } from '../rules/seen-evidence.ts';
import type { EngineProgram } from '../../../host/world.ts';
import { runTime } from '../../../core/fold/work-clock.ts';
import {
  architectureWorkflow,
  developmentWorkflow,
  researchWorkflow,
  type Workflow,
  type WorkflowError,
} from '../stages.ts';
import type { Snapshot } from '../../../core/fold/snapshot.ts';
import { rootRunId } from '../../../core/model/ids.ts';
import type { Json } from '../../../core/model/json.ts';
import { keptModule } from './kept-module.ts';
import { heardUnits } from './heard-units.ts';
import type { RouteInput, StageStep, StageStepInput } from './stage-step.ts';
import { type TakenStep, takeStep } from './take-step.ts';
import type { Failure } from '../../../core/model/outcome.ts';
import type { ModuleContent } from '../parse/module-content.ts';
import { CODE_LIMIT_MS, moduleThread, ModuleThreadError } from './module-thread.ts';
import type { ModulePlace } from './module-worker.ts';
import type { ModuleOrder } from './module-worker.ts';

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
  const sentence = kind === 'thrown' ? `${what} failed: ${message}` : `${what} ${message}`;
  return {
    code: 'STAGE_CODE_FAILED',
    class: 'logic',
    message: `In the workflow ${workflow}, ${sentence}${/[.!?]$/.test(sentence) ? '' : '.'}`,
    hint:
      kind === 'stuck'
        ? `Look for a loop that never ends in ${path}, or set functionTimeout (in ms) in the workflow's config.`
        : `See ${path}.`,
  };
}

const seenProgram: EngineProgram = async ({ snapshot: { data, last } }) => ({
  output: null,
  kept: seenEvidence(last, data as unknown as SeenBefore),
});

/** The programs `stages:NAME`: they call the functions of a stage workflow, those that ship and the user's own. */
export function stageProgram(program: string, { home, tell }: FormatOptions): EngineProgram | undefined {
  if (program === SEEN_PROGRAM) return seenProgram;
  const name = workflowOf(program);
  if (name === undefined) return undefined;
  return async ({ world, run, snapshot, signal }, { task, input, keeps = '' }) => {
    const given = stepInput(snapshot, input, keeps);
    const now = world.clock.now();
    const moment = { run, task, now, workedMs: runTime(snapshot.clock, now).workedMs };
    const taken =
      given.module === null
        ? takeStep(shipped(name), given, moment)
        : await stepInThread(keptModule(home, rootRunId(run), given.module), {
            order: { kind: 'step', workflow: name, input: given, moment },
            signal,
          });
    if ('failure' in taken) return { output: null, failure: taken.failure };
    for (const error of taken.noted) tell(sentenceOf(error));
    return taken.answer;
  };
}

/** From this engine's own lowering, by way of the journal. */
function stepInput(snapshot: Snapshot, input: Json, keeps: string): StageStepInput {
  const { [keeps]: kept = null, goal = '' } = snapshot.data;
  const step = kept as unknown as StageStep | null;
  return {
    ...(input as unknown as RouteInput),
    goal: typeof goal === 'string' ? goal : JSON.stringify(goal),
    step,
    heard: heardUnits(snapshot, step),
  };
}

const SHIPPED: readonly Workflow[] = [researchWorkflow, developmentWorkflow, architectureWorkflow];

function shipped(name: string): Workflow {
  const workflow = SHIPPED.find(({ definition }) => definition.name === name);
  if (workflow !== undefined) return workflow;
  throw new Fault('MODULE_GONE', `There is no stage workflow named "${name}" here.`, {
    hint: 'Resume the run with the version of Troupe that it began with.',
  });
}

function sentenceOf({ stage, code, message, recoverable }: WorkflowError): string {
  return `${recoverable ? 'note' : 'error'} ${code} in stage ${stage}: ${message}`;
}

export interface FormatOptions {
  /** The folder of the runs' files. */
  readonly home: string;
  /** Tells the person something while the run goes on. */
  readonly tell: (sentence: string) => void;
}
