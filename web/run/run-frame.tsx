import { ChevronDown, ChevronRight } from 'lucide-react';
import { createElement, useState, type ReactNode } from 'react';
import { useSelection } from '../model/selection.ts';
import { useRunStore, useTree } from '../model/use-run.ts';
import { FaultBoundary } from '../ui/fault-boundary.tsx';
import { useIsNarrow } from '../ui/use-media.ts';
import { useGraphPanel } from './graph/load-graph.ts';
import { QuestionCard } from './questions/question-card.tsx';
import { RunHalted } from './run-halted.tsx';
import { RunHeader } from './run-header.tsx';
import { RunOutcome } from './run-outcome.tsx';
import { RunTabs } from './run-tabs.tsx';
import { RunTrouble } from './run-trouble.tsx';
import { Split } from './split.tsx';
import { Timeline } from './timeline/timeline.tsx';
import { useDriven } from './use-run-card.ts';
import { TotalsStrip } from './totals/totals-strip.tsx';

/** Graph and time line on one side, what is selected on the other; one below the other where it is narrow. */
export function RunFrame(): ReactNode {
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

/** Where there is little room, whoever asked for a part of the run sees it first; the picture above it can be unfolded. */
function Narrow(): ReactNode {
  const [{ tab }] = useSelection();
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = chosen ?? tab === undefined;
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
