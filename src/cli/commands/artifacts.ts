import { once } from 'node:events';
import type { RunId } from '../../core/ids.ts';
import { shownPath } from '../../lib/confined-path.ts';
import type { ArtifactView } from '../../protocol/artifacts/artifact-view.ts';
import { ArtifactOrigins } from '../../protocol/artifacts/explain-artifact.ts';
import { foldArtifacts } from '../../protocol/artifacts/fold-artifacts.ts';
import { createWorkspaces } from '../../workspace/workspaces.ts';
import { shownContent, wholeContent, wireContent } from '../../app/views/artifacts/artifact-content.ts';
import { ArtifactFiles } from '../../app/views/artifacts/artifact-files.ts';
import { artifactsText, nowText, type TextOptions } from '../artifacts/artifacts-text.ts';
import { findArtifact } from '../../app/views/artifacts/find-artifact.ts';
import { readTree } from '../../app/views/artifacts/read-tree.ts';
import { whyText } from '../artifacts/why-text.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { flag, word } from '../invocation.ts';
import { findRun } from '../../app/runs/find-run.ts';
import { rootRun } from '../../app/runs/root-run.ts';
import { withStore } from '../../app/world/store.ts';
import { paintFor } from '../terminal/colour.ts';
import type { Terminal, TerminalOutput } from '../terminal/terminal.ts';

/** `troupe artifacts RUN [ID]`: what the agents of a run made; the content of one, as it was recorded; `--why`: its origin. */
export async function artifactsCommand(invocation: Invocation): Promise<number> {
  return await withStore(invocation.terminal, async (store) => {
    const info = await findRun(store.journal, word(invocation, 0) ?? 'last', invocation.terminal.folder);
    const workspaces = createWorkspaces({ home: store.home });
    try {
      const trees = await workspaces.store(info.project);
      const root = rootRun(info.run);
      const records = await readTree(store.journal, root);
      const files = await ArtifactFiles.open({ store, root, records, trees });
      const all = await files.look(foldArtifacts(records));
      await print(invocation, { run: info.run, all, files, origins: new ArtifactOrigins(records, all) });
    } finally {
      await workspaces.close();
    }
    return EXIT.ok;
  });
}

interface Found {
  readonly run: RunId;
  /** Of the whole tree: what a child made may come from elsewhere in it. */
  readonly all: readonly ArtifactView[];
  readonly files: ArtifactFiles;
  readonly origins: ArtifactOrigins;
}

async function print(invocation: Invocation, found: Found): Promise<void> {
  const named = word(invocation, 1);
  const { run, all } = found;
  // A fork has those of its origin too.
  const own = run === rootRun(run) ? all : all.filter((artifact) => isBelow(artifact.run, run));
  const chosen = named === undefined ? null : findArtifact(own, named, run);
  if (flag(invocation, 'why')) printWhy(invocation, found, chosen === null ? ends(own) : [chosen]);
  else if (chosen === null) printList(invocation, run, own);
  else await printContent(invocation, found, chosen);
}

const isBelow = (run: string, above: string): boolean => run === above || run.startsWith(`${above}/`);

/** What nothing else was made from: all the rest is told below it. */
function ends(artifacts: readonly ArtifactView[]): readonly ArtifactView[] {
  const used = new Set(artifacts.flatMap(({ dependencies }) => dependencies));
  const found = artifacts.filter(({ id, undone }) => undone === undefined && !used.has(id));
  return [...new Map(found.map((artifact) => [artifact.id, artifact])).values()];
}

function printList(invocation: Invocation, run: string, artifacts: readonly ArtifactView[]): void {
  const { terminal } = invocation;
  if (flag(invocation, 'json')) writeJson(terminal, { kind: 'artifacts', run, artifacts });
  else if (artifacts.length === 0) terminal.stderr.write(`Run ${run} has no artifacts.\n`);
  else terminal.stdout.write(`${artifactsText(artifacts, textOptions(terminal))}\n`);
}

function printWhy(invocation: Invocation, { run, origins }: Found, artifacts: readonly ArtifactView[]): void {
  const { terminal } = invocation;
  const reasons = artifacts.map((artifact) => origins.why(artifact));
  if (flag(invocation, 'json')) writeJson(terminal, { kind: 'why', run, artifacts: reasons });
  else if (reasons.length === 0) terminal.stderr.write(`Run ${run} has no artifacts.\n`);
  else terminal.stdout.write(`${reasons.map((why) => whyText(why, textOptions(terminal))).join('\n\n')}\n`);
}

async function printContent(invocation: Invocation, { files }: Found, artifact: ArtifactView): Promise<void> {
  const { terminal } = invocation;
  const mark = nowText(artifact);
  const isJson = flag(invocation, 'json');
  if (mark !== null && !isJson)
    terminal.stderr.write(`${shownPath(artifact.path)} as it was recorded; now: ${mark}.\n`);
  const content = files.content(artifact);
  if (isJson)
    writeJson(terminal, { kind: 'artifact', ...artifact, ...wireContent(await wholeContent(content, artifact)) });
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
