import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import { withConditions } from '../../dialects/stages/import-module.ts';
import { stageWorkflowsOf } from '../../dialects/stages/stage-module.ts';
import { workflowOf } from '../../dialects/stages/stage-names.ts';
import type { StageModule } from '../../dialects/stages/stage-plan.ts';
import type { HostProgram, World } from '../../host/port.ts';
import {
  architectureWorkflow,
  developmentWorkflow,
  researchWorkflow,
  type Workflow,
  type WorkflowError,
} from '../../stages/stages.ts';
import { rootRun } from '../session/root-run.ts';
import { keptModule } from './kept-module.ts';
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
  return async ({ run, task, now, activeMs, input }) => {
    // From this engine's own lowering, by way of the journal.
    const given = input as unknown as RouteInput;
    const { workflow, conditions } = await findFunctions(name, given.module, { ...options, run });
    const { answer, noted } = withConditions({ conditions }, () =>
      takeStep(workflow, given, { run, task, now, activeMs }),
    );
    for (const error of noted) options.tell(sentenceOf(error));
    return answer;
  };
}

const SHIPPED: readonly Workflow[] = [researchWorkflow, developmentWorkflow, architectureWorkflow];

async function findFunctions(
  name: string,
  module: StageModule | null,
  { home, run }: StageProgramsOptions & { readonly run: RunId },
): Promise<{ readonly workflow: Workflow; readonly conditions: Parameters<typeof withConditions>[0]['conditions'] }> {
  const loaded = module === null ? null : await keptModule(home, rootRun(run), module);
  const all = loaded === null ? SHIPPED : stageWorkflowsOf(loaded);
  const workflow = all.find(({ definition }) => definition.name === name);
  if (workflow !== undefined) return { workflow, conditions: loaded?.conditions ?? new Map() };
  throw new Fault(
    'MODULE_GONE',
    `There is no stage workflow named "${name}" ${module === null ? 'here' : `in ${module.path}`}.`,
    {
      hint: 'Resume the run with the version of Troupe, or of the file, that it began with.',
    },
  );
}

function sentenceOf({ stage, code, message, recoverable }: WorkflowError): string {
  return `${recoverable ? 'note' : 'error'} ${code} in stage ${stage}: ${message}`;
}
