import { comparePair, compareRun, pairLine, type ComparedPair, type Pair } from '../../app/views/compare-run.ts';
import { Fault } from '../../core/fault.ts';
import { viewsBeyondPatch } from '../../host/deliver/change-view.ts';
import type { CompareView } from '../../protocol/review/compare-view.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { changeLines } from '../files/change-lines.ts';
import { patchText } from '../files/patch-text.ts';
import { flag, listOption, word } from '../invocation.ts';
import { compareText } from '../review/compare-text.ts';
import { withLooking } from '../session/looking.ts';
import { paintFor } from '../terminal/colour.ts';
import { printNote } from '../terminal/terminal.ts';

/** `troupe compare RUN`: implementations side by side; `--diff A B`: what is different between two of them. */
export async function compareCommand(invocation: Invocation): Promise<number> {
  const pair = askedPair(invocation);
  const named = word(invocation, 0) ?? 'last';
  return await withLooking(invocation, async (looking) => {
    if (pair === null) print(invocation, await compareRun(looking, named));
    else printDiff(invocation, await comparePair(looking, named, pair));
    return EXIT.ok;
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

function print(invocation: Invocation, view: CompareView): void {
  const { stdout, environment } = invocation.terminal;
  const options = { width: stdout.columns || 80, paint: paintFor(stdout, environment) };
  stdout.write(`${flag(invocation, 'json') ? JSON.stringify(view) : compareText(view, options)}\n`);
}

function printDiff(invocation: Invocation, compared: ComparedPair): void {
  const { stdout, stderr, environment } = invocation.terminal;
  const { pair, diff } = compared;
  if (flag(invocation, 'json')) {
    stdout.write(`${JSON.stringify(pairLine(compared))}\n`);
    return;
  }
  if (diff.changes.length === 0) printNote(invocation.terminal, `${pair.join(' and ')} have the same files.`);
  else stdout.write(stdout.isTTY ? patchText(diff.patch, paintFor(stdout, environment)) : diff.patch);
  const beyond = changeLines(viewsBeyondPatch(diff), paintFor(stderr, environment), 20);
  if (beyond.length > 0) printNote(invocation.terminal, `A patch cannot hold all of this:\n  ${beyond.join('\n  ')}`);
}
