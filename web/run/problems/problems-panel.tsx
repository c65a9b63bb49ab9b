import { lazy, Suspense, useMemo, type ReactNode } from 'react';
import { ledgerIn } from '../../../src/protocol/review/review-data.ts';
import { treeProblems } from '../../model/run-history.ts';
import { useTree } from '../../model/use-run.ts';
import { Empty } from '../../ui/empty.tsx';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import { ProblemItem } from './problem-item.tsx';
import { ProcessLogs } from './process-logs.tsx';

const ReviewTrouble = lazy(async () => ({ default: (await import('./review-trouble.tsx')).ReviewTrouble }));

/** All that went wrong on the way: where, what to do about it, and whether it was mended. */
export function ProblemsPanel(): ReactNode {
  const tree = useTree(
    (one) => one,
    (a, b) => a.runs === b.runs,
  );
  const problems = useMemo(() => treeProblems(tree), [tree]);
  const isReview = useTree(({ runs }) => [...runs.values()].some(({ snapshot }) => ledgerIn(snapshot.data) !== null));
  const standing = problems.filter((one) => one.standing === 'stands');
  const rest = problems.filter((one) => one.standing !== 'stands');
  return (
    <ScrollBox className="min-h-0 flex-1 overflow-y-auto" label="Problems">
      {isReview && (
        <Suspense fallback={null}>
          <ReviewTrouble />
        </Suspense>
      )}
      {problems.length === 0 && !isReview && (
        <Empty
          title="Nothing went wrong so far"
          why="Failures, refused tools, limits and what agent processes print to stderr stand here."
        />
      )}
      {problems.length === 0 && isReview && (
        <p className="px-4 py-3 text-muted">No call failed, no tool was refused and no limit was met.</p>
      )}
      {standing.length > 0 && <List title="Stands" problems={standing} root={tree.root} />}
      {rest.length > 0 && <List title="On the way" problems={rest} root={tree.root} />}
      <ProcessLogs />
    </ScrollBox>
  );
}

function List({
  title,
  problems,
  root,
}: {
  readonly title: string;
  readonly problems: ReturnType<typeof treeProblems>;
  readonly root: string;
}): ReactNode {
  return (
    <section aria-label={title}>
      <h2 className="num px-4 pt-3 pb-1 text-xs font-medium text-muted">
        {title} ({problems.length})
      </h2>
      <ul>
        {problems.slice(0, MOST).map((problem) => (
          <ProblemItem key={problem.key} problem={problem} root={root} />
        ))}
      </ul>
      {problems.length > MOST && (
        <p className="px-4 py-1 text-sm text-muted">{problems.length - MOST} more stand among the events.</p>
      )}
    </section>
  );
}

const MOST = 300;
