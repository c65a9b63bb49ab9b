import { MAIN_WORKSPACE } from '../../../src/core/model/workspace-name.ts';
import type { ReviewFinding } from '../../../src/formats/review/rules/finding.ts';
import { reviewStateIn } from '../../../src/formats/review/views/review-state-in.ts';
import type { RunTree } from '../../model/run-tree.ts';
import { type DiffFile, isShown } from '../../run/changes/diff-files.ts';
import type { WorkspaceChoice } from '../../run/changes/workspace-choices.ts';

/** Runs of one tree call their findings alike: which one it is, its run says. */
export interface RunFinding {
  readonly run: string;
  readonly finding: ReviewFinding;
}

/**
 * The findings on the files of a workspace: about its agents' work, and about all. The merged files are the work of the chosen
 * agent.
 */
export function findingsOf(tree: RunTree, { workspace, agents }: WorkspaceChoice): readonly RunFinding[] {
  return [...tree.runs.values()].flatMap(({ run, snapshot }) => {
    const state = reviewStateIn(snapshot.data);
    if (state === null) return [];
    const best = workspace === MAIN_WORKSPACE ? (state.decision?.best ?? null) : null;
    const names = new Set([...agents.map(({ agent }) => agent), ...(best === null ? [] : [best])]);
    return state.ledger.findings
      .filter(({ implementation }) => implementation === null || names.has(implementation))
      .map((finding) => ({ run, finding }));
  });
}

export interface PlacedFinding extends RunFinding {
  /** 0: about the file as a whole, or about a line that the patch does not show. */
  readonly line: number;
}

export interface PlacedFindings {
  readonly byPath: ReadonlyMap<string, readonly PlacedFinding[]>;
  /** About no file of this patch. */
  readonly elsewhere: readonly RunFinding[];
}

export function placeFindings(findings: readonly RunFinding[], files: readonly DiffFile[]): PlacedFindings {
  const byPath = new Map<string, PlacedFinding[]>();
  const elsewhere: RunFinding[] = [];
  for (const { run, finding } of findings) {
    const file = files.find(({ path }) => path === finding.file);
    if (file === undefined) elsewhere.push({ run, finding });
    else {
      const line = finding.line !== null && isShown(file, finding.line) ? finding.line : 0;
      byPath.set(file.path, [...(byPath.get(file.path) ?? []), { run, finding, line }]);
    }
  }
  return { byPath, elsewhere };
}

export const areSameFindings = (a: readonly RunFinding[], b: readonly RunFinding[]): boolean =>
  a.length === b.length && a.every(({ run, finding }, at) => run === b[at]?.run && finding === b[at].finding);
