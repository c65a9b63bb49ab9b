import { Archive } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { counted } from '../../src/protocol/amounts.ts';
import { roleProblem } from '../../src/protocol/operations/access.ts';
import type { RunCard } from '../../src/protocol/web/run-card.ts';
import { archiveEach } from './archive-each.ts';
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
    const done = await archiveEach(open, (run) => act({ kind: 'archive', run }));
    if (done > 0) toast({ tone: 'ok', title: `${counted(done, 'run')} archived. "Archived" above shows them.` });
    setBusy(false);
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
