import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Json } from '../../src/core/model/json.ts';
import type { Action } from '../../src/protocol/web/action.ts';
import { ApiProblem, performAction } from '../api/client.ts';
import { toast } from './toasts.tsx';

/** Performs an action and reloads what it may have changed. Errors are shown, and thrown to the caller. */
export function useAct(): (action: Action) => Promise<Json> {
  const queries = useQueryClient();
  return useCallback(
    async (action) => {
      try {
        return await performAction(action);
      } catch (error) {
        toast(asToast(error));
        throw error;
      } finally {
        void queries.invalidateQueries();
      }
    },
    [queries],
  );
}

function asToast(error: unknown): Parameters<typeof toast>[0] {
  if (!(error instanceof ApiProblem)) return { tone: 'bad', title: String(error) };
  const { message, code, hint } = error;
  return { tone: 'bad', title: message, code, ...(hint === undefined ? {} : { hint }) };
}
