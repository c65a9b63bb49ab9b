import { once } from 'node:events';
import { findRun } from '../../app/runs/find-run.ts';
import { shownContent, wholeContent } from '../../app/views/artifacts/artifact-content.ts';
import { artifactLine, withArtifacts, type RunArtifacts } from '../../app/views/artifacts-of.ts';
import { shownPath } from '../../lib/confined-path.ts';
import type { ArtifactView } from '../../protocol/artifacts/artifact-view.ts';
import { whole } from '../../protocol/whole-list.ts';
import type { WhyView } from '../../protocol/artifacts/why-view.ts';
import { artifactsText, nowText, type TextOptions } from '../artifacts/artifacts-text.ts';
import { whyText } from '../artifacts/why-text.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { flag, word } from '../invocation.ts';
import { withLooking } from '../session/looking.ts';
import { paintFor } from '../terminal/colour.ts';
import { printNote, type Terminal, type TerminalOutput } from '../terminal/terminal.ts';

/** `troupe artifacts RUN [ID]`: what the agents of a run made; the content of one, as it was recorded; `--why`: its origin. */
export async function artifactsCommand(invocation: Invocation): Promise<number> {
  const named = word(invocation, 1);
  return await withLooking(invocation, async (looking) => {
    const info = await findRun(looking.store.journal, word(invocation, 0) ?? 'last', invocation.terminal.folder);
    await withArtifacts(looking, info, async (artifacts) => {
      const { run, own, find, why } = artifacts;
      const chosen = named === undefined ? null : find(named);
      if (flag(invocation, 'why')) printWhy(invocation, run, why(chosen));
      else if (chosen === null) printList(invocation, run, own);
      else await printContent(invocation, artifacts, chosen);
    });
    return EXIT.ok;
  });
}

function printList(invocation: Invocation, run: string, artifacts: readonly ArtifactView[]): void {
  const { terminal } = invocation;
  if (flag(invocation, 'json')) writeJson(terminal, { kind: 'artifacts', run, ...whole(artifacts) });
  else if (artifacts.length === 0) printNote(terminal, `Run ${run} has no artifacts.`);
  else terminal.stdout.write(`${artifactsText(artifacts, textOptions(terminal))}\n`);
}

function printWhy(invocation: Invocation, run: string, reasons: readonly WhyView[]): void {
  const { terminal } = invocation;
  if (flag(invocation, 'json')) writeJson(terminal, { kind: 'why', run, ...whole(reasons) });
  else if (reasons.length === 0) printNote(terminal, `Run ${run} has no artifacts.`);
  else terminal.stdout.write(`${reasons.map((why) => whyText(why, textOptions(terminal))).join('\n\n')}\n`);
}

async function printContent(invocation: Invocation, artifacts: RunArtifacts, artifact: ArtifactView): Promise<void> {
  const { terminal } = invocation;
  const mark = nowText(artifact);
  const isJson = flag(invocation, 'json');
  if (mark !== null && !isJson) printNote(terminal, `${shownPath(artifact.path)} as it was recorded; now: ${mark}.`);
  const content = artifacts.content(artifact);
  if (isJson) writeJson(terminal, await artifactLine(artifacts, artifact));
  else if (terminal.stdout.isTTY) terminal.stdout.write(shownContent(await wholeContent(content, artifact), artifact));
  else for await (const piece of content) await writeAll(terminal.stdout, piece);
}

async function writeAll(stream: TerminalOutput, piece: Buffer): Promise<void> {
  if (!stream.write(piece)) await once(stream, 'drain');
}

function writeJson({ stdout }: Terminal, value: object): void {
  stdout.write(`${JSON.stringify(value)}\n`);
}

const textOptions = ({ stdout, environment }: Terminal): TextOptions => ({
  width: stdout.columns || 80,
  paint: paintFor(stdout, environment),
});
