import { Archive, CirclePause, CirclePlay, CircleX, Ellipsis, GitFork, GitMerge, Trash2, Undo2 } from 'lucide-react';
import { lazy, Suspense, type ReactNode } from 'react';
import { useSelection } from '../../model/selection.ts';
import {
  isSameReasons,
  steeredOf,
  steeringReasons,
  type SteeringKind,
  type SteeringReasons,
} from '../../model/steering-reasons.ts';
import { useTree } from '../../model/use-run.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useShortcut } from '../../ui/use-shortcut.ts';
import { useRunCard } from '../use-run-card.ts';
import { RunLineage } from './lineage.tsx';

const SteeringDialog = lazy(async () => ({ default: (await import('./steering-dialog.tsx')).SteeringDialog }));

/** All that can be done to a run. What cannot be done now stays where it is and says why. */
export function SteeringBar(): ReactNode {
  const [{ dialog }, select] = useSelection();
  const reasons = useReasons();
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
      {dialog !== undefined && (
        <Suspense fallback={null}>
          <SteeringDialog key={dialog} dialog={dialog} reasons={reasons} />
        </Suspense>
      )}
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
          label: 'Discard the result',
          icon: <Trash2 size={14} aria-hidden />,
          disabledReason: reasons.discard,
          onSelect: () => onOpen('discard'),
        },
        {
          label: 'Archive',
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
  return useTree((tree) => {
    const steered = steeredOf(tree);
    return steered === null ? null : steeringReasons(steered, listed);
  }, isSameReasons);
}
