import { requestBody } from '../../actors/model/request-body.ts';
import type { ModelConfig } from '../../actors/model/model-config.ts';
import { promptText, systemText } from '../../actors/clients/prompt-text.ts';
import type { ModelWindow } from '../../core/model-window.ts';
import { BYTES_A_TOKEN } from '../../tools/bound-result.ts';
import { toolsOfRun } from '../../host/embedded/run-tools.ts';
import { sharedTextOf } from '../../host/embedded/shared-texts.ts';
import { callRequest, type BuiltRequest } from '../../host/perform/call-actor.ts';
import { clientBody, clientTokens, type ClientRequest } from '../../host/perform/client-request.ts';
import { unheard } from '../../host/perform/unheard.ts';
import { summaryRequest } from '../../host/perform/windows/call-model.ts';
import { bytesOf, roomIn, sharedIn, sizeOfRequest, summaryTokens } from '../../host/perform/windows/request-size.ts';
import { actorName, chooseActor, isClient, type ActorChoice } from '../config/choose-actor.ts';
import { modelFor, type ActorSource } from '../world/actors.ts';
import { readScenario } from '../world/scripted-model.ts';
import type { TracedBody, TracePlace } from './traced-body.ts';
import type { TracedCall } from './traced-calls.ts';

/** The request of a call whose text the journal does not hold, built again by the code that sends it: with today's wording and settings. */
export async function rebuildBody(call: TracedCall, place: TracePlace): Promise<TracedBody> {
  const { run, definition, snapshot, effect } = call;
  const { actors, journal } = place;
  const tools = await toolsOfRun({ journal, tools: place.world.tools }, snapshot.tools);
  const world = { ...place.world, tools };
  const shared = await sharedTextOf(journal, call.root);
  const about = { run, definition, snapshot, world };
  const requestIn = (window: ModelWindow | null): BuiltRequest =>
    callRequest({ ...about, shared: sharedIn(shared, window ?? undefined, snapshot) }, effect);
  const built = requestIn(null);
  const { agent, role } = built.speaker;
  const choice = chooseActor(agent.actor ?? role.actor, actors.config);
  if (isClient(choice)) {
    const model = actorName(choice);
    const { request, ...ofClient } = callRequest({ ...about, shared, isClient: true }, effect);
    const body = clientBody({ model, world, ...promptOf(call, { request, ...ofClient }) });
    const tokens = clientTokens(body);
    const ofBody = { text: JSON.stringify(body), body, tokens, window: null, isRecorded: false, isScripted: false };
    return { actor: 'client', provider: null, model, request, tools, ...ofBody };
  }
  const { config, isMeasured, isScripted } = await configOf(call, built, { choice, actors });
  let sent: SentRequest = { request: built.request, tokens: 0, window: null };
  const { body } = await requestBody(config, (known) => {
    const window = isMeasured ? known : null;
    sent = sentRequest(call, requestIn(window), window);
    return sent.request;
  });
  const { provider, model } = config;
  const text = JSON.stringify(body);
  return { actor: 'model', provider, model, text, body, tools, ...sent, isRecorded: false, isScripted };
}

type SentRequest = Pick<TracedBody, 'request' | 'tokens' | 'window'>;

/** The request itself, or the one for a summary where the conversation would not have fitted, with its size. */
function sentRequest(
  { snapshot, answered }: TracedCall,
  { speaker, request }: BuiltRequest,
  window: ModelWindow | null,
): SentRequest {
  const { summary } = speaker.turn;
  if (window === null) return { request, tokens: Math.ceil(bytesOf({ request }) / BYTES_A_TOKEN), window };
  // The answer to this request may have named the window.
  const named = answered?.fact.kind === 'call.failed' ? answered.fact.size?.window : undefined;
  const known = named ?? roomIn(window, snapshot).window;
  const measured = { window, request, speaker, snapshot };
  const asked = summary === undefined ? null : summaryRequest(measured, summary);
  if (asked === null) return { request, tokens: sizeOfRequest(measured).tokens, window: known };
  return { request: asked.request, tokens: summaryTokens(measured, asked.request), window: known };
}

/** Nothing is sent, so a model that is scripted here, or no longer configured, is shown as an endpoint would get it. */
const ANY_ENDPOINT = { provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1' } as const;

async function configOf(
  { answered }: TracedCall,
  { speaker }: BuiltRequest,
  { choice, actors }: { readonly choice: ActorChoice; readonly actors: ActorSource },
): Promise<TracedConfig> {
  const spoke = answered?.fact.kind === 'call.answered' ? answered.fact.model : speaker.role.level;
  let isScripted = choice.kind === 'scripted';
  try {
    const { name, choice: model } = modelFor(speaker.role, choice, actors);
    isScripted = model.kind === 'scripted';
    if (model.kind !== 'scripted')
      return { config: { ...model.config, apiKey: 'none', headers: {} }, isMeasured: true, isScripted };
    const own = model.model ?? name;
    const { window } = await readScenario(model.scenario);
    const config = { ...ANY_ENDPOINT, name: own, model: own, ...(window === undefined ? {} : { window }) };
    return { config, isMeasured: window !== undefined, isScripted };
  } catch {
    return { config: { ...ANY_ENDPOINT, name: spoke, model: spoke }, isMeasured: false, isScripted };
  }
}

interface TracedConfig {
  readonly config: ModelConfig;
  /** Its window is known, so the engine measured its requests. */
  readonly isMeasured: boolean;
  readonly isScripted: boolean;
}

function promptOf(call: TracedCall, { speaker, request }: BuiltRequest): Omit<ClientRequest, 'model' | 'world'> {
  const { snapshot, effect, records } = call;
  const noted = records.findLast(({ fact }) => fact.kind === 'session.noted' && fact.task === effect.task)?.fact;
  const { how, session } = noted?.kind === 'session.noted' ? noted : { how: 'new' as const, session: '' };
  const seen = how === 'new' ? 0 : (snapshot.sessions[speaker.agent.name]?.seen ?? 0);
  const order = how === 'resumed' ? { how, id: session } : ({ how: 'new', id: session } as const);
  const told = unheard({ snapshot, isRepeat: false }, speaker, { order, seen, isAgain: effect.attempt > 1 });
  return { session: how, speaker, system: systemText(request), prompt: promptText(told) };
}
