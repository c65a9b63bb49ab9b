import { requestBody } from '../../actors/model/request-body.ts';
import type { ModelConfig } from '../../actors/model/model-config.ts';
import { promptText, systemText } from '../../actors/clients/prompt-text.ts';
import type { CallRequest } from '../../actors/port.ts';
import type { JsonObject } from '../../core/json.ts';
import type { ModelWindow } from '../../core/model-window.ts';
import { toolsOfRun } from '../../host/embedded/run-tools.ts';
import { sharedTextOf } from '../../host/embedded/shared-texts.ts';
import { requestOf, type BuiltRequest } from '../../host/perform/call-actor.ts';
import { deskTools } from '../../host/perform/desk-tools.ts';
import { unheard } from '../../host/perform/unheard.ts';
import { summaryRequest } from '../../host/perform/windows/call-model.ts';
import { sharedIn } from '../../host/perform/windows/request-size.ts';
import type { World } from '../../host/port.ts';
import type { Journal } from '../../journal/port.ts';
import { actorName, chooseActor, isClient, type ActorChoice } from '../config/choose-actor.ts';
import { modelFor, type ActorSource } from '../session/actors.ts';
import type { TracedCall } from './traced-calls.ts';

/** What requests are built with, besides the journal. */
export interface TracePlace {
  readonly world: Pick<World, 'tools' | 'services'>;
  readonly actors: ActorSource;
  readonly journal: Pick<Journal, 'getBody'>;
}

export interface TracedBody {
  readonly actor: 'model' | 'client';
  readonly provider: ModelConfig['provider'] | null;
  readonly model: string;
  readonly request: CallRequest;
  readonly body: JsonObject;
  /** Tokens that the model takes; null for a client. */
  readonly window: number | null;
}

/** The request of a call as it left: the body for a model, the system prompt and the prompt for a client. */
export async function buildBody(call: TracedCall, place: TracePlace): Promise<TracedBody> {
  const { run, definition, snapshot, effect } = call;
  const { actors, journal } = place;
  const tools = await toolsOfRun({ journal, tools: place.world.tools }, snapshot.tools);
  const world = { ...place.world, tools };
  const shared = await sharedTextOf(journal, call.root);
  const about = { run, definition, snapshot, world };
  const requestIn = (window: ModelWindow | null): BuiltRequest =>
    requestOf({ ...about, shared: sharedIn(shared, window ?? undefined, snapshot) }, effect);
  const built = requestIn(null);
  const { agent, role } = built.speaker;
  const choice = chooseActor(agent.actor ?? role.actor, actors.config);
  if (isClient(choice)) {
    const model = actorName(choice);
    const ofClient = requestOf({ ...about, shared, isClient: true }, effect);
    return {
      actor: 'client',
      provider: null,
      model,
      request: ofClient.request,
      body: clientBody(call, ofClient, { model, world }),
      window: null,
    };
  }
  const config = configOf(call, built, { choice, actors });
  const { body, request, window } = await requestBody(config, (known) => sentRequest(call, requestIn(known), known));
  const { provider, model } = config;
  return { actor: 'model', provider, model, request, body, window: window?.tokens ?? null };
}

/** The request itself, or the one for a summary where the conversation would not have fitted. */
function sentRequest(
  { snapshot }: TracedCall,
  { speaker, request }: BuiltRequest,
  window: ModelWindow | null,
): CallRequest {
  const { summary } = speaker.turn;
  if (summary === undefined || window === null) return request;
  return summaryRequest({ window, request, speaker, snapshot }, summary)?.request ?? request;
}

/** Nothing is sent, so a model that is scripted here, or no longer configured, is shown as an endpoint would get it. */
const ANY_ENDPOINT = { provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1' } as const;

function configOf(
  { answered }: TracedCall,
  { speaker }: BuiltRequest,
  { choice, actors }: { readonly choice: ActorChoice; readonly actors: ActorSource },
): ModelConfig {
  const spoke = answered?.fact.kind === 'call.answered' ? answered.fact.model : speaker.role.level;
  try {
    const { name, choice: model } = modelFor(speaker.role, choice, actors);
    if (model.kind === 'scripted') return { ...ANY_ENDPOINT, name, model: model.model ?? name };
    return { ...model.config, apiKey: 'none', headers: {} };
  } catch {
    return { ...ANY_ENDPOINT, name: spoke, model: spoke };
  }
}

/** In the shape of a body: what the program got as its system prompt, as its prompt, and the tools of its desk. */
function clientBody(
  call: TracedCall,
  { speaker, request }: BuiltRequest,
  { model, world }: { readonly model: string; readonly world: TracePlace['world'] },
): JsonObject {
  const { snapshot, effect, records } = call;
  const noted = records.findLast(({ fact }) => fact.kind === 'session.noted' && fact.task === effect.task)?.fact;
  const { how, session } = noted?.kind === 'session.noted' ? noted : { how: 'new' as const, session: '' };
  const seen = how === 'new' ? 0 : (snapshot.sessions[speaker.agent.name]?.seen ?? 0);
  const order = how === 'resumed' ? { how, id: session } : ({ how: 'new', id: session } as const);
  const told = unheard({ snapshot, isRepeat: false }, speaker, { order, seen, isAgain: effect.attempt > 1 });
  return {
    model,
    session: how,
    tools: deskTools(world, speaker).specs.map(({ name, description, parameters }) => ({
      name,
      description,
      input_schema: parameters,
    })),
    system: [{ type: 'text', text: systemText(request) }],
    messages: [{ role: 'user', content: promptText(told) }],
  };
}
