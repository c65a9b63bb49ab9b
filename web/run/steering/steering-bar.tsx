import { Archive, CirclePause, CirclePlay, CircleX, Ellipsis, GitFork, GitMerge, Trash2, Undo2 } from 'lucide-react';
import { createElement, type ReactNode, useEffect, useState } from 'react';
import { useSelection } from '../../model/selection.ts';
import {
  isSameReasons,
  allowedReasons,
  steeredOf,
  type SteeringKind,
  steeringReasons,
  type SteeringReasons,
} from '../../model/steering-reasons.ts';
import { useTree } from '../../model/use-run.ts';
import { Button, IconButton } from '../../ui/controls.tsx';
import { Menu } from '../../ui/boxes.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { useRole } from '../../ui/use-role.ts';
import { useRunCard, useRunView } from '../use-run-card.ts';
import { Link } from '@tanstack/react-router';
import { useSteeringDialog } from './use-steering-dialog.ts';
import { forkedAt } from '../../model/fork-points.ts';
import { visibleText } from '../../ui/text.tsx';

/** Where a run comes from, and what came of it: forks know their origin, and it knows them. */
function RunLineage(): ReactNode {
  const forks = useRunView(useLater())?.forks ?? [];
  return (
    <>
      <ForkedFrom />
      {forks.length > 0 && (
        <span className="flex min-w-0 flex-wrap items-center gap-1 text-sm text-muted max-md:basis-full">
          {forks.length === 1 ? 'fork' : 'forks'}
          {forks.slice(0, 4).map((run) => (
            <Link key={run} to="/runs/$run" params={{ run }} className="font-mono text-accent underline">
              {visibleText(run)}
            </Link>
          ))}
          {forks.length > 4 && <span>and {forks.length - 4} more</span>}
        </span>
      )}
    </>
  );
}

/** To find the forks the server looks at every run, while there is a picture to be laid out and drawn. */
function useLater(): boolean {
  const isLoaded = useTree((tree) => tree.isLoaded);
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = isLoaded ? setTimeout(() => setLater(true), LATER_MS) : undefined;
    return () => clearTimeout(timer);
  }, [isLoaded]);
  return isLater;
}

const LATER_MS = 1500;

function ForkedFrom(): ReactNode {
  const from = useTree((tree) => tree.runs.get(tree.root)?.snapshot.forkedFrom ?? null);
  const step = useTree(
    (tree) => {
      const root = tree.runs.get(tree.root);
      return root === undefined ? null : forkedAt(root);
    },
    (a, b) => a?.at === b?.at,
  );
  if (from === null) return null;
  const search = step === null ? {} : { state: step.visit.state, visit: step.visit.visit };
  return (
    <span className="flex min-w-0 items-center gap-1 text-sm text-muted max-md:basis-full">
      <GitFork size={13} aria-hidden />
      <span className="md:max-lg:sr-only">forked from</span>
      <Link to="/runs/$run" params={{ run: from.run }} search={search} className="font-mono text-accent underline">
        {visibleText(from.run)}
      </Link>
      <span className="truncate">at {step === null ? `record ${from.seq}` : visibleText(step.name)}</span>
    </span>
  );
}

/** All that can be done to a run. What cannot be done now stays where it is and says why. */
export function SteeringBar(): ReactNode {
  const [{ dialog }, select] = useSelection();
  const reasons = useReasons();
  const dialogs = useSteeringDialog(dialog !== undefined, () => select({ dialog: undefined }));
  const open = (kind: SteeringKind): void => select({ dialog: kind });
  useShortcut('f', 'Fork from the selected step', reasons?.fork === null ? () => open('fork') : null);
  useShortcut(
    'p',
    'Pause or resume',
    reasons === null ? null : () => open(reasons.pause === null ? 'pause' : 'resume'),
  );
  useShortcut('m', 'Deliver the result', reasons?.deliver === null ? () => open('deliver') : null);
  if (reasons === null) return null;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-1.5" role="group" aria-label="Steering">
      <RunLineage />
      <PauseOrResume reasons={reasons} onOpen={open} />
      <Button disabledReason={reasons.fork} onClick={() => open('fork')}>
        <GitFork size={14} aria-hidden /> Fork
      </Button>
      <Button disabledReason={reasons.deliver} onClick={() => open('deliver')}>
        <GitMerge size={14} aria-hidden /> Deliver
      </Button>
      <More reasons={reasons} onOpen={open} />
      {dialog !== undefined && dialogs !== null && createElement(dialogs, { key: dialog, dialog, reasons })}
    </div>
  );
}

interface Props {
  readonly reasons: SteeringReasons;
  readonly onOpen: (kind: SteeringKind) => void;
}

function PauseOrResume({ reasons, onOpen }: Props): ReactNode {
  if (reasons.pause === null)
    return (
      <Button onClick={() => onOpen('pause')}>
        <CirclePause size={14} aria-hidden /> Pause
      </Button>
    );
  return (
    <Button disabledReason={reasons.resume} onClick={() => onOpen('resume')}>
      <CirclePlay size={14} aria-hidden /> Resume
    </Button>
  );
}

function More({ reasons, onOpen }: Props): ReactNode {
  const isDiscarded = useTree((tree) => tree.runs.get(tree.root)?.snapshot.discardedBy !== null);
  const isArchived = useTree((tree) => tree.runs.get(tree.root)?.snapshot.archivedBy !== null);
  return (
    <Menu
      trigger={
        <IconButton label="More to do with this run">
          <Ellipsis size={15} aria-hidden />
        </IconButton>
      }
      items={[
        {
          label: 'Roll back',
          icon: <Undo2 size={14} aria-hidden />,
          disabledReason: reasons.rollback,
          onSelect: () => onOpen('rollback'),
        },
        {
          label: isDiscarded ? 'Keep the result after all' : 'Discard the result',
          icon: <Trash2 size={14} aria-hidden />,
          disabledReason: reasons.discard,
          onSelect: () => onOpen('discard'),
        },
        {
          label: isArchived ? 'Take out of the archive' : 'Archive',
          icon: <Archive size={14} aria-hidden />,
          disabledReason: reasons.archive,
          onSelect: () => onOpen('archive'),
        },
        {
          label: 'Cancel the run',
          icon: <CircleX size={14} aria-hidden />,
          isDanger: true,
          disabledReason: reasons.cancel,
          onSelect: () => onOpen('cancel'),
        },
      ]}
    />
  );
}

function useReasons(): SteeringReasons | null {
  const listed = useRunCard()?.result;
  const role = useRole();
  return useTree((tree) => {
    const steered = steeredOf(tree);
    return steered === null ? null : allowedReasons(steeringReasons(steered, listed), role);
  }, isSameReasons);
}
