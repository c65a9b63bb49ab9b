import type { ReactNode } from 'react';
import type { RunNode } from '../../model/run-tree.ts';
import { PlainText } from '../../ui/plain-text.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { ScrollBox } from '../../ui/scroll-box.tsx';

/** What an agent is told before anything is said: the words of its role. */
export function FirstWords({
  run: { definition },
  agent,
}: {
  readonly run: RunNode;
  readonly agent: string;
}): ReactNode {
  const name = definition?.workflow.agents.find((one) => one.name === agent)?.role;
  const role = name === undefined ? undefined : definition?.roles[name];
  if (role === undefined || role.systemMessage === '') return null;
  return (
    <details className="border-b border-line px-4 py-1.5 text-sm">
      <summary className="cursor-default text-muted">
        It is told first who it is: role <span className="font-medium">{visibleText(role.name)}</span>
        {role.examples.length > 0 && `, with ${role.examples.length} messages of example`}
      </summary>
      <ScrollBox className="max-h-60 overflow-y-auto py-1" label="Words of the role">
        <PlainText text={role.systemMessage} />
      </ScrollBox>
    </details>
  );
}
