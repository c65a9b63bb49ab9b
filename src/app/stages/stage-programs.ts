import { Fault } from '../../core/fault.ts';
import { workflowOf } from '../../dialects/stages/stage-names.ts';
import type { HostProgram, World } from '../../host/port.ts';
import {
  architectureWorkflow,
  developmentWorkflow,
  researchWorkflow,
  type Workflow,
  type WorkflowError,
} from '../../stages/stages.ts';
import { rootRun } from '../runs/root-run.ts';
import { keptModule } from './kept-module.ts';
import { stepInThread } from './step-in-thread.ts';
import type { RouteInput } from './stage-step.ts';
import { takeStep } from './take-step.ts';

export interface StageProgramsOptions {
  /** Where runs keep their files. */
  readonly home: string;
  /** Tells the person something while the run goes on. */
  readonly tell: (sentence: string) => void;
}

/** The programs `stages:NAME`: they call the functions of a stage workflow, those that ship and the user's own. */
export function createStagePrograms(options: StageProgramsOptions): NonNullable<World['programs']> {
  return async (program) => {
    const name = workflowOf(program);
    return name === undefined ? undefined : programFor(name, options);
  };
}

function programFor(name: string, options: StageProgramsOptions): HostProgram {
  return async ({ run, task, now, workedMs, input, signal }) => {
    // From this engine's own lowering, by way of the journal.
    const given = input as unknown as RouteInput;
    const moment = { run, task, now, workedMs };
    const taken =
      given.module === null
        ? takeStep(shipped(name), given, moment)
        : await stepInThread(keptModule(options.home, rootRun(run), given.module), {
            order: { kind: 'step', workflow: name, input: given, moment },
            signal,
          });
    if ('failure' in taken) return { output: null, failure: taken.failure };
    for (const error of taken.noted) options.tell(sentenceOf(error));
    return taken.answer;
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
