import type { JsonObject } from '../../core/model/json.ts';
import type { ModelWindow } from '../../core/model/model-window.ts';
import type { CallRequest } from '../port.ts';
import { createModelActor } from './model-actor.ts';
import type { Fetch } from './wire.ts';
import type { ModelConfig } from './model-config.ts';

export interface BuiltBody {
  readonly body: JsonObject;
  readonly request: CallRequest;
  readonly window: ModelWindow | null;
}

/** The body of the request that a call sends, made by the code that sends it; nothing leaves this process. */
export async function requestBody(
  config: ModelConfig,
  requestFor: (window: ModelWindow | null) => CallRequest,
): Promise<BuiltBody> {
  let body: JsonObject | null = null;
  const keep: Fetch = (_, init) => {
    if (typeof init?.body === 'string') body = JSON.parse(init.body) as JsonObject;
    return Promise.reject(new Error('Only looked at.'));
  };
  const actor = createModelActor(config, keep);
  const window = actor.window ?? null;
  const request = requestFor(window);
  await actor.call(request, { signal: new AbortController().signal });
  return { body: body ?? {}, request, window };
}
