import { useNavigate } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Action } from '../../../src/protocol/web/action.ts';
import { roleProblem } from '../../../src/protocol/operations/access.ts';
import { Button } from '../../ui/controls.tsx';
import { useAct } from '../../ui/use-act.ts';
import { useRole } from '../../ui/use-role.ts';
import { newRunIn } from '../steering/answers.ts';

/** The retry is a new run: this one stays as it is. */
export function RetryButton({ action }: { readonly action: Extract<Action, { readonly kind: 'fork' }> }): ReactNode {
  const act = useAct();
  const role = useRole();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const retry = async (): Promise<void> => {
    setBusy(true);
    try {
      const run = newRunIn(await act(action));
      if (run !== null) await navigate({ to: '/runs/$run', params: { run } });
    } catch {
      // The refusal is shown by `act`.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      kind="primary"
      isBusy={isBusy}
      disabledReason={roleProblem(role, 'fork', action)}
      onClick={() => void retry()}
    >
      <RotateCcw size={14} aria-hidden /> Retry
    </Button>
  );
}
