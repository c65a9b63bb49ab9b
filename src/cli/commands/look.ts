import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { findRun } from '../../app/runs/find-run.ts';
import { withArtifacts } from '../../app/views/artifacts-of.ts';
import { look } from '../../app/views/look.ts';
import type { LookRequest } from '../../app/views/look-apart.ts';
import type { Looking } from '../../app/views/looking.ts';
import type { View } from '../../protocol/operations/views.ts';
import { askingOf } from '../asking.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { withLooking } from '../session/looking.ts';
import type { TerminalOutput } from '../terminal/terminal.ts';

/** `troupe look`: prints one view of a run that is asked for over standard input, for a process that has others to serve. */
export async function lookCommand(invocation: Invocation): Promise<number> {
  const { stdin, stdout } = invocation.terminal;
  // Its only caller checked it against the schema of the view.
  const { view, isContent } = JSON.parse(await text(stdin)) as LookRequest;
  return await withLooking(invocation, async (looking) => {
    if (isContent && view.kind === 'artifact') await pour(looking, view, stdout);
    else stdout.write(`${JSON.stringify(await look({ ...askingOf(invocation), store: looking.store }, view))}\n`);
    return EXIT.ok;
  });
}

async function pour(
  looking: Looking,
  { run, artifact }: Extract<View, { readonly kind: 'artifact' }>,
  stdout: TerminalOutput,
): Promise<void> {
  const info = await findRun(looking.store.journal, run, looking.caller.folder);
  await withArtifacts(looking, info, async ({ find, content }) => {
    for await (const piece of content(find(artifact))) if (!stdout.write(piece)) await once(stdout, 'drain');
  });
}
