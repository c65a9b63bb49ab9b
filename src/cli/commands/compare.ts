import { Fault } from '../../core/fault.ts';
import type { CompareView } from '../../protocol/review/compare-view.ts';
import { foldCompare } from '../../protocol/review/fold-compare.ts';
import { createWorkspaces } from '../../workspace/workspaces.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { changeLines } from '../files/change-lines.ts';
import { changeViews, viewsBeyondPatch } from '../../host/deliver/change-view.ts';
import { patchText } from '../files/patch-text.ts';
import { flag, listOption, word } from '../invocation.ts';
import { compareText } from '../review/compare-text.ts';
import { findReview } from '../../app/views/review/find-review.ts';
import { ImplementationFiles, type BetweenTwo } from '../../app/views/review/implementation-files.ts';
import { withStore } from '../../app/world/store.ts';
import { paintFor } from '../terminal/colour.ts';

/** `troupe compare RUN`: implementations side by side; `--diff A B`: what is different between two of them. */
export async function compareCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const pair = askedPair(invocation);
  return await withStore(terminal, async (store) => {
    const found = await findReview(store.journal, word(invocation, 0) ?? 'last', terminal.folder);
    const { records, info } = found;
    const workspaces = createWorkspaces({ home: store.home });
    try {
      const trees = await workspaces.store(info.project);
      const files = await ImplementationFiles.open(store, trees, found);
      const view = foldCompare(records, info);
      const ids = view.implementations.map(({ id }) => id);
      if (pair === null) print(invocation, foldCompare(records, { ...info, sizes: await files?.sizes(ids) }));
      else if (files === null) throw new Fault('FILES_NONE', `Run ${info.run} has no files.`);
      else printDiff(invocation, { view, pair, diff: await files.between(...pair, ids) });
    } finally {
      await workspaces.close();
    }
    return EXIT.ok;
  });
}

type Pair = readonly [one: string, other: string];

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

interface Printed {
  readonly view: CompareView;
  readonly pair: Pair;
  readonly diff: BetweenTwo;
}

function printDiff(invocation: Invocation, { view, pair, diff }: Printed): void {
  const { stdout, stderr, environment } = invocation.terminal;
  const { before, after, changes, stat, patch } = diff;
  if (flag(invocation, 'json')) {
    const files = changeViews(changes, stat);
    const { added, removed } = stat;
    const [from, to] = pair;
    const line = { kind: 'compare-diff', run: view.run, from, to, before, after, files, added, removed };
    stdout.write(`${JSON.stringify({ ...line, ...patchJson(patch) })}\n`);
    return;
  }
  if (changes.length === 0) stderr.write(`${pair.join(' and ')} have the same files.\n`);
  else stdout.write(stdout.isTTY ? patchText(patch, paintFor(stdout, environment)) : patch);
  const beyond = changeLines(viewsBeyondPatch(diff), paintFor(stderr, environment), 20);
  if (beyond.length > 0) stderr.write(`A patch cannot tell all of this:\n  ${beyond.join('\n  ')}\n`);
}

/** Bytes that are no text are told as such. */
function patchJson(patch: Buffer): object {
  const text = patch.toString('utf8');
  return Buffer.from(text, 'utf8').equals(patch) ? { patch: text } : { patchBase64: patch.toString('base64') };
}
