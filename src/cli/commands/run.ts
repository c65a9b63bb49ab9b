import { prepareSession, withSession } from '../../app/runs/session.ts';
import { readyRun, startRun, toolWarnings, workflowToStart } from '../../app/runs/start-run.ts';
import type { Problem } from '../../core/fault.ts';
import type { Workflow } from '../../core/workflow.ts';
import { problemText } from '../../protocol/problem-text.ts';
import { askingOf } from '../asking.ts';
import type { Invocation } from '../command-spec.ts';
import { flag, listOption, textOption, word } from '../invocation.ts';
import { detachAndPrint } from './detach.ts';
import { driveBegun } from '../session/driving.ts';
import { readInput } from '../session/read-input.ts';
import { canAsk, printNote } from '../terminal/terminal.ts';
import { drivingOf } from './with-run.ts';

/**
 * `troupe run WORKFLOW [INPUT]`: everything is checked before a run exists; then it is driven until it rests. `refuse` may
 * throw for a workflow that the command is not meant for.
 */
export async function runCommand(
  invocation: Invocation,
  refuse: (workflow: Workflow) => void = () => undefined,
): Promise<number> {
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
  if (flag(invocation, 'detach')) {
    return await detachAndPrint(invocation, { kind: 'start', workflow: word(invocation, 0) ?? '', input });
  }
  const ready = await readyRun(prepared, { found, input, canAsk: canAsk(terminal) });
  return await withSession(prepared, async (session) => {
    warn(invocation, toolWarnings(session, ready.definition));
    return await driveBegun(drivingOf(invocation, session), startRun(session, ready));
  });
}

function warn({ terminal }: Invocation, warnings: readonly Problem[]): void {
  for (const warning of warnings) printNote(terminal, problemText(warning));
}
