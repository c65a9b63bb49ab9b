import { type ReactNode, useMemo, useState } from 'react';
import { type ForkPoint, forkPointOf, forkPoints, redoneFrom } from '../../model/fork-points.ts';
import { useSelection } from '../../model/selection.ts';
import { useRunStore, useTree } from '../../model/use-run.ts';
import { formatClock, Money } from '../../ui/figures.tsx';
import { LabelledSelect } from '../../ui/controls.tsx';
import { visibleText } from '../../ui/text.tsx';

interface Steps {
  readonly points: readonly ForkPoint[];
  readonly chosen: ForkPoint | null;
  readonly choose: (at: string) => void;
}

/** The steps a run can be taken up at, and the one the address means. */
export function useSteps(): Steps {
  const store = useRunStore();
  const [selection, select] = useSelection();
  const root = useTree((tree) => tree.runs.get(tree.root));
  const points = useMemo(() => (root === undefined ? [] : forkPoints(root)), [root]);
  // Who looks at the newest step means that one, also when the run has gone on by the time the button is pressed.
  const isLoaded = useTree((tree) => tree.isLoaded);
  const [first, setFirst] = useState<string | null>(null);
  const last = points.at(-1);
  if (isLoaded && first === null && last !== undefined) setFirst(last.at);
  const newest = points.find(({ at }) => at === first);
  const chosen = (selection.state === undefined ? newest : null) ?? forkPointOf(store.get(), selection);
  const choose = (at: string): void => {
    const visit = points.find((point) => point.at === at)?.visit;
    if (visit !== undefined) select({ run: undefined, state: visit.state, visit: visit.visit });
  };
  return { points, chosen, choose };
}

interface Props {
  readonly steps: Steps;
  readonly label: string;
  /** What is said below. */
  readonly says: string;
}

export function StepSelect({ steps: { points, chosen, choose }, label, says }: Props): ReactNode {
  return (
    <LabelledSelect
      label={label}
      says={says}
      value={chosen?.at ?? ''}
      onChange={choose}
      options={points.toReversed().map((point) => ({ value: point.at, label: stepLabel(point) }))}
    />
  );
}

/** Its name, time and outcome. */
function stepLabel({ name, visit }: ForkPoint): string {
  const ending = visit.failure?.code ?? visit.outcome ?? (visit.leftAt === null ? 'the run is there' : '');
  return [name, formatClock(visit.enteredAt), ending].filter((word) => word !== '').join(' · ');
}

/** The work since a step, which is repeated. */
export function RedoneWords({ point }: { readonly point: ForkPoint }): ReactNode {
  const { steps, costUsd, calls } = useTree(
    (tree) => redoneFrom(tree, point),
    (a, b) => a.calls === b.calls && a.steps.length === b.steps.length,
  );
  return (
    <p className="rounded-md bg-sunken px-2 py-1.5 text-sm text-muted">
      <span className="font-medium text-text">Done again:</span>{' '}
      {steps.map(({ state, count }) => `${visibleText(state)}${count > 1 ? ` ×${count}` : ''}`).join(', ')}
      {calls > 0 && (
        <span className="block">
          It took {calls === 1 ? 'one call' : `${calls} calls`} of a model, <Money usd={costUsd} />.
        </span>
      )}
    </p>
  );
}
