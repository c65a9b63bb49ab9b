import { runId } from '../../../src/core/ids.ts';
import type { ArtifactView } from '../../../src/protocol/artifacts/artifact-view.ts';
import { ArtifactOrigins } from '../../../src/protocol/artifacts/explain-artifact.ts';
import { foldArtifacts } from '../../../src/protocol/artifacts/fold-artifacts.ts';
import type { WhyView } from '../../../src/protocol/artifacts/why-view.ts';
import type { TreeRecord } from '../../../src/protocol/workflow-state/tree-record.ts';
import { incrementalFold, type Folding } from '../../model/incremental-fold.ts';
import type { RunTree } from '../../model/run-tree.ts';

/** Every version of every artifact of a tree, oldest first; looked for again only when a record may have changed them. */
export function artifactsOf(tree: RunTree): readonly ArtifactView[] {
  const mark = [...tree.runs.values()].reduce((sum, run) => sum + changesOf(run), 0);
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
  [...tree.runs.values()]
    .flatMap(({ run, lines, count }) => lines.slice(0, count).map(({ record }) => ({ run: runId(run), record })))
    .toSorted((a, b) => a.record.at - b.record.at);

/** How often something was recorded, or put back when there was something. */
const changesOf = incrementalFold<number>(() => new ChangeFold());

class ChangeFold implements Folding<number> {
  view = 0;

  take({ fact }: Parameters<Folding<number>['take']>[0]): void {
    if (fact.kind === 'artifact.recorded' || (fact.kind === 'run.rewound' && this.view > 0)) this.view += 1;
  }
}
