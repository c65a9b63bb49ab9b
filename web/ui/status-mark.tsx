import { Ban, Check, CircleDashed, CircleHelp, Clock, LoaderCircle, Pause, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** Words for how a run, a unit or a step stands: those of a list, and every outcome. */
export type MarkWord = string;

const MARKS: Readonly<Record<string, { readonly icon: typeof Check; readonly tone: string }>> = {
  running: { icon: LoaderCircle, tone: 'text-accent' },
  waiting: { icon: CircleHelp, tone: 'text-warn' },
  paused: { icon: Pause, tone: 'text-warn' },
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

interface Props {
  readonly status: MarkWord;
  /** What is shown; the status by itself where it is left out. */
  readonly text?: string;
  /** The word is only read aloud. */
  readonly isShort?: boolean;
}

/** A shape, a colour and a word: any one of them is enough. */
export function StatusMark({ status, text = status, isShort = false }: Props): ReactNode {
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
