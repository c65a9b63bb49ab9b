import { runId } from '../../../src/core/model/ids.ts';
import type { ArtifactView } from '../../../src/protocol/artifacts/artifact-view.ts';
import { ArtifactOrigins } from '../../../src/protocol/artifacts/explain-artifact.ts';
import { foldArtifacts } from '../../../src/protocol/artifacts/fold-artifacts.ts';
import type { WhyView } from '../../../src/protocol/artifacts/why-view.ts';
import type { RunRecord } from '../../../src/protocol/history/run-record.ts';
import { changesOfRun } from '../../model/run-history.ts';
import type { RunTree } from '../../model/run-tree.ts';
import { treeLines } from '../../model/tree-lines.ts';

/** Every version of every artifact of a tree, oldest first; looked for again only when a record may have changed them. */
export function artifactsOf(tree: RunTree): readonly ArtifactView[] {
  const mark = changesOfRun(tree, 'artifacts');
  const lines = tree.runs.get(tree.root)?.lines;
  if (mark === 0 || lines === undefined) return NONE;
  const known = KNOWN.get(lines);
  if (known?.mark === mark) return known.artifacts;
  const artifacts = foldArtifacts(recordsOf(tree));
  KNOWN.set(lines, { mark, artifacts });
  return artifacts;
}

/** Where one comes from, by the records alone. */
export const whyOf = (tree: RunTree, artifact: ArtifactView): WhyView =>
  new ArtifactOrigins(recordsOf(tree), artifactsOf(tree)).why(artifact);

const NONE: readonly ArtifactView[] = [];
const KNOWN = new WeakMap<object, { readonly mark: number; readonly artifacts: readonly ArtifactView[] }>();

const recordsOf = (tree: RunTree): readonly RunRecord[] =>
  treeLines(tree).lines.map(({ run, record }) => ({ run: runId(run), record }));

/** Of every file the version that counts: the newest that was not undone, in the order in which files first came. */
export function newestByPath(artifacts: readonly ArtifactView[]): readonly ArtifactView[] {
  const byPath = new Map<string, ArtifactView>();
  for (const artifact of artifacts) {
    const known = byPath.get(artifact.path);
    if (known === undefined || artifact.undone === undefined || known.undone === true)
      byPath.set(artifact.path, artifact);
  }
  return [...byPath.values()];
}

export type PreviewKind = 'image' | 'markdown' | 'json' | 'diff' | 'text' | 'binary';

/** How a content is shown: by what the server found it to be, then by its name. Nothing of it is ever run. */
export function previewKind(path: string, contentType: string): PreviewKind {
  if (contentType.startsWith('image/')) return 'image';
  if (!contentType.startsWith('text/')) return 'binary';
  const ending = /\.([^./]+)$/.exec(path.toLowerCase())?.[1] ?? '';
  return ENDINGS[ending] ?? 'text';
}

const ENDINGS: Readonly<Record<string, PreviewKind>> = {
  md: 'markdown',
  markdown: 'markdown',
  json: 'json',
  diff: 'diff',
  patch: 'diff',
};

/** A line of a patch by what it does. */
export function diffLine(line: string): 'added' | 'removed' | 'place' | 'same' {
  if (line.startsWith('@@') || line.startsWith('diff ') || line.startsWith('+++ ') || line.startsWith('--- '))
    return 'place';
  return line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same';
}
