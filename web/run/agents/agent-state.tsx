import { Ban, CircleHelp, Clock, Hourglass, Pause, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { durationText } from '../../../src/core/amount-text.ts';
import type { AgentNow, AgentWait } from '../../model/agents-now.ts';
import { useNow } from '../../ui/clock.ts';
import { Worked } from '../../ui/duration.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import { visibleText } from '../../ui/visible-text.ts';

const WAITS: Readonly<Record<AgentWait['why'], { readonly icon: typeof Clock; readonly words: string }>> = {
  person: { icon: CircleHelp, words: 'waits for your word' },
  quota: { icon: Hourglass, words: 'waits for its quota' },
  retry: { icon: RotateCw, words: 'tries again' },
  slot: { icon: Clock, words: 'waits for a free slot' },
  still: { icon: Pause, words: 'stands still with the run' },
  halted: { icon: Ban, words: 'was cut off' },
};

/** What it does now, since when, or what it waits for. */
export function AgentStateBadge({
  agent: { status, doing, wait, outcome, tasks, progress },
}: {
  readonly agent: AgentNow;
}): ReactNode {
  if (doing === null) return <Resting outcome={outcome} hasBegun={tasks.length > 0} isBad={status === 'bad'} />;
  return (
    <div className="flex flex-col text-sm">
      <p className="flex min-w-0 items-center gap-1.5">
        {wait === null ? <StatusMark status="running" isShort /> : <Waiting wait={wait} />}
        <span className="truncate">{visibleText(doing.state)}</span>
        <span className="ml-auto shrink-0 text-muted">
          <Worked timeAt={doing.timeAt} until={doing.until} />
        </span>
      </p>
      {progress !== null && (
        <p className="flex items-center gap-1.5 text-muted">
          <progress
            value={progress.progress}
            max={1}
            aria-label="How far it says it is"
            className="h-1 w-16 accent-(--accent)"
          />
          <span className="truncate">{visibleText(progress.message)}</span>
        </p>
      )}
    </div>
  );
}

function Resting({
  outcome,
  hasBegun,
  isBad,
}: {
  readonly outcome: string | null;
  readonly hasBegun: boolean;
  readonly isBad: boolean;
}): ReactNode {
  return (
    <p className="flex items-center gap-1.5 text-sm text-muted">
      {outcome !== null && <StatusMark status={outcome} isShort={!isBad} />}
      {hasBegun ? (isBad ? 'is how its last turn came out' : 'rests') : 'had no turn yet'}
    </p>
  );
}

function Waiting({ wait: { why, until } }: { readonly wait: AgentWait }): ReactNode {
  const { icon: Icon, words } = WAITS[why];
  const now = useNow(until !== null);
  return (
    <span className="flex shrink-0 items-center gap-1 text-warn">
      <Icon size={13} aria-hidden />
      {words}
      {until !== null && until > now && ` in ${durationText(Math.ceil((until - now) / 1000) * 1000)}`}
    </span>
  );
}
