import { MAIN_WORKSPACE } from '../../../src/core/workspace-name.ts';
import type { Finding } from '../../../src/core/review/finding.ts';
import { decisionIn, ledgerIn } from '../../../src/protocol/review/review-data.ts';
import type { RunTree } from '../../model/run-tree.ts';
import { isShown, type DiffFile } from './diff-files.ts';
import type { WorkspaceChoice } from './workspace-choices.ts';

/**
 * What reviewers hold against what is in a workspace: findings about its agents' work, and about all. The merged files are the
 * work of whoever was chosen.
 */
export function findingsOf(tree: RunTree, { workspace, agents }: WorkspaceChoice): readonly Finding[] {
  return [...tree.runs.values()].flatMap(({ snapshot }) => {
    const ledger = ledgerIn(snapshot.data);
    if (ledger === null) return [];
    const best = workspace === MAIN_WORKSPACE ? (decisionIn(snapshot.data)?.best ?? null) : null;
    const names = new Set([...agents.map(({ agent }) => agent), ...(best === null ? [] : [best])]);
    return ledger.findings.filter(({ implementation }) => implementation === null || names.has(implementation));
  });
}

export interface PlacedFinding {
  readonly finding: Finding;
  /** 0: about the file as a whole, or about a line that the patch does not show. */
  readonly line: number;
}

export interface PlacedFindings {
  readonly byPath: ReadonlyMap<string, readonly PlacedFinding[]>;
  /** About no file of this patch. */
  readonly elsewhere: readonly Finding[];
}

export function placeFindings(findings: readonly Finding[], files: readonly DiffFile[]): PlacedFindings {
  const byPath = new Map<string, PlacedFinding[]>();
  const elsewhere: Finding[] = [];
  for (const finding of findings) {
    const file = files.find(({ path }) => path === finding.file);
    if (file === undefined) elsewhere.push(finding);
    else {
      const line = finding.line !== null && isShown(file, finding.line) ? finding.line : 0;
      byPath.set(file.path, [...(byPath.get(file.path) ?? []), { finding, line }]);
    }
  }
  return { byPath, elsewhere };
}

export const areSameFindings = (a: readonly Finding[], b: readonly Finding[]): boolean =>
  a.length === b.length && a.every((finding, place) => finding === b[place]);
