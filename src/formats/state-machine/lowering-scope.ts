import type { WorkflowParts, Names } from './workflow-parts.ts';
import type { SourcePath } from '../../source/place.ts';
import type { ProblemReport } from '../../source/problem-report.ts';

/** What every step of the lowering needs: where to tell problems, where it stands in the file, which names exist. */
export interface LoweringScope {
  readonly report: ProblemReport;
  readonly base: SourcePath;
  readonly names: Names;
  readonly trimmed: WorkflowParts['trimmed'];
}
