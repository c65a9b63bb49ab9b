import { stringIn as textIn } from '../../actors/read-json.ts';
import { toolsOfRun } from '../../host/embedded/run-tools.ts';
import { type BuiltRequest, callRequest } from '../../host/perform/turn/call-actor.ts';
import type { TracedCall } from './traced-calls.ts';
import { requestBody } from '../../actors/model/request-body.ts';
import type { ModelConfig } from '../../actors/model/model-config.ts';
import { promptText, systemText } from '../../actors/clients/prompt-text.ts';
import type { ModelWindow } from '../../core/model/model-window.ts';
import { BYTES_A_TOKEN } from '../../tools/bound-result.ts';
import { sharedTextOf } from '../../host/embedded/shared-texts.ts';
import { clientBody, type ClientRequest, clientTokens } from '../../host/perform/turn/client-request.ts';
import { unheard } from '../../host/perform/turn/unheard.ts';
import { summaryRequest } from '../../host/perform/windows/call-model.ts';
import { bytesOf, roomIn, sharedIn, sizeOfRequest, summaryTokens } from '../../host/perform/windows/request-size.ts';
import { type ActorChoice, actorName, chooseActor, isClient } from '../config/choose-actor.ts';
import { type ActorSource, modelFor } from '../world/actors.ts';
import { readScenario } from '../world/scripted-model.ts';
import type { CallRequest } from '../../actors/port.ts';
import { type JsonObject, parseObject } from '../../core/model/json.ts';
import type { World } from '../../host/world.ts';
import type { Journal } from '../../journal/port.ts';
import type { Tool } from '../../tools/port.ts';

/** Inputs of requests that the journal does not hold. */
export interface TracePlace {
  readonly world: Pick<World, 'tools' | 'services'>;
  readonly actors: ActorSource;
  readonly journal: Pick<Journal, 'getBody'>;
}

/** The body for a model; the system prompt, the prompt and the tools of its desk for a client. */
export interface TracedBody {
  readonly actor: 'model' | 'client';
  readonly provider: ModelConfig['provider'] | null;
  readonly model: string;
  /** The request it was made from. */
  readonly request: CallRequest;
  /** All of it, as it goes over the wire; and the same read. */
  readonly text: string;
  readonly body: JsonObject;
  /** The tools of the run, with those that it does not offer this agent. */
  readonly tools: readonly Tool[];
  /** Estimated as before it left. */
  readonly tokens: number;
  /** Tokens that the model takes, by what was known then; null for a client. */
  readonly window: number | null;
  /** It is what left, byte for byte; else it is what would leave today. */
  readonly isRecorded: boolean;
  /** It is not recorded, and the settings have a script for its model: nothing leaves. */
  readonly isScripted: boolean;
}

/** The request of a call whose text the journal does not hold, built again by the code that sends it: with today's wording and settings. */
async function rebuildBody(call: TracedCall, place: TracePlace): Promise<TracedBody> {
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
  const messages = unheard({ snapshot, isRepeat: false }, speaker, { order, seen, isAgain: effect.attempt > 1 });
  return { session: how, speaker, system: systemText(request), prompt: promptText(messages) };
}

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
