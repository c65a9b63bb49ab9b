import type { WorkflowParts, Names } from './workflow-parts.ts';
import type { SourcePath } from '../../source/place.ts';
import type { ProblemReport } from '../../source/problem-report.ts';

/** Context of every step of the lowering: the problem report, the place in the file, the known names. */
export interface LoweringScope {
  readonly report: ProblemReport;
  readonly base: SourcePath;
  readonly names: Names;
  readonly trimmed: WorkflowParts['trimmed'];
}
