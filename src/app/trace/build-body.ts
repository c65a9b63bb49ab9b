import { parseObject, stringIn as textIn } from '../../actors/clients/read-json.ts';
import { toolsOfRun } from '../../host/embedded/run-tools.ts';
import { callRequest } from '../../host/perform/call-actor.ts';
import { rebuildBody } from './rebuild-body.ts';
import type { TracedBody, TracePlace } from './traced-body.ts';
import type { TracedCall } from './traced-calls.ts';

/** The request of a call as it left, where the journal holds it. */
export const buildBody = async (call: TracedCall, place: TracePlace): Promise<TracedBody> =>
  (await recordedBody(call, place)) ?? (await rebuildBody(call, place));

async function recordedBody(call: TracedCall, place: TracePlace): Promise<TracedBody | null> {
  const { run, definition, snapshot, effect, answered } = call;
  const recorded = await readSent(call);
  if (recorded === null) return null;
  const { sent, text, body } = recorded;
  const { world, journal } = place;
  const tools = await toolsOfRun({ journal, tools: world.tools }, snapshot.tools);
  const { request } = callRequest({ run, definition, snapshot, world: { ...world, tools }, shared: '' }, effect);
  // The answer to this request may have named the window.
  const named = answered?.fact.kind === 'call.failed' ? answered.fact.size?.window : undefined;
  return {
    actor: sent.provider === null ? 'client' : 'model',
    provider: sent.provider as TracedBody['provider'],
    model: textIn(body['model']),
    request,
    text,
    body,
    tools,
    tokens: sent.tokens,
    window: named ?? sent.window,
    isRecorded: true,
    isScripted: false,
  };
}

/** Text that is no request is none that left. */
async function readSent({ answered, requests }: TracedCall) {
  const sent = answered?.fact.sent;
  const text = sent === undefined ? null : await requests.read(sent);
  const body = text === null ? null : parseObject(text);
  return sent === undefined || text === null || body === null ? null : { sent, text, body };
}
