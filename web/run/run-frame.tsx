import type { ReactNode } from 'react';
import { useTree } from '../model/use-run.ts';
import { FaultBoundary } from '../ui/fault-boundary.tsx';
import { useIsNarrow } from '../ui/use-media.ts';
import { useGraphPanel } from './graph/load-graph.ts';
import { QuestionCard } from './questions/question-card.tsx';
import { RunHeader } from './run-header.tsx';
import { RunTabs } from './run-tabs.tsx';
import { RunTrouble } from './run-trouble.tsx';
import { Split } from './split.tsx';
import { Timeline } from './timeline/timeline.tsx';
import { TotalsStrip } from './totals/totals-strip.tsx';

/** Graph and time line on one side, what is selected on the other; one below the other where it is narrow. */
export function RunFrame(): ReactNode {
  const isNarrow = useIsNarrow();
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
  const GraphPanel = useGraphPanel();
  if (GraphPanel === null) return <p className="p-4 text-muted">Drawing …</p>;
  return (
    <FaultBoundary name="The graph">
      <GraphPanel />
    </FaultBoundary>
  );
}

function Times(): ReactNode {
  return (
    <FaultBoundary name="The time line">
      <Timeline />
    </FaultBoundary>
  );
}

function Narrow(): ReactNode {
  return (
    <div className="flex flex-col">
      <div className="flex max-h-[60vh] min-h-48 flex-col border-b border-line">
        <Graph />
      </div>
      <div className="flex max-h-[50vh] min-h-32 flex-col border-b border-line">
        <Times />
      </div>
      <div className="flex h-[85dvh] flex-col">
        <RunTabs />
      </div>
    </div>
  );
}
