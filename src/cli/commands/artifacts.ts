import { once } from 'node:events';
import {
  artifactLine,
  type RunArtifacts,
  shownContent,
  wholeContent,
  withArtifacts,
} from '../../app/views/artifacts-of.ts';
import { shownPath } from '../../lib/confined-path.ts';
import type { ArtifactView } from '../../protocol/artifacts/artifact-view.ts';
import { whole } from '../../protocol/whole-list.ts';
import type { WhyView } from '../../protocol/artifacts/why-view.ts';
import { artifactsText, nowText } from '../artifacts/artifacts-text.ts';
import { whyText } from '../artifacts/why-text.ts';
import { flag, type Invocation, word } from '../invocation.ts';
import {
  printNote,
  type Terminal,
  type TerminalOutput,
  printAnswer,
  terminalTextOptions,
} from '../terminal/terminal.ts';
import { lookAtRun } from './carry-out.ts';

/** `troupe artifacts RUN [ID]`: what the agents of a run made; the content of one, as it was recorded; `--why`: its origin. */
export async function artifactsCommand(invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  const named = word(invocation, 1);
  const options = terminalTextOptions(terminal);
  await lookAtRun(invocation, async (looking, info) =>
    withArtifacts(looking, info, async (artifacts) => {
      const { run, own, find, why } = artifacts;
      const chosen = named === undefined ? null : find(named);
      if (flag(invocation, 'why')) {
        const text = (items: readonly WhyView[]): string => items.map((one) => whyText(one, options)).join('\n\n');
        printAll(terminal, { kind: 'why', run, items: why(chosen) }, text);
      } else if (chosen === null)
        printAll(terminal, { kind: 'artifacts', run, items: own }, (items) => artifactsText(items, options));
      else await printContent(invocation, artifacts, chosen);
    }),
  );
}

interface Listed<Item> {
  readonly kind: string;
  readonly run: string;
  readonly items: readonly Item[];
}

function printAll<Item>(
  terminal: Terminal,
  { items, ...about }: Listed<Item>,
  text: (items: readonly Item[]) => string,
): void {
  if (items.length === 0 && !terminal.mode.json) printNote(terminal, `Run ${about.run} has no artifacts.`);
  else printAnswer(terminal, { ...about, ...whole(items) }, () => text(items));
}

async function printContent(invocation: Invocation, artifacts: RunArtifacts, artifact: ArtifactView): Promise<void> {
  const { terminal } = invocation;
  const mark = nowText(artifact);
  const isJson = flag(invocation, 'json');
  if (mark !== null && !isJson) printNote(terminal, `${shownPath(artifact.path)} as it was recorded; now: ${mark}.`);
  const content = artifacts.content(artifact);
  if (isJson) terminal.stdout.write(`${JSON.stringify(await artifactLine(artifacts, artifact))}\n`);
  else if (terminal.stdout.isTTY) terminal.stdout.write(shownContent(await wholeContent(content, artifact), artifact));
  else for await (const piece of content) await writeAll(terminal.stdout, piece);
}

async function writeAll(stream: TerminalOutput, piece: Buffer): Promise<void> {
  if (!stream.write(piece)) await once(stream, 'drain');
}
