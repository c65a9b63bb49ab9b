import { comparePair, compareRun, pairLine, type ComparedPair, type Pair } from '../app/compare-run.ts';
import { Fault } from '../../../core/model/fault.ts';
import { viewsBeyondPatch } from '../../../host/deliver/change-view.ts';
import { type Invocation, listOption, word } from '../../../cli/invocation.ts';
import { changeLines, patchText } from '../../../cli/files/change-lines.ts';
import { compareText } from './compare-text.ts';
import { withLooking } from '../../../cli/commands/carry-out.ts';
import { paintFor } from '../../../cli/terminal/colour.ts';
import { printNote, type Terminal, printAnswer, terminalTextOptions } from '../../../cli/terminal/terminal.ts';

/** `troupe compare RUN`: implementations side by side; `--diff A B`: the differences between two of them. */
export async function compareCommand(invocation: Invocation): Promise<void> {
  const pair = askedPair(invocation);
  const named = word(invocation, 0) ?? 'last';
  const { terminal } = invocation;
  await withLooking(invocation, async (looking) => {
    if (pair !== null) return printDiff(terminal, await comparePair(looking, named, pair));
    const view = await compareRun(looking, named);
    printAnswer(terminal, view, () => compareText(view, terminalTextOptions(terminal)));
  });
}

function askedPair(invocation: Invocation): Pair | null {
  const named = listOption(invocation, 'diff');
  const [one, other] = named;
  if (one === undefined) return null;
  if (other !== undefined && named.length === 2) return [one, other];
  throw new Fault('USAGE', `--diff takes two implementations; it was given ${named.length}.`, {
    hint: 'As in: troupe compare last --diff impl_1 impl_2',
  });
}

function printDiff(terminal: Terminal, compared: ComparedPair): void {
  const { stdout, stderr, environment, mode } = terminal;
  const { pair, diff } = compared;
  if (mode.json) return void stdout.write(`${JSON.stringify(pairLine(compared))}\n`);
  if (diff.changes.length === 0) printNote(terminal, `${pair.join(' and ')} have the same files.`);
  else stdout.write(stdout.isTTY ? patchText(diff.patch, paintFor(stdout, environment)) : diff.patch);
  const beyond = changeLines(viewsBeyondPatch(diff), paintFor(stderr, environment), 20);
  if (beyond.length > 0) printNote(terminal, `A patch cannot hold all of this:\n  ${beyond.join('\n  ')}`);
}
