import type { Json } from '../../src/core/json.ts';
import type { Action } from '../../src/protocol/web/action.ts';
import { api, runPath } from './client.ts';

/** An action by its route. The body is the action itself, without what the route says. */
export function performAction(action: Action): Promise<Json> {
  const { path, body } = actionRequest(action);
  return api.post<Json>(path, body);
}

export function actionRequest(action: Action): { readonly path: string; readonly body: object } {
  if (action.kind === 'start') {
    const { kind: _, ...body } = action;
    return { path: '/api/runs', body };
  }
  const { kind, run, ...body } = action;
  return { path: runPath(run, `/${kind}`), body };
}
