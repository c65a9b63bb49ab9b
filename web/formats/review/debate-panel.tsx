import type { ReactNode } from 'react';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import { Empty, ScrollBox } from '../../ui/boxes.tsx';
import { Select } from '../../ui/controls.tsx';
import { ImplementationTable } from './compare-table.tsx';
import { DebateMatrix } from './debate-matrix.tsx';
import { DebateOutcome } from './debate-outcome.tsx';
import { FindingPane } from './finding-pane.tsx';
import { useReview } from './use-review.ts';
import { REVIEW_PARTS, type ReviewPart } from '../../../src/formats/review/views/spending-view.ts';
import type { SpendingFigures } from '../../../src/formats/review/views/answers/spending.ts';
import type { DebateView } from '../../../src/formats/review/views/debate-view.ts';
import { totalTokens } from '../../../src/core/model/usage.ts';
import { Duration, Money, Tokens } from '../../ui/figures.tsx';
import { CircleHelp } from 'lucide-react';
import { openQuestions } from '../../../src/core/look/open-questions.ts';
import { visibleText } from '../../ui/text.tsx';
import { SeverityMark } from './severity-mark.tsx';

const NAMES: Readonly<Record<ReviewPart, string>> = {
  implementations: 'Implementations',
  reviews: 'First reviews',
  debate: 'Debate',
  synthesis: 'Synthesis',
  revisions: 'Revisions',
  merge: 'Conflicts',
  other: 'Other',
};

/** The cost of the review, by purpose. */
export function DebateCost({ debate: { spending, debates } }: { readonly debate: DebateView }): ReactNode {
  const parts = REVIEW_PARTS.filter(
    (part) => spending.parts[part].turns > 0 || totalTokens(spending.parts[part].usage) > 0,
  );
  const most = Math.max(1e-9, ...parts.map((part) => spending.parts[part].knownCostUsd));
  const rounds = debates.reduce((sum, one) => sum + one.rounds, 0);
  return (
    <section aria-label="What it cost" className="px-4 py-3">
      <table className="w-full max-w-2xl border-collapse text-left text-sm [&_td]:py-0.5 [&_th]:py-0.5">
        <thead>
          <tr className="text-muted [&>th]:font-medium">
            <th scope="col">What it cost</th>
            <th scope="col" className="w-1/4">
              <span className="sr-only">Share</span>
            </th>
            <th scope="col" className="text-right">
              Turns
            </th>
            <th scope="col" className="text-right">
              Tokens
            </th>
            <th scope="col" className="text-right">
              Time
            </th>
            <th scope="col" className="text-right">
              Money
            </th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <Part
              key={part}
              name={part === 'debate' ? `Debate (${rounds} rounds)` : NAMES[part]}
              spent={spending.parts[part]}
              most={most}
            />
          ))}
        </tbody>
      </table>
      {spending.paidBefore !== null && (
        <p className="pt-1 text-sm text-muted">Costs before the fork were paid by {spending.paidBefore}.</p>
      )}
    </section>
  );
}

interface PartProps {
  readonly name: string;
  readonly spent: SpendingFigures;
  readonly most: number;
}

function Part({ name, spent: { turns, usage, ms, costUsd, knownCostUsd }, most }: PartProps): ReactNode {
  return (
    <tr>
      <th scope="row" className="font-normal">
        {name}
      </th>
      <td aria-hidden>
        <span
          className="block h-1.5 rounded-full bg-line-strong opacity-60"
          style={{ width: `${(knownCostUsd / most) * 100}%` }}
        />
      </td>
      <td className="num text-right">{turns}</td>
      <td className="text-right">
        <Tokens count={totalTokens(usage)} />
      </td>
      <td className="text-right">
        <Duration ms={ms} />
      </td>
      <td className="text-right">
        <Money usd={costUsd} />
      </td>
    </tr>
  );
}

/** The open points that only the person can settle, while the run asks. */
export function OpenPoints({ debate }: { readonly debate: DebateView }): ReactNode {
  const [, select] = useSelection();
  const isAsked = useTree((tree) => {
    const run = tree.runs.get(debate.run);
    return run !== undefined && openQuestions(run.snapshot).some(({ kind }) => kind === 'ask');
  });
  const open = debate.findings.filter(({ id }) => debate.open.includes(id));
  if (open.length === 0 && !isAsked) return null;
  return (
    <section aria-label="Open points" className="flex flex-col gap-1 border-b border-line bg-warn-soft px-4 py-2">
      <p className="flex items-center gap-1.5 font-medium text-warn">
        <CircleHelp size={14} aria-hidden />
        {isAsked ? 'Your answer is needed: see the question above.' : 'Not settled'}
        {open.length > 0 && ` ${open.length} ${open.length === 1 ? 'point is' : 'points are'} open.`}
      </p>
      <ul>
        {open.map(({ id, severity, claim, implementation }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => select({ finding: id })}
              className="flex w-full min-w-0 items-center gap-2 rounded-sm text-left hover:underline"
            >
              <span className="font-mono text-sm">{id}</span>
              <SeverityMark severity={severity} />
              <span className="shrink-0 text-muted">{visibleText(implementation ?? 'all')}</span>
              <span className="truncate">{visibleText(claim)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The findings, the stance of each reviewer, the outcome and the cost of a debate. */
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
