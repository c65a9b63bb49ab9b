import { useId, type ReactNode } from 'react';
import type { ForkPoint } from '../../model/fork-points.ts';
import { formatClock } from '../../ui/format.ts';
import { Select } from '../../ui/select.tsx';
import type { Steps } from './use-steps.ts';

interface Props {
  readonly steps: Steps;
  readonly label: string;
  /** What is said below. */
  readonly says: string;
}

export function StepSelect({ steps: { points, chosen, choose }, label, says }: Props): ReactNode {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <Select
        id={id}
        value={chosen?.at ?? ''}
        onChange={choose}
        options={points.toReversed().map((point) => ({ value: point.at, label: stepLabel(point) }))}
      />
      <p className="text-sm text-muted">{says}</p>
    </div>
  );
}

/** Its name, when it was, and what came of it. */
function stepLabel({ name, visit }: ForkPoint): string {
  const came = visit.failure?.code ?? visit.outcome ?? (visit.leftAt === null ? 'the run is there' : '');
  return [name, formatClock(visit.enteredAt), came].filter((word) => word !== '').join(' · ');
}
