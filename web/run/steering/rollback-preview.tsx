import type { ReactNode } from 'react';
import { visibleText } from '../../ui/visible-text.ts';
import type { ShownRollbackPlan } from './answers.ts';
import { ChangeLines } from './change-lines.tsx';

/** What a rollback would do, part by part. */
export function RollbackPreview({
  plan: { project, workspaces, conversation },
}: {
  readonly plan: ShownRollbackPlan;
}): ReactNode {
  const dropped = workspaces.filter(({ isDropped }) => isDropped === true).map(({ workspace }) => workspace);
  return (
    <section aria-label="What would go back" className="flex flex-col gap-2 text-sm">
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
          Stays as it is, since you changed it meanwhile:{' '}
          {project.conflicts.map(({ path }) => visibleText(path)).join(', ')}
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
          Not there yet then, and made anew when somebody works there: {dropped.map(visibleText).join(', ')}
        </p>
      )}
    </section>
  );
}
