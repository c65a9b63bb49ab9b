import { runId } from '../../core/ids.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Definition } from '../../core/role.ts';
import type { Limits } from '../../core/workflow.ts';
import { toolsFor } from '../../tools/tools-for.ts';
import type { Invocation } from '../command-spec.ts';
import { withModels } from '../config/choose-model.ts';
import { withRetry } from '../config/with-retry.ts';
import { EXIT } from '../exit-code.ts';
import { flag, listOption, textOption, word } from '../invocation.ts';
import { checkModels } from '../session/actors.ts';
import { reportRefused, reportStarted, startDetached } from '../session/detach.ts';
import { prepareDriving, printAndDrive, withDriving, type Driving, type Preparation } from '../session/driving.ts';
import { findWorkflow, type FoundWorkflow } from '../session/find-workflow.ts';
import { limitsFor, limitsFromFlags } from '../session/limits.ts';
import { readInput } from '../session/read-input.ts';
import { storeHome } from '../session/store.ts';
import { problemText } from '../terminal/fault-text.ts';
import { oneLine } from '../terminal/plain-text.ts';

/** `troupe run WORKFLOW [INPUT]`: everything is checked before a run exists; then it is driven until it rests. */
export async function runCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  if (flag(invocation, 'detach')) {
    const run = await startDetached(terminal, storeHome(terminal));
    terminal.stdout.write(flag(invocation, 'json') ? `${JSON.stringify({ kind: 'run.started', run })}\n` : `${run}\n`);
    return EXIT.ok;
  }
  try {
    return await checkAndRun(invocation);
  } catch (error) {
    reportRefused(terminal, error);
    throw error;
  }
}

async function checkAndRun(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const prepared = await prepareDriving(invocation);
  const found = await findWorkflow(word(invocation, 0) ?? '', { project: prepared.project, terminal });
  for (const warning of found.warnings) terminal.stderr.write(`${problemText(warning)}\n`);
  const input = await readInput(
    {
      text: word(invocation, 1),
      fields: listOption(invocation, 'input'),
      file: textOption(invocation, 'inputFile'),
    },
    found.workflow,
    terminal,
  );
  const limits = limitsFor(found.workflow, prepared.project.config.limits, limitsFromFlags(invocation));
  checkModels(found.definition, prepared.actors, limits);
  return await withDriving(invocation, prepared, async (driving) => {
    warnOfTools(driving, found.definition);
    return await printAndDrive(driving, null, async () => {
      const run = await driving.host.start(startOptions({ prepared, found, input, limits }));
      reportStarted(terminal, run);
      return runId(run);
    });
  });
}

/** A misspelt tool in `ask` would never be asked about: whoever starts the run must hear of it. */
function warnOfTools({ world, invocation }: Driving, { workflow, library, roles }: Definition): void {
  const used = new Set([workflow, ...Object.values(library)].flatMap(({ agents }) => agents.map(({ role }) => role)));
  for (const name of used) {
    const role = roles[name];
    const problems = role === undefined ? [] : toolsFor(role, world.tools).problems;
    for (const problem of problems) {
      invocation.terminal.stderr.write(`${problemText({ ...problem, severity: 'warning' })}\n`);
    }
  }
}

interface Start {
  readonly prepared: Preparation;
  readonly found: FoundWorkflow;
  readonly input: JsonObject;
  readonly limits: Partial<Limits>;
}

function startOptions({ prepared, found, input, limits }: Start) {
  const { project } = prepared;
  return {
    definition: withModels(
      withRetry(found.definition, project.config.retry),
      project.config,
      prepared.actors.overrides,
    ),
    input,
    limits,
    project: project.root,
    title: titleOf(input),
  };
}

/** The beginning of the first text that was given. */
function titleOf(input: JsonObject): string {
  const [first] = Object.values(input);
  if (first === undefined) return '';
  return oneLine(typeof first === 'string' ? first : JSON.stringify(first), 100);
}
