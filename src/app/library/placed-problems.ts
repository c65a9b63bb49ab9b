import type { Problem } from '../../core/fault.ts';
import type { Workflow } from '../../core/workflow.ts';
import type { PlacedProblem } from '../../protocol/web/workflow-page.ts';

/** Problems as a page shows them: where they stand, and at which state of the drawing. */
export function placedProblems(problems: readonly Problem[], workflow: Workflow | null): readonly PlacedProblem[] {
  return problems.map((problem) => ({
    severity: problem.severity,
    code: problem.code,
    message: problem.message,
    hint: problem.hint ?? null,
    file: problem.file ?? null,
    line: problem.at?.line ?? null,
    column: problem.at?.column ?? null,
    state: workflow === null ? null : stateOf(problem, workflow),
  }));
}

/** The last state that begins before it, in the same file; what is known to stand elsewhere is about none. */
function stateOf({ at, file, path }: Problem, workflow: Workflow): string | null {
  if (at === undefined || (file !== undefined && workflow.file !== undefined && file !== workflow.file)) return null;
  if (path !== undefined && !/(?:^|[.\]])(?:states|phases|stages)\b/.test(path)) return null;
  const before = Object.values(workflow.states)
    .flatMap((state) => (state.at === undefined ? [] : [{ name: state.name, line: state.at.line }]))
    .filter(({ line }) => line <= at.line);
  const last = Math.max(...before.map(({ line }) => line));
  return before.find(({ line }) => line === last)?.name ?? null;
}
