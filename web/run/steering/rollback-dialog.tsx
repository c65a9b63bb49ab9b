import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Action } from '../../../src/protocol/web/action.ts';
import { performAction } from '../../api/perform.ts';
import { useTree } from '../../model/use-run.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { ActDialog } from './act-dialog.tsx';
import { asPlan, asRolledBack, type ShownRollbackPlan } from './answers.ts';
import { ChoiceGroup } from './choice-group.tsx';
import { RollbackOutcome } from './rollback-outcome.tsx';
import { RollbackPreview } from './rollback-preview.tsx';
import type { SteeringDialogProps } from './steering-dialog.tsx';
import { StepSelect } from './step-select.tsx';
import { useSteering } from './use-steering.ts';
import { useSteps } from './use-steps.ts';

type Part = 'both' | 'files' | 'conversation';

/** Puts the run back to a step. What would go back is shown before anything does. */
export function RollbackDialog({ reason }: SteeringDialogProps): ReactNode {
  const run = useTree((tree) => tree.root);
  const steps = useSteps();
  const steering = useSteering();
  const [part, setPart] = useState<Part>('both');
  const only = part === 'both' ? {} : { only: part };
  const { chosen } = steps;
  const action: Action | null = chosen === null ? null : { kind: 'rollback', run, to: chosen.at, ...only };
  const preview = usePreview(reason === null ? action : null);
  const { state } = steering;
  const done = state.kind === 'done' ? asRolledBack(state.answer) : null;
  return (
    <ActDialog
      title="Roll back"
      verb="Roll back"
      isDanger
      action={action}
      reason={reason ?? preview.reason}
      steering={steering}
      outcome={state.kind === 'done' ? <RollbackOutcome run={run} done={done} only={only.only} /> : null}
    >
      <StepSelect
        steps={steps}
        label="Back to the beginning of"
        says="Nothing is lost: every record stays, and a rollback can itself be undone."
      />
      <ChoiceGroup<Part>
        label="What goes back"
        value={part}
        onChange={setPart}
        choices={[
          { value: 'both', label: 'Files and conversations' },
          { value: 'files', label: 'Only the files' },
          { value: 'conversation', label: 'Only the run and its conversations' },
        ]}
      />
      {preview.plan !== null && <RollbackPreview plan={preview.plan} />}
      {preview.problem !== null && <p className="text-bad">{visibleText(preview.problem)}</p>}
    </ActDialog>
  );
}

interface Preview {
  readonly plan: ShownRollbackPlan | null;
  readonly problem: string | null;
  /** Why the button does not work yet. */
  readonly reason: string | null;
}

function usePreview(action: Action | null): Preview {
  const { data, error, isFetching } = useQuery({
    queryKey: ['rollback', action],
    queryFn: async () =>
      asPlan(await performAction({ ...(action as Extract<Action, { kind: 'rollback' }>), isPreview: true })),
    enabled: action !== null,
    retry: false,
    gcTime: 0,
  });
  if (error !== null) return { plan: null, problem: error.message, reason: 'It cannot be rolled back to there.' };
  if (action === null) return { plan: null, problem: null, reason: null };
  if (isFetching || data === undefined)
    return { plan: null, problem: null, reason: 'Finding out what would go back …' };
  if (data === null) return { plan: null, problem: null, reason: 'It is all as it was at that step already.' };
  return { plan: data, problem: null, reason: null };
}
