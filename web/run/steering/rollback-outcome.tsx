import type { ReactNode } from 'react';
import type { Action } from '../../../src/protocol/web/action.ts';
import { CommandTwin } from '../../ui/command-twin.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import type { ShownRollback } from './answers.ts';

interface Props {
  readonly run: string;
  readonly done: ShownRollback | null;
  readonly only: 'files' | 'conversation' | undefined;
}

/** That it went back, what stayed, and how to undo it. */
export function RollbackOutcome({ run, done, only }: Props): ReactNode {
  if (done === null) return <p>Nothing had to go back.</p>;
  const undo: Action = { kind: 'rollback', run, to: String(done.undo), ...(only === undefined ? {} : { only }) };
  const kept = done.project.conflicts.map(({ path }) => visibleText(path));
  return (
    <>
      <p>It is rolled back. {only === 'files' ? '' : 'Resume it to go on from there.'}</p>
      {kept.length > 0 && <p className="text-warn">Kept as you have it: {kept.join(', ')}</p>}
      <p className="text-sm text-muted">This undoes it:</p>
      <CommandTwin action={undo} />
    </>
  );
}
