import { Archive } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { counted } from '../../src/protocol/amounts.ts';
import { roleProblem } from '../../src/protocol/operations/access.ts';
import type { RunCard } from '../../src/protocol/web/run-card.ts';
import { IconButton } from '../ui/controls.tsx';
import { toast } from '../ui/toasts.tsx';
import { useAct } from '../ui/use-act.ts';
import { useRole } from '../ui/use-role.ts';

/** Takes the runs of a column off the board; each can be taken out of the archive again. */
export function ArchiveAll({ cards }: { readonly cards: readonly RunCard[] }): ReactNode {
  const act = useAct();
  const role = useRole();
  const [isBusy, setBusy] = useState(false);
  const open = cards.filter(({ isArchived }) => isArchived !== true);
  const archive = async (): Promise<void> => {
    setBusy(true);
    try {
      for (const { run } of open) await act({ kind: 'archive', run });
      toast({ tone: 'ok', title: `${counted(open.length, 'run')} archived. "Archived" above shows them.` });
    } catch {
      // `act` has shown the error; the others stay where they are.
    } finally {
      setBusy(false);
    }
  };
  if (open.length === 0) return null;
  return (
    <IconButton
      label={`Archive all ${open.length}`}
      className="ml-auto"
      disabledReason={isBusy ? 'They are being archived.' : roleProblem(role, 'archive')}
      onClick={() => void archive()}
    >
      <Archive size={14} aria-hidden />
    </IconButton>
  );
}
