import { withStart, type Ordered } from '../../app/acts/with-order.ts';
import type { FoundWorkflow } from '../../app/library/find-workflow.ts';
import { prepareSession, type SessionRequest } from '../../app/runs/session.ts';
import { workflowToStart } from '../../app/runs/start-run.ts';
import type { JsonObject } from '../../core/model/json.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import { problemText } from '../../protocol/problem-text.ts';
import { askingOf } from '../asking.ts';
import { flag, type Invocation, listOption, textOption, word } from '../invocation.ts';
import { readInput, type TypedInput } from '../session/read-input.ts';
import { canAsk } from '../terminal/terminal.ts';
import { detachAndPrint, follow } from './carry-out.ts';

/**
 * `troupe run WORKFLOW [INPUT]`: everything is checked before a run exists; then it is driven until it rests. `refuse` may
 * throw for a workflow that the command is not meant for.
 */
export async function runCommand(
  invocation: Invocation,
  refuse: (workflow: Workflow) => void = () => undefined,
): Promise<number> {
  const { terminal } = invocation;
  const name = word(invocation, 0) ?? '';
  const given = typedInput(invocation, 1);
  const asking = askingOf(invocation);
  const find = (prepared: SessionRequest): Promise<FoundWorkflow> => workflowToStart(prepared, name, refuse);
  const input = ({ workflow }: FoundWorkflow): Promise<JsonObject> => readInput(given, workflow, terminal);
  if (!flag(invocation, 'detach')) {
    const work = (ordered: Ordered): Promise<number> => follow(invocation, ordered);
    return await withStart(asking, { find, input, canAsk: canAsk(terminal) }, { purpose: 'drive', work });
  }
  const found = await find(await prepareSession(asking));
  for (const warning of found.warnings) asking.tell(problemText(warning));
  return await detachAndPrint(invocation, { kind: 'start', workflow: name, input: await input(found) });
}

/** The text of it is the word at `index`. */
export const typedInput = (invocation: Invocation, index: number): TypedInput => ({
  text: word(invocation, index),
  fields: listOption(invocation, 'input'),
  file: textOption(invocation, 'inputFile'),
});
