import { showRun } from '../../app/views/show-run.ts';
import type { Invocation } from '../invocation.ts';
import { showText } from '../terminal/show-text.ts';
import { printAnswer, terminalTextOptions } from '../terminal/terminal.ts';
import { lookAtRun } from './carry-out.ts';

/** `troupe show RUN`: where a run stands, from the journal and what is on the disk. */
export async function showCommand(invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  const view = await lookAtRun(invocation, (looking, { run }) => showRun(looking, run));
  printAnswer(terminal, view, () => showText(view, terminalTextOptions(terminal).paint));
}
