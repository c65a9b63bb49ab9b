import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Action } from '../../../src/protocol/web/action.ts';
import { performAction } from '../../api/client.ts';
import { useTree } from '../../model/use-run.ts';
import { visibleText } from '../../ui/text.tsx';
import { ActDialog, ChoiceGroup, useSteering } from './act-dialog.tsx';
import { asPlan, asRolledBack, type ShownRollback, type ShownRollbackPlan } from './answers.ts';
import type { SteeringDialogProps } from './dialog-props.ts';
import { StepSelect, useSteps } from './use-steps.tsx';
import { CommandTwin } from '../../ui/copy-button.tsx';
import { ChangeLines } from './merge-outcome.tsx';

interface Props {
  readonly run: string;
  readonly done: ShownRollback | null;
  readonly only: 'files' | 'conversation' | undefined;
}

/** That it went back, what stayed, and how to undo it. */
function RollbackOutcome({ run, done, only }: Props): ReactNode {
  if (done === null) return <p>Nothing had to be restored.</p>;
  const undo: Action = { kind: 'rollback', run, to: String(done.undo), ...(only === undefined ? {} : { only }) };
  const kept = done.project.conflicts.map(({ path }) => visibleText(path));
  return (
    <>
      <p>It is rolled back. {only === 'files' ? '' : 'Resume it to continue from there.'}</p>
      {kept.length > 0 && <p className="text-warn">Kept as you have it: {kept.join(', ')}</p>}
      <p className="text-sm text-muted">This undoes it:</p>
      <CommandTwin action={undo} />
    </>
  );
}

/** What a rollback would do, part by part. */
function RollbackPreview({
  plan: { project, workspaces, conversation },
}: {
  readonly plan: ShownRollbackPlan;
}): ReactNode {
  const dropped = workspaces.filter(({ isDropped }) => isDropped === true).map(({ workspace }) => workspace);
  return (
    <section aria-label="What would be restored" className="flex flex-col gap-2 text-sm">
      {conversation !== null && (
        <p>
          <b className="font-medium">The run</b> goes from {visibleText(conversation.from)} to{' '}
          {visibleText(conversation.to)}
          {conversation.messages > 0 && `; ${conversation.messages} messages of its conversations are taken back`}.
        </p>
      )}
      {project.files.length > 0 && (
        <div>
          <p className="font-medium text-warn">Your own files</p>
          <ChangeLines changes={project.files} />
        </div>
      )}
      {project.conflicts.length > 0 && (
        <p className="text-warn">
          Unchanged, because you changed it since: {project.conflicts.map(({ path }) => visibleText(path)).join(', ')}
        </p>
      )}
      {workspaces
        .filter(({ changes }) => changes.length > 0)
        .map(({ workspace, changes }) => (
          <div key={workspace}>
            <p className="font-medium">The workspace {visibleText(workspace)}</p>
            <ChangeLines changes={changes} />
          </div>
        ))}
      {dropped.length > 0 && (
        <p className="text-muted">
          Did not exist then; created again when it is needed: {dropped.map(visibleText).join(', ')}
        </p>
      )}
    </section>
  );
}

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
        label="What to restore"
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
  if (data === null) return { plan: null, problem: null, reason: 'Everything is already as it was at that step.' };
  return { plan: data, problem: null, reason: null };
}
