import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type Tone = 'neutral' | 'accent' | 'ok' | 'warn' | 'bad' | 'info';

const LOOK: Readonly<Record<Tone, string>> = {
  neutral: 'bg-hover text-muted',
  accent: 'bg-accent-soft text-accent',
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
};

interface Props {
  readonly tone?: Tone;
  readonly className?: string;
  readonly children: ReactNode;
}

export function Badge({ tone = 'neutral', className, children }: Props): ReactNode {
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
