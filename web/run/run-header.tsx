import { Link } from '@tanstack/react-router';
import { ChevronRight, Link2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { runName } from '../model/run-history.ts';
import { useSelection } from '../model/selection.ts';
import { useTree } from '../model/use-run.ts';
import { titleWords, usePageTitle } from '../shell/page-title.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { FaultBoundary } from '../ui/boxes.tsx';
import { StatusMark } from '../ui/marks.tsx';
import { visibleText } from '../ui/text.tsx';
import { runStatusText, runTitleText } from './run-words.ts';
import { SteeringBar } from './steering/steering-bar.tsx';
import { useRunCard } from './use-run-card.ts';

export function RunHeader(): ReactNode {
  const root = useTree((tree) => tree.root);
  const card = useRunCard();
  const title = useTree((tree) => runTitleText(tree, card));
  const workflow = useTree((tree) => tree.runs.get(tree.root)?.snapshot.workflow ?? '');
  const status = useTree(runStatusText);
  usePageTitle(titleWords(title, status));
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-4 py-1.5">
      <div className="flex min-w-0 flex-1 basis-72 items-center gap-2">
        <StatusMark status={status} isShort />
        <h1 className="truncate text-lg font-semibold" title={root}>
          {visibleText(title)}
        </h1>
        <Link
          to="/workflows/$name"
          params={{ name: workflow }}
          className="shrink-0 text-muted max-md:hidden hover:text-text hover:underline"
        >
          {visibleText(workflow)}
        </Link>
        <Below />
        <CopyButton
          label="Copy a link to what is shown"
          text={() => location.href}
          icon={<Link2 size={14} aria-hidden />}
        />
      </div>
      <FaultBoundary name="The steering">
        <SteeringBar />
      </FaultBoundary>
    </div>
  );
}

/** The run below that is looked at, with the way back. */
function Below(): ReactNode {
  const [{ run }, select] = useSelection();
  const name = useTree((tree) => (run === undefined ? '' : runName(tree, run)));
  if (name === '') return null;
  return (
    <span className="flex min-w-0 items-center gap-1 text-muted">
      <ChevronRight size={14} aria-hidden />
      <span className="truncate text-sm">{visibleText(name)}</span>
      <button type="button" className="text-accent underline" onClick={() => select({ run: undefined })}>
        whole run
      </button>
    </span>
  );
}
