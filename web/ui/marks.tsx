import { type ReactNode, useContext, useSyncExternalStore } from 'react';
import { classNames } from './controls.tsx';
import { Ban, Check, CircleDashed, CircleHelp, Clock, LoaderCircle, Pause, TriangleAlert, X } from 'lucide-react';
import { agentColour, agentOrder } from '../model/run-history.ts';
import { RunStoreContext } from '../model/use-run.ts';
import { visibleText } from './text.tsx';

export type Tone = 'neutral' | 'accent' | 'ok' | 'warn' | 'bad' | 'info';

const LOOK: Readonly<Record<Tone, string>> = {
  neutral: 'bg-hover text-muted',
  accent: 'bg-accent-soft text-accent',
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
};

interface BadgeProps {
  readonly tone?: Tone;
  readonly className?: string;
  readonly children: ReactNode;
}

export function Badge({ tone = 'neutral', className, children }: BadgeProps): ReactNode {
  return (
    <span
      className={classNames(
        'num inline-flex items-center gap-1 rounded-sm px-1.5 text-xs leading-[18px] font-medium whitespace-nowrap',
        LOOK[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}

/** Words for how a run, a unit or a step stands: those of a list, and every outcome. */
export type MarkWord = string;

const MARKS: Readonly<Record<string, { readonly icon: typeof Check; readonly tone: string }>> = {
  running: { icon: LoaderCircle, tone: 'text-accent' },
  waiting: { icon: CircleHelp, tone: 'text-warn' },
  paused: { icon: Pause, tone: 'text-warn' },
  queued: { icon: Clock, tone: 'text-muted' },
  stopped: { icon: Ban, tone: 'text-warn' },
  settled: { icon: Check, tone: 'text-muted' },
  ok: { icon: Check, tone: 'text-ok' },
  partial: { icon: TriangleAlert, tone: 'text-warn' },
  'not verified': { icon: X, tone: 'text-bad' },
  'in conflict': { icon: TriangleAlert, tone: 'text-warn' },
  'not approved': { icon: TriangleAlert, tone: 'text-warn' },
  'partly applied': { icon: TriangleAlert, tone: 'text-warn' },
  'not delivered': { icon: TriangleAlert, tone: 'text-warn' },
  blocked: { icon: TriangleAlert, tone: 'text-warn' },
  failed: { icon: X, tone: 'text-bad' },
  timeout: { icon: Clock, tone: 'text-bad' },
  quota: { icon: Clock, tone: 'text-warn' },
  crashed: { icon: X, tone: 'text-bad' },
  cancelled: { icon: Ban, tone: 'text-muted' },
  skipped: { icon: CircleDashed, tone: 'text-muted' },
};

interface StatusMarkProps {
  readonly status: MarkWord;
  /** What is shown; the status by itself where it is left out. */
  readonly text?: string;
  /** The word is only read aloud. */
  readonly isShort?: boolean;
}

/** A shape, a colour and a word: any one of them is enough. */
export function StatusMark({ status, text = status, isShort = false }: StatusMarkProps): ReactNode {
  const { icon: Icon, tone } = MARKS[status] ?? { icon: CircleDashed, tone: 'text-muted' };
  return (
    <span className={classNames('inline-flex items-center gap-1 whitespace-nowrap', tone)} title={text}>
      <Icon
        size={13}
        aria-hidden
        className={status === 'running' ? 'animate-[spin_2.4s_linear_infinite] will-change-transform' : undefined}
        strokeWidth={2.25}
      />
      <span className={isShort ? 'sr-only' : undefined}>{text}</span>
    </span>
  );
}

/** The colour an agent has in this run, for whatever shows it; quiet where no run is open. */
export function useAgentColour(agent: string): string {
  const store = useContext(RunStoreContext);
  return useSyncExternalStore(store?.subscribe ?? never, () =>
    store === null ? 'var(--muted)' : agentColour(agentOrder(store.get()), agent),
  );
}

const never = (): (() => void) => () => undefined;

export function AgentName({ agent }: { readonly agent: string }): ReactNode {
  const colour = useAgentColour(agent);
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 font-medium" style={{ color: colour }}>
      <span aria-hidden className="size-2 shrink-0 rounded-full" style={{ background: colour }} />
      <span className="truncate">{visibleText(agent)}</span>
    </span>
  );
}
