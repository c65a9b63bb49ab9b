import { Ban, Flag, Gauge, PackageX, Wrench, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Problem } from '../../model/problems-fold.ts';
import { useSelection } from '../../model/selection.ts';
import { AgentName } from '../../ui/agent-name.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { PlainText } from '../../ui/plain-text.tsx';
import { Time } from '../../ui/time.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { hintFor } from './hint-for.ts';
import { TaskLogs } from './task-logs.tsx';

const ICONS: Readonly<Record<Problem['kind'], typeof X>> = {
  failure: X,
  tool: Wrench,
  refused: Ban,
  limit: Gauge,
  result: PackageX,
};

/** One problem: what, where, what to do; with what was printed. */
export function ProblemItem({ problem, root }: { readonly problem: Problem; readonly root: string }): ReactNode {
  const { kind, code, text, detail, at, state, visit, agent, standing, isEnd, run, task, seq, isOfClient } = problem;
  const [, select] = useSelection();
  const [isOpen, setOpen] = useState(isEnd || (standing === 'stands' && detail !== ''));
  const Icon = ICONS[kind];
  const place = { run: run === root ? undefined : run, state, visit, task: task ?? undefined, seq: undefined };
  const hint = hintFor(problem);
  return (
    <li className="flex flex-col gap-1 border-b border-line px-4 py-2">
      <p className={classNames('flex items-start gap-1.5', standing === 'stands' && 'text-bad')}>
        <Icon size={14} aria-label={kind} className="mt-[3px] shrink-0" />
        <span className="min-w-0 font-medium wrap-anywhere">{visibleText(text)}</span>
        <code className="ml-auto shrink-0 pt-0.5 text-xs text-muted">{code}</code>
      </p>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 pl-5 text-sm text-muted">
        {isEnd && (
          <Badge tone="bad">
            <Flag size={11} aria-hidden /> the run ended with it
          </Badge>
        )}
        {standing !== 'stands' && <Badge tone={standing === 'mended' ? 'ok' : 'neutral'}>{standing}</Badge>}
        {agent !== null && <AgentName agent={agent} />}
        {state !== '' && (
          <button type="button" className="text-accent underline" onClick={() => select(place)}>
            {visibleText(state)}
            {visit > 1 && ` #${visit}`}
          </button>
        )}
        <button
          type="button"
          className="num hover:text-accent hover:underline"
          onClick={() => select({ ...place, tab: 'events', seq })}
        >
          record {seq}
        </button>
        <Time at={at} />
      </p>
      {hint !== '' && <p className="pl-5 text-sm">{visibleText(hint)}</p>}
      {detail !== '' && (
        <details className="pl-5 text-sm" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary className="cursor-default text-muted">What was printed</summary>
          <div
            className="max-h-72 overflow-auto rounded-md bg-sunken p-2"
            tabIndex={0}
            role="region"
            aria-label="What was printed"
          >
            <PlainText text={detail} />
          </div>
        </details>
      )}
      {isOfClient && task !== null && <TaskLogs run={run} task={task} isOpen={standing === 'stands'} />}
      {standing === 'stands' && state !== '' && (
        <p className="flex flex-wrap gap-2 pt-0.5 pl-5">
          <Button onClick={() => select({ ...place, dialog: 'fork' })}>Fork from this step</Button>
          {agent !== null && (
            <Button kind="quiet" onClick={() => select({ ...place, tab: 'transcript', agent })}>
              Read what led to it
            </Button>
          )}
        </p>
      )}
    </li>
  );
}
