import { whole } from '../../protocol/whole-list.ts';
import { BusLines, type BusLine } from '../../protocol/bus/bus-line.ts';
import { busText } from '../artifacts/bus-text.ts';
import { readTree } from '../../app/views/artifacts/read-tree.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { flag, word } from '../invocation.ts';
import { findRun } from '../../app/runs/find-run.ts';
import { followRun } from '../../app/runs/follow-run.ts';
import { onInterrupt } from '../session/interrupt.ts';
import { withStore, type Store } from '../../app/world/store.ts';
import { paintFor } from '../terminal/colour.ts';
import { printNote } from '../terminal/terminal.ts';

/** `troupe messages RUN`: what agents handed over and what was said on the bus, in order; `--follow` goes on while it runs. */
export async function messagesCommand(invocation: Invocation): Promise<number> {
  return await withStore(invocation.terminal, async (store) => {
    const interrupt = onInterrupt();
    const ended = await Promise.race([printMessages(invocation, store), interrupt.asked]);
    interrupt.stop();
    return ended === 'interrupted' ? EXIT.interrupted : ended;
  });
}

async function printMessages(invocation: Invocation, { journal }: Store): Promise<number> {
  const { terminal } = invocation;
  const { run } = await findRun(journal, word(invocation, 0) ?? 'last', terminal.folder);
  const lines = new BusLines();
  const isFollowed = flag(invocation, 'follow');
  if (flag(invocation, 'json') && !isFollowed) {
    const items = (await readTree(journal, run)).map((record) => lines.tell(record)).filter((line) => line !== null);
    terminal.stdout.write(`${JSON.stringify({ kind: 'messages', run, ...whole(items) })}\n`);
    return EXIT.ok;
  }
  const print = printer(invocation);
  let count = 0;
  const show = (line: BusLine | null): void => {
    if (line === null) return;
    count += 1;
    print(line);
  };
  for (const record of await readTree(journal, run)) show(lines.tell(record));
  if (isFollowed) {
    const isOver = async (): Promise<boolean> => (await journal.run(run))?.driven !== true;
    for await (const record of followRun(journal, run, { isOver })) show(lines.tell(record));
  }
  if (count === 0) printNote(terminal, `Run ${run} has no messages.`);
  return EXIT.ok;
}

function printer(invocation: Invocation): (line: BusLine) => void {
  const { stdout, environment } = invocation.terminal;
  if (flag(invocation, 'json')) return (line) => void stdout.write(`${JSON.stringify(line)}\n`);
  const options = { width: stdout.columns || 80, paint: paintFor(stdout, environment) };
  return (line) => void stdout.write(`${busText(line, options)}\n`);
}
