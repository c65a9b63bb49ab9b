import { runId } from '../../../src/core/ids.ts';
import type { ArtifactView } from '../../../src/protocol/artifacts/artifact-view.ts';
import { ArtifactOrigins } from '../../../src/protocol/artifacts/explain-artifact.ts';
import { foldArtifacts } from '../../../src/protocol/artifacts/fold-artifacts.ts';
import type { WhyView } from '../../../src/protocol/artifacts/why-view.ts';
import type { TreeRecord } from '../../../src/protocol/history/tree-record.ts';
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

const recordsOf = (tree: RunTree): readonly TreeRecord[] =>
  treeLines(tree).lines.map(({ run, record }) => ({ run: runId(run), record }));
