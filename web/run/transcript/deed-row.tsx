import { Ban, Bot, Check, Info, LoaderCircle, RotateCw, Wrench, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Activity } from '../../../src/core/agent-fact.ts';
import { isHalted } from '../../model/halted-at.ts';
import type { DeedEntry } from '../../model/transcript-entry.ts';
import { useTree } from '../../model/use-run.ts';
import { classNames } from '../../ui/class-names.ts';
import { Duration } from '../../ui/duration.tsx';
import { visibleText } from '../../ui/visible-text.ts';

const KINDS: Readonly<Record<Activity['kind'], typeof Check>> = {
  tool: Wrench,
  minion: Bot,
  retry: RotateCw,
  notice: Info,
};
const MARKS: Readonly<Record<Activity['status'], { readonly icon: typeof Check; readonly tone: string }>> = {
  running: { icon: LoaderCircle, tone: 'text-accent' },
  ok: { icon: Check, tone: 'text-muted' },
  failed: { icon: X, tone: 'text-bad' },
  denied: { icon: Ban, tone: 'text-bad' },
};

const CUT_OFF = { icon: Ban, tone: 'text-muted' };

/** What a client did by itself, in a line. */
export function DeedRow({ entry: { deed, at, endedAt } }: { readonly entry: DeedEntry }): ReactNode {
  const Kind = KINDS[deed.kind];
  const isCutOff = useTree(isHalted) && deed.status === 'running';
  const { icon: Mark, tone } = isCutOff ? CUT_OFF : MARKS[deed.status];
  return (
    <p className={classNames('flex min-w-0 items-center gap-1.5 text-sm', deed.parent !== undefined && 'pl-5')}>
      <Kind size={12} aria-label={deed.kind} className="shrink-0 text-muted" />
      <Mark size={12} aria-hidden className={classNames('shrink-0', tone)} />
      <span className="shrink-0 font-mono">{visibleText(deed.name)}</span>
      <span className="truncate text-muted" title={visibleText(deed.text ?? '')}>
        {visibleText(deed.text ?? '')}
      </span>
      <span className={classNames('ml-auto shrink-0', tone)}>
        <span className={deed.status === 'ok' ? 'sr-only' : 'pr-1'}>{isCutOff ? 'cut off' : deed.status}</span>
        {endedAt !== null && endedAt > at && <Duration ms={endedAt - at} />}
      </span>
    </p>
  );
}
