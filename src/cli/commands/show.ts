import { findRun } from '../../app/runs/find-run.ts';
import { showRun } from '../../app/views/show-run.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { flag, word } from '../invocation.ts';
import { withLooking } from '../session/looking.ts';
import { paintFor } from '../terminal/colour.ts';
import { showText } from '../terminal/show-text.ts';

/** `troupe show RUN`: where a run stands, from the journal and what is on the disk. */
export async function showCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const view = await withLooking(invocation, async (looking) => {
    const { run } = await findRun(looking.store.journal, word(invocation, 0) ?? 'last', terminal.folder);
    return await showRun(looking, run);
  });
  const paint = paintFor(terminal.stdout, terminal.environment);
  terminal.stdout.write(`${flag(invocation, 'json') ? JSON.stringify(view) : showText(view, paint)}\n`);
  return EXIT.ok;
}
