import { checkInput } from '../../formats/check-input.ts';
import { valueOrFault } from '../../source/checked.ts';
import { adaptDefinition } from '../../app/library/wanted-definition.ts';
import { checkModels } from '../../app/library/check-models.ts';
import type { DrivingSession } from '../session/driving-types.ts';
import { findWorkflow, refusePart } from '../../app/library/find-workflow.ts';
import { nextStep } from '../session/next-step.ts';
import { placeTerms } from '../../app/runs/terms.ts';
import { settledLine } from '../../app/runs/settled-line.ts';
import { limitsFor, withChecks } from '../../app/runs/run-input.ts';
import { createRunPrinter } from '../terminal/run-printer.ts';
import { plainText } from '../../protocol/plain-text.ts';

/** Runs a workflow beside the chat, as its own run; the result is a sentence for the agent. */
export async function runInChat(driving: DrivingSession, name: string, input: string | null): Promise<string> {
  const { host, project, actors, terminal } = driving;
  const { definition, workflow } = await findWorkflow(name, { project, caller: terminal });
  await refusePart(workflow, { project, caller: terminal });
  const values = await withChecks(valueOrFault(checkInput(workflow, input), 'INPUT_INVALID'), workflow, driving);
  const limits = limitsFor(workflow, project.config.limits, {});
  await checkModels(definition, actors, limits);
  const printer = createRunPrinter({ root: null, ...terminal, mode: { ...terminal.mode, json: false } });
  const stop = host.onLive((event) => printer.show(event));
  const stopProgress = driving.world.onProgress((progress) => printer.progress(progress));
  try {
    const run = await host.start({
      definition: adaptDefinition(definition, project.config, { models: actors.overrides }),
      input: values,
      limits,
      project: project.root,
      terms: placeTerms(driving),
    });
    const line = settledLine(await host.rest(run), null);
    const output = typeof line.output === 'string' ? line.output : JSON.stringify(line.output);
    const advice = nextStep(line);
    printer.rest();
    terminal.stdout.write(`${advice ?? plainText(output)}\n`);
    return `The workflow ${name} ran as ${run} and came out ${line.outcome}. Its result: ${output}`;
  } finally {
    stop();
    stopProgress();
    printer.rest();
  }
}
