import { X } from 'lucide-react';
import { memo, type CSSProperties, type KeyboardEvent, type ReactNode } from 'react';
import type { Bar } from '../../../src/protocol/history/bars.ts';
import { classNames } from '../../ui/controls.tsx';
import { visibleText } from '../../ui/text.tsx';
import { barEnd, barLabel, barName, barTitle, type DrawnBar, type Scale, xOf } from './visible-bars.ts';

interface Props {
  readonly drawn: DrawnBar;
  readonly scale: Scale;
  /** For what is not over; else it does not matter. */
  readonly now: number;
  readonly colour: string;
  readonly isSelected: boolean;
  readonly isReached: boolean;
  readonly onChoose: (drawn: DrawnBar) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/** Room for words begins here. */
const WORDS = 26;

export const TimelineBar = memo(function TimelineBar(props: Props): ReactNode {
  const { drawn, scale, now, colour, isSelected, isReached, onChoose, onKeyDown } = props;
  const { bar, line } = drawn.placed;
  const top = line * 22 + 3;
  const heap = drawn.count > 1 ? `${drawn.count} steps: zoom in to tell them apart` : null;
  return (
    <>
      <Queue bar={bar} scale={scale} colour={colour} top={top} />
      <button
        type="button"
        data-bar={bar.key}
        title={visibleText(heap ?? barTitle(bar, now))}
        aria-label={visibleText(heap ?? barName(bar, now))}
        aria-pressed={isSelected}
        tabIndex={isReached ? 0 : -1}
        onClick={() => onChoose(drawn)}
        onKeyDown={onKeyDown}
        className={classNames(
          'timeline-bar',
          bar.lane.kind === 'person' && 'timeline-hatched',
          bar.isUndone && 'timeline-undone',
        )}
        data-open={bar.endedAt === null}
        data-bad={isBad(bar)}
        style={{ left: drawn.left, width: drawn.width, top, '--hue': colour } as CSSProperties}
      >
        <Inside drawn={drawn} scale={scale} now={now} />
      </button>
    </>
  );
});

/** Waiting and ticks at their times, and words where there is room for them. */
function Inside({ drawn, scale, now }: Pick<Props, 'drawn' | 'scale' | 'now'>): ReactNode {
  const { placed, left, width, count } = drawn;
  const { bar } = placed;
  // What is out of sight at the left still says what it is.
  const shift = Math.max(0, Math.min(-left, width - WORDS * 2));
  return (
    <>
      {bar.waits.map((wait) => (
        <WaitPart key={wait.from} from={xOf(wait.from, scale) - left} to={xOf(wait.to ?? now, scale) - left} />
      ))}
      {bar.ticks.map(({ at, kind }) => (
        <span
          key={`${at} ${kind}`}
          className="timeline-tick"
          data-kind={kind}
          style={{ left: xOf(at, scale) - left }}
        />
      ))}
      {width >= WORDS && (
        <span className="timeline-words" style={{ paddingLeft: shift + 5 }}>
          {isBad(bar) && <X size={11} strokeWidth={2.5} className="shrink-0 text-bad" aria-hidden />}
          <span className="truncate">{count > 1 ? `${count} steps` : visibleText(barLabel(bar))}</span>{' '}
          {width > 110 && count === 1 && <span className="num shrink-0 opacity-75">{barEnd(bar, now)}</span>}
        </span>
      )}
    </>
  );
}

const isBad = ({ outcome }: Bar): boolean =>
  outcome !== null && outcome !== 'ok' && outcome !== 'partial' && outcome !== 'skipped';

interface QueueProps {
  readonly bar: Bar;
  readonly scale: Scale;
  readonly colour: string;
  readonly top: number;
}

/** The time before it began, in which it was to be done already. */
function Queue({ bar: { queuedAt, startedAt }, scale, colour, top }: QueueProps): ReactNode {
  if (queuedAt === null) return null;
  const left = xOf(queuedAt, scale);
  return (
    <span
      className="timeline-queue"
      style={{ left, width: Math.max(0, xOf(startedAt, scale) - left), top, '--hue': colour } as CSSProperties}
    />
  );
}

function WaitPart({ from, to }: { readonly from: number; readonly to: number }): ReactNode {
  return <span className="timeline-wait timeline-hatched" style={{ left: from, width: Math.max(1, to - from) }} />;
}
