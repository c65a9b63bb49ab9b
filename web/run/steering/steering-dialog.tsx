import type { SteeringDialogProps } from './dialog-props.ts';
import type { ReactNode } from 'react';
import type { SteeringKind, SteeringReasons } from '../../model/steering-reasons.ts';
import { ForkDialog } from './fork-dialog.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import { ArchiveDialog, CancelDialog, DiscardDialog, PauseDialog, ResumeDialog } from './resume-dialog.tsx';
import { RollbackDialog } from './rollback-dialog.tsx';

const DIALOGS: Readonly<Record<SteeringKind, (props: SteeringDialogProps) => ReactNode>> = {
  pause: PauseDialog,
  resume: ResumeDialog,
  cancel: CancelDialog,
  fork: ForkDialog,
  deliver: MergeDialog,
  discard: DiscardDialog,
  archive: ArchiveDialog,
  rollback: RollbackDialog,
};

interface Props {
  readonly dialog: string;
  readonly reasons: SteeringReasons;
}

/** The dialog that the address names; nothing for any other word. */
export function SteeringDialog({ dialog, reasons }: Props): ReactNode {
  if (!isKind(dialog)) return null;
  const Shown = DIALOGS[dialog];
  return <Shown reason={reasons[dialog]} />;
}

const isKind = (word: string): word is SteeringKind => Object.hasOwn(DIALOGS, word);
