import type { ReactNode } from 'react';
import type { RolePage } from '../../src/protocol/web/workflow-page.ts';
import { Badge } from '../ui/badge.tsx';
import { Empty } from '../ui/empty.tsx';
import { PlainText } from '../ui/plain-text.tsx';
import { visibleText } from '../ui/visible-text.ts';

/** Who acts in a workflow, and what each is told. */
export function RoleList({ roles }: { readonly roles: readonly RolePage[] }): ReactNode {
  if (roles.length === 0)
    return <Empty title="No roles" why="No agent acts in this workflow: it only runs commands or asks people." />;
  return (
    <ul className="divide-y divide-line">
      {roles.map((role) => (
        <li key={role.name} className="px-4 py-2">
          <Role page={role} />
        </li>
      ))}
    </ul>
  );
}

function Role({ page: { name, role, prompt, file } }: { readonly page: RolePage }): ReactNode {
  const tools = role.includedTools === null ? 'all tools' : role.includedTools.join(', ');
  return (
    <details>
      <summary className="flex cursor-pointer flex-wrap items-center gap-2">
        <span className="font-medium">{visibleText(name)}</span>
        <Badge>{role.actor ?? role.level}</Badge>
        <Badge tone={role.mode === 'read' ? 'neutral' : 'warn'}>may {role.mode ?? 'write'}</Badge>
        {role.network === true && <Badge tone="warn">network</Badge>}
        <span className="min-w-0 truncate text-sm text-muted">{file === null ? '' : visibleText(file)}</span>
      </summary>
      <div className="mt-2 flex flex-col gap-2 border-l border-line pl-3">
        <p className="text-sm text-muted">
          {visibleText(tools)}
          {role.excludedTools.length > 0 && `; not ${visibleText(role.excludedTools.join(', '))}`}
          {role.signals !== undefined && `; ends with ${role.signals.join(', ')}`}
        </p>
        {prompt === '' ? (
          <p className="text-muted">It is told nothing beyond its task.</p>
        ) : (
          <PlainText text={prompt} />
        )}
      </div>
    </details>
  );
}
