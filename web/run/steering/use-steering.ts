import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Json } from '../../../src/core/json.ts';
import type { Action } from '../../../src/protocol/web/action.ts';
import { ApiProblem } from '../../api/api-problem.ts';
import { performAction } from '../../api/perform.ts';
import { useSelection } from '../../model/selection.ts';

export type SteeringState =
  | { readonly kind: 'open' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'done'; readonly answer: Json }
  /** What the command says against it, in the dialog where it can be mended. */
  | { readonly kind: 'refused'; readonly message: string; readonly hint: string; readonly code: string };

export interface Steering {
  readonly state: SteeringState;
  readonly act: (action: Action) => Promise<void>;
  /** Back to the form, with what was written in it. */
  readonly again: () => void;
}

/** Does what a dialog is for, once, and keeps what came of it. */
export function useSteering(): Steering {
  const queries = useQueryClient();
  const [state, setState] = useState<SteeringState>({ kind: 'open' });
  const act = async (action: Action): Promise<void> => {
    setState({ kind: 'busy' });
    try {
      setState({ kind: 'done', answer: await performAction(action) });
    } catch (error) {
      setState(refusal(error));
    }
    void queries.invalidateQueries();
  };
  return { state, act, again: () => setState({ kind: 'open' }) };
}

function refusal(error: unknown): SteeringState {
  if (error instanceof ApiProblem)
    return { kind: 'refused', message: error.message, hint: error.hint ?? '', code: error.code };
  return { kind: 'refused', message: String(error), hint: '', code: '' };
}

/** Dialogs stand in the address, so that a link opens them. */
export function useCloseDialog(): () => void {
  const [, select] = useSelection();
  return () => select({ dialog: undefined });
}
