import type { ReactNode } from 'react';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import { Empty } from '../../ui/empty.tsx';
import { Select } from '../../ui/select.tsx';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import { ImplementationTable } from './compare-table.tsx';
import { DebateCost } from './debate-cost.tsx';
import { DebateMatrix } from './debate-matrix.tsx';
import { DebateOutcome } from './debate-outcome.tsx';
import { FindingPane } from './finding-pane.tsx';
import { OpenPoints } from './open-points.tsx';
import { useReview } from './use-review.ts';

/** What reviewers hold against implementations, where each of them stands, what it came to and what that cost. */
export function DebatePanel(): ReactNode {
  const review = useReview();
  const [{ finding }, select] = useSelection();
  const root = useTree((tree) => tree.root);
  if (review === null) return <Empty title="There is no debate in this run" why={WHY} />;
  const { debate, compare, run, runs } = review;
  const chosen = debate.findings.find(({ id }) => id === finding) ?? null;
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-0 flex-1 flex-col @4xl:flex-row">
        <ScrollBox className="min-h-0 flex-1 overflow-y-auto" label="Debate">
          {runs.length > 1 && (
            <div className="px-4 pt-2">
              <Select
                aria-label="Which review"
                options={runs.map((one) => ({
                  value: one,
                  label: one === root ? 'this run' : one.slice(root.length + 1),
                }))}
                value={run.run}
                onChange={(one) => select({ run: one === root ? undefined : one, finding: undefined })}
              />
            </div>
          )}
          <DebateOutcome debate={debate} />
          <OpenPoints debate={debate} />
          <DebateMatrix
            debate={debate}
            chosen={chosen?.id ?? null}
            onChoose={(id) => select({ finding: id === finding ? undefined : id })}
          />
          <ImplementationTable compare={compare} />
          <DebateCost debate={debate} />
        </ScrollBox>
        {chosen !== null && <FindingPane finding={chosen} run={run} onClose={() => select({ finding: undefined })} />}
      </div>
    </div>
  );
}

const WHY = 'Debates come with workflows in which some implement and others review. See the guide about reviews.';
