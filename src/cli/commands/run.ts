import { prepareSession } from '../../app/runs/session.ts';
import { readyRun, startRun, toolWarnings, workflowToStart } from '../../app/runs/start-run.ts';
import { storeHome } from '../../app/world/store.ts';
import type { Problem } from '../../core/fault.ts';
import type { Workflow } from '../../core/workflow.ts';
import { problemText } from '../../protocol/problem-text.ts';
import { askingOf } from '../asking.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { flag, listOption, textOption, word } from '../invocation.ts';
import { reportRefused, startDetached } from '../session/detach.ts';
import { driveBegun, withDriving } from '../session/driving.ts';
import { readInput } from '../session/read-input.ts';
import { canAsk } from '../terminal/terminal.ts';

/**
 * `troupe run WORKFLOW [INPUT]`: everything is checked before a run exists; then it is driven until it rests. `refuse` may
 * throw for a workflow that the command is not meant for.
 */
export async function runCommand(
  invocation: Invocation,
  refuse: (workflow: Workflow) => void = () => undefined,
): Promise<number> {
  const { terminal } = invocation;
  if (flag(invocation, 'detach')) {
    const run = await startDetached(invocation, storeHome(terminal));
    terminal.stdout.write(flag(invocation, 'json') ? `${JSON.stringify({ kind: 'run.started', run })}\n` : `${run}\n`);
    return EXIT.ok;
  }
  try {
    return await checkAndRun(invocation, refuse);
  } catch (error) {
    reportRefused(terminal, error);
    throw error;
  }
}

async function checkAndRun(invocation: Invocation, refuse: (workflow: Workflow) => void): Promise<number> {
  const { terminal } = invocation;
  const prepared = await prepareSession(askingOf(invocation));
  const found = await workflowToStart(prepared, word(invocation, 0) ?? '', refuse);
  warn(invocation, found.warnings);
  const words = {
    text: word(invocation, 1),
    fields: listOption(invocation, 'input'),
    file: textOption(invocation, 'inputFile'),
  };
  const input = await readInput(words, found.workflow, terminal);
  const interactive = invocation.options['interactive'] !== false;
  const isThere = canAsk(terminal, { interactive, json: flag(invocation, 'json') });
  const ready = await readyRun(prepared, { found, input, canAsk: isThere });
  return await withDriving(invocation, prepared, async (driving) => {
    warn(invocation, toolWarnings(driving, ready.definition));
    return await driveBegun(driving, startRun(driving, ready));
  });
}

function warn({ terminal }: Invocation, warnings: readonly Problem[]): void {
  for (const warning of warnings) terminal.stderr.write(`${problemText(warning)}\n`);
}
