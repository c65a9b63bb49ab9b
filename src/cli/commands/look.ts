import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { findRun } from '../../app/runs/find-run.ts';
import { withArtifacts } from '../../app/views/artifacts-of.ts';
import { look } from '../../app/views/look.ts';
import type { Looking } from '../../app/world/store.ts';
import { VIEWS, type View } from '../../protocol/operations/views.ts';
import { askingOf } from '../asking.ts';
import type { Invocation } from '../invocation.ts';
import { EXIT } from '../exit-code.ts';
import { processRequest } from '../session/process-request.ts';
import { withLooking } from './carry-out.ts';
import type { TerminalOutput } from '../terminal/terminal.ts';

/** `troupe look`: prints one view of a run that is asked for over standard input, for a process that has others to serve. */
export async function lookCommand(invocation: Invocation): Promise<number> {
  const { stdin, stdout } = invocation.terminal;
  const { view, isContent } = processRequest(await text(stdin), REQUEST, HINT);
  return await withLooking(invocation, async (looking) => {
    if (isContent && view.kind === 'artifact') await streamOutput(looking, view, stdout);
    else stdout.write(`${JSON.stringify(await look({ ...askingOf(invocation), store: looking.store }, view))}\n`);
    return EXIT.ok;
  });
}

const kinds = Object.entries(VIEWS).map(([kind, { request }]) => request.extend({ kind: z.literal(kind) }));

const REQUEST = {
  // The table has each kind with its own request.
  view: z.union(kinds) as unknown as z.ZodType<View>,
  isContent: z.boolean(),
};

const HINT = 'troupe look is for Troupe itself. To look at a run: troupe show RUN';

async function streamOutput(
  looking: Looking,
  { run, artifact }: Extract<View, { readonly kind: 'artifact' }>,
  stdout: TerminalOutput,
): Promise<void> {
  const info = await findRun(looking.store.journal, run, looking.caller.folder);
  await withArtifacts(looking, info, async ({ find, content }) => {
    for await (const piece of content(find(artifact))) if (!stdout.write(piece)) await once(stdout, 'drain');
  });
}
