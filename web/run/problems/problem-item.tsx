import { Ban, Flag, Gauge, PackageX, Wrench, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { RunProblem } from '../../model/problems-fold.ts';
import { useSelection, type SelectionChange } from '../../model/selection.ts';
import { AgentName } from '../../ui/agent-name.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { PlainText } from '../../ui/plain-text.tsx';
import { Time } from '../../ui/time.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import { hintFor } from './hint-for.ts';
import { TaskLogs } from './task-logs.tsx';

const ICONS: Readonly<Record<RunProblem['kind'], typeof X>> = {
  failure: X,
  tool: Wrench,
  refused: Ban,
  limit: Gauge,
  result: PackageX,
};

interface Props {
  readonly problem: RunProblem;
  readonly root: string;
}

/** One problem: what, where, what to do; with what was printed. */
export function ProblemItem({ problem, root }: Props): ReactNode {
  const { kind, code, text, detail, standing, isEnd, run, task, isOfClient } = problem;
  const Icon = ICONS[kind];
  const hint = hintFor(problem);
  const isUnmended = standing === 'stands';
  return (
    <li className="flex flex-col gap-1 border-b border-line px-4 py-2">
      <p className={classNames('flex items-start gap-1.5', isUnmended && 'text-bad')}>
        <Icon size={14} aria-label={kind} className="mt-[3px] shrink-0" />
        <span className="min-w-0 font-medium wrap-anywhere">{visibleText(text)}</span>
        <code className="ml-auto shrink-0 pt-0.5 text-xs text-muted">{code}</code>
      </p>
      <Place problem={problem} root={root} />
      {hint !== '' && <p className="pl-5 text-sm">{visibleText(hint)}</p>}
      {detail !== '' && <Printed text={detail} isOpen={isEnd || isUnmended} />}
      {isOfClient && task !== null && <TaskLogs run={run} task={task} isOpen={isUnmended} />}
      {isUnmended && <Ways problem={problem} root={root} />}
    </li>
  );
}

const placeOf = ({ run, state, visit, task }: RunProblem, root: string): SelectionChange => ({
  run: run === root ? undefined : run,
  state,
  visit,
  task: task ?? undefined,
  seq: undefined,
});

const STANDINGS = {
  mended: (kind: RunProblem['kind']): string =>
    kind === 'tool' || kind === 'refused' ? 'the agent went on' : 'mended',
  undone: (): string => 'undone',
};

function Place({ problem, root }: Props): ReactNode {
  const { isEnd, standing, kind, agent, state, visit, seq, at } = problem;
  const [, select] = useSelection();
  const place = placeOf(problem, root);
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 pl-5 text-sm text-muted">
      {isEnd && (
        <Badge tone="bad">
          <Flag size={11} aria-hidden /> the run ended with it
        </Badge>
      )}
      {standing !== 'stands' && <Badge tone={kind === 'failure' ? 'ok' : 'neutral'}>{STANDINGS[standing](kind)}</Badge>}
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
  );
}

function Printed({ text, isOpen }: { readonly text: string; readonly isOpen: boolean }): ReactNode {
  return (
    <details className="pl-5 text-sm" open={isOpen}>
      <summary className="cursor-default text-muted">What was printed</summary>
      <ScrollBox label="What was printed" className="max-h-72 overflow-auto rounded-md bg-sunken p-2">
        <PlainText text={text} />
      </ScrollBox>
    </details>
  );
}

function Ways({ problem, root }: Props): ReactNode {
  const [, select] = useSelection();
  const { state, agent } = problem;
  const place = placeOf(problem, root);
  if (state === '') return null;
  return (
    <p className="flex flex-wrap gap-2 pt-0.5 pl-5">
      <Button onClick={() => select({ ...place, dialog: 'fork' })}>Fork from this step</Button>
      {agent !== null && (
        <Button kind="quiet" onClick={() => select({ ...place, tab: 'transcript', agent, context: undefined })}>
          Read what led to it
        </Button>
      )}
    </p>
  );
}
