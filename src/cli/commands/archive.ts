import { archiveRun } from '../../app/results/archive-run.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { withNamedRun } from './with-run.ts';
import { flag } from '../invocation.ts';
import { printNote } from '../terminal/terminal.ts';

/** `troupe archive RUN [--undo]`: hides a run from lists and the board, or shows it there again. */
export async function archiveCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const isUndone = flag(invocation, 'undo');
  return await withNamedRun(invocation, async (driving, info) => {
    const { run } = info;
    const archived = await archiveRun(driving, info, { isUndone });
    if (flag(invocation, 'json')) terminal.stdout.write(`${JSON.stringify(archived)}\n`);
    else if (isUndone) printNote(terminal, `Lists show ${run} again.`);
    else
      printNote(
        terminal,
        `Archived ${run}. See it with: troupe list --archived\n  undo:  troupe archive ${run} --undo`,
      );
    return EXIT.ok;
  });
}
