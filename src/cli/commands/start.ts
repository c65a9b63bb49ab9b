import { Fault } from '../../core/model/fault.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import type { Invocation } from '../invocation.ts';
import { runCommand } from './run.ts';
import { familyOf } from '../../formats/families.ts';

/** `troupe start WORKFLOW [GOAL]`: a run of a stage workflow (ST1), by name or from a module. */
export async function startCommand(invocation: Invocation): Promise<number> {
  return await runCommand(invocation, refuseOthers);
}

function refuseOthers(workflow: Workflow): void {
  if (familyOf(workflow).command === 'start') return;
  const { name } = workflow;
  throw new Fault('WORKFLOW_NOT_STAGES', `"${name}" is not a workflow of stages.`, {
    hint: `Run it with: troupe run ${name} "…". Those of stages are research, development, architecture and your own.`,
  });
}
