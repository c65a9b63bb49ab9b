import type { Json } from '../core/model/json.ts';
import { checked, type Checked } from './checked.ts';
import type { SourcePath } from './place.ts';
import { problemReport, type Origin, type ProblemReport } from './problem-report.ts';

/** A document, or each of a list of them, with the problems of all. */
export function parseEach<T>(
  document: Json,
  origin: Origin,
  parseOne: (one: Json, base: SourcePath, report: ProblemReport) => readonly T[],
): Checked<readonly T[]> {
  const report = problemReport(origin);
  const found = Array.isArray(document)
    ? document.flatMap((one: Json, index) => parseOne(one, [index], report))
    : parseOne(document, [], report);
  return checked(found, report.told());
}
