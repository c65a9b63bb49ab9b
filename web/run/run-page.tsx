import { usePrefetchQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import {
  createElement,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import { runSource } from '../api/run-source.ts';
import { RunStore } from '../model/run-store.ts';
import { RunStoreContext, useRunStore, useTree } from '../model/use-run.ts';
import { firstPicture, loadGraph, useGraphPanel } from './graph/first-picture.ts';
import { Ban, ChevronDown, ChevronRight, CirclePlay, Clock, TriangleAlert } from 'lucide-react';
import { useSelection } from '../model/selection.ts';
import { Empty, FaultBoundary, ScrollBox } from '../ui/boxes.tsx';
import { useIsNarrow } from '../ui/use-media.ts';
import { QuestionCard } from './questions/question-card.tsx';
import { RunHeader } from './run-header.tsx';
import { RunOutcome } from './run-outcome.tsx';
import { RunTabs } from './run-tabs.tsx';
import { Timeline } from './timeline/timeline.tsx';
import { useDriven } from './use-run-card.ts';
import { TotalsStrip } from './totals/totals-strip.tsx';
import { Button, classNames } from '../ui/controls.tsx';
import { overlapText, overlapViews } from '../../src/protocol/overlap-view.ts';
import { HALTED_WORDS, runStatusText } from './run-words.ts';
import type { RunTree } from '../model/run-tree.ts';
import { visibleText } from '../ui/text.tsx';

/** On top of a run that waits for a worker: what it waits for. */
function RunQueued(): ReactNode {
  const queued = useTree((tree) => (runStatusText(tree) === 'queued' ? (tree.queued?.text ?? null) : null));
  if (queued === null) return null;
  return (
    <p role="status" className="shrink-0 border-b border-line bg-sunken px-4 py-1.5">
      <Clock size={14} aria-hidden className="mr-1.5 inline-flex align-[-2px] text-muted" />
      <strong className="font-semibold">Queued:</strong> {visibleText(queued)}.
    </p>
  );
}

/** Files that several workspaces changed, while nothing of it is merged. */
function RunOverlaps(): ReactNode {
  const texts = useTree(({ root, runs }) =>
    overlapViews(runs.get(root)?.snapshot, (run) => runs.get(run)?.snapshot)
      .map(overlapText)
      .join('\n'),
  );
  if (texts === '') return null;
  return (
    <section aria-label="Overlapping changes" className="shrink-0 border-b border-line bg-warn-soft px-4 py-1.5">
      <p>
        <TriangleAlert size={14} aria-hidden className="mr-1.5 inline-flex align-[-2px] text-warn" />
        <strong className="font-semibold">Changed in several workspaces</strong> that are not merged yet:
      </p>
      <ScrollBox label="Files changed in several workspaces" className="max-h-24 overflow-y-auto pl-5.5 wrap-anywhere">
        <ul>
          {texts.split('\n').map((text) => (
            <li key={text}>{visibleText(text)}</li>
          ))}
        </ul>
      </ScrollBox>
    </section>
  );
}

/** On top of a run whose process is gone: what happened, and the way on. */
function RunHalted(): ReactNode {
  const isStopped = useTree((tree) => runStatusText(tree) === 'stopped');
  const [, select] = useSelection();
  if (!isStopped) return null;
  return (
    <section
      aria-label="Stopped"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-warn-soft px-4 py-1.5"
    >
      <p role="status" className="min-w-0 flex-1 basis-80">
        <Ban size={14} aria-hidden className="mr-1.5 inline-flex align-[-2px] text-warn" />
        <strong className="font-semibold">Stopped.</strong> {HALTED_WORDS}
      </p>
      <Button kind="primary" onClick={() => select({ dialog: 'resume' })}>
        <CirclePlay size={14} aria-hidden /> Resume
      </Button>
    </section>
  );
}

interface RunTroubleProps {
  readonly failure: NonNullable<RunTree['failure']>;
  /** A banner: the part that was read is still shown below. */
  readonly isBanner?: boolean;
}

/** A run that is not there, is damaged, or went away while it was looked at. */
function RunTrouble({ failure: { code, message, hint }, isBanner = false }: RunTroubleProps): ReactNode {
  if (isBanner)
    return (
      <p role="alert" className="flex items-center gap-2 border-b border-line bg-bad-soft px-4 py-1.5 text-bad">
        <TriangleAlert size={14} aria-hidden />
        {visibleText(message)} The page shows what could be read. <code className="text-xs">{code}</code>
      </p>
    );
  return (
    <Empty
      title="This run cannot be shown"
      why={
        <>
          <p>{visibleText(message)}</p>
          {hint !== undefined && <p>{visibleText(hint)}</p>}
          <code className="text-xs">{code}</code>
        </>
      }
      action={
        <Link to="/" className="text-accent underline">
          Go to the board
        </Link>
      }
    />
  );
}

interface SplitProps {
  /** Under which the size is kept in this browser. */
  readonly name: string;
  readonly direction: 'row' | 'column';
  readonly first: ReactNode;
  readonly second: ReactNode;
}

const STARTS: Readonly<Record<string, number>> = { run: 52, picture: 62 };

/** Two parts with a border between them that can be moved: by the pointer, or by arrow keys. */
function Split({ name, direction, first, second }: SplitProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const [share, setShare] = useState(() => keptShare(name));
  const isRow = direction === 'row';
  const set = (next: number): void => {
    const bounded = Math.min(85, Math.max(15, Math.round(next)));
    setShare(bounded);
    localStorage.setItem(`troupe-split-${name}`, String(bounded));
  };
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const box = place.current?.getBoundingClientRect();
    if (box === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    set(isRow ? ((event.clientX - box.left) / box.width) * 100 : ((event.clientY - box.top) / box.height) * 100);
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -2, ArrowUp: -2, ArrowRight: 2, ArrowDown: 2 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    set(share + step);
  };
  return (
    <div ref={place} className={classNames('flex min-h-0 min-w-0 flex-1', !isRow && 'flex-col')}>
      <div className="flex min-h-0 min-w-0 flex-col" style={{ flex: `0 0 ${share}%` }}>
        {first}
      </div>
      <div
        role="separator"
        tabIndex={0}
        aria-label={isRow ? 'Width of the picture' : 'Height of the picture'}
        aria-orientation={isRow ? 'vertical' : 'horizontal'}
        aria-valuenow={share}
        aria-valuemin={15}
        aria-valuemax={85}
        onKeyDown={press}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        className={classNames(
          'relative z-10 shrink-0 touch-none bg-line hover:bg-accent',
          isRow ? 'w-px cursor-col-resize' : 'h-px cursor-row-resize',
          'after:absolute',
          isRow ? 'after:inset-y-0 after:-inset-x-1' : 'after:inset-x-0 after:-inset-y-1',
        )}
      />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">{second}</div>
    </div>
  );
}

function keptShare(name: string): number {
  const kept = Number(localStorage.getItem(`troupe-split-${name}`) ?? Number.NaN);
  return Number.isFinite(kept) ? kept : (STARTS[name] ?? 50);
}

/** Graph and time line on one side, what is selected on the other; one below the other where it is narrow. */
function RunFrame(): ReactNode {
  const isNarrow = useIsNarrow();
  useDriven(
    useRunStore(),
    useTree((tree) => tree.root),
  );
  const isKnown = useTree((tree) => tree.runs.has(tree.root));
  const failure = useTree((tree) => tree.failure);
  if (!isKnown && failure !== null) return <RunTrouble failure={failure} />;
  if (!isKnown) return <p className="grid flex-1 place-items-center text-muted">Reading the run …</p>;
  return (
    <>
      <RunHeader />
      <FaultBoundary name="The strip of totals">
        <TotalsStrip />
      </FaultBoundary>
      {failure !== null && <RunTrouble failure={failure} isBanner />}
      <FaultBoundary name="The outcome">
        <RunOutcome />
      </FaultBoundary>
      <RunHalted />
      <RunQueued />
      <RunOverlaps />
      <QuestionCard />
      {isNarrow ? <Narrow /> : <Wide />}
    </>
  );
}

function Wide(): ReactNode {
  return <Split name="run" direction="row" first={<Picture />} second={<RunTabs />} />;
}

function Picture(): ReactNode {
  return <Split name="picture" direction="column" first={<Graph />} second={<Times />} />;
}

function Graph(): ReactNode {
  const panel = useGraphPanel();
  if (panel === null) return <p className="p-4 text-muted">Drawing …</p>;
  return <FaultBoundary name="The graph">{createElement(panel)}</FaultBoundary>;
}

function Times(): ReactNode {
  return (
    <FaultBoundary name="The time line">
      <Timeline />
    </FaultBoundary>
  );
}

/** With little room, the requested part of the run comes first; the picture above it can be unfolded. */
function Narrow(): ReactNode {
  const [{ tab }] = useSelection();
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = chosen ?? (tab === undefined || tab === 'step');
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <div className="flex flex-col">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setChosen(!isOpen)}
        className="flex h-9 shrink-0 items-center gap-1.5 border-b border-line bg-surface px-4 text-left text-muted"
      >
        <Chevron size={14} aria-hidden /> Workflow and timeline
      </button>
      {isOpen && (
        <>
          <div className="flex max-h-[60vh] min-h-48 flex-col border-b border-line">
            <Graph />
          </div>
          <div className="flex max-h-[50vh] min-h-32 flex-col border-b border-line">
            <Times />
          </div>
        </>
      )}
      <div className="flex h-[85dvh] flex-col">
        <RunTabs />
      </div>
    </div>
  );
}

/** The page of one run. All it shows is a fold of the run's records, read and followed here once. */
export function RunScreen(): ReactNode {
  const { run } = useParams({ from: '/runs/$run' });
  return <OpenRun key={run} run={run} />;
}

function OpenRun({ run }: { readonly run: string }): ReactNode {
  const [store] = useState(() => new RunStore(run, runSource));
  const queries = useQueryClient();
  usePrefetchQuery(firstPicture(store));
  useEffect(() => {
    void loadGraph();
    const close = store.open();
    return () => {
      close();
      // Else the query would wait for this store for ever, also for the next visit of the page.
      void queries.cancelQueries({ queryKey: firstPicture(store).queryKey });
    };
  }, [store, queries]);
  return (
    <RunStoreContext value={store}>
      <RunFrame />
    </RunStoreContext>
  );
}
