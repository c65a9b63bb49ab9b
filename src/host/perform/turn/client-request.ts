import type { ClientTraits, CallRequest, Actor, ClientPrompt } from '../../../actors/port.ts';
import type { ActorCall } from '../../../core/model/effect.ts';
import { estimateTokens } from '../../../actors/model/prefix-cache.ts';
import type { JsonObject } from '../../../core/model/json.ts';
import type { SentRequest } from '../../../core/record/sent-request.ts';
import { deskTools } from '../tools/desk-tools.ts';
import type { EffectContext, World } from '../../world.ts';
import type { Speaker } from './who-speaks.ts';

/** The input of a client, in the shape of a request to a model: the rest of its conversation is its own. */
export interface ClientRequest extends ClientPrompt {
  readonly model: string;
  readonly session: string;
  readonly world: Pick<World, 'tools'>;
  readonly speaker: Speaker;
}

/** The system prompt, the prompt and the tools of the desk. */
export function clientBody({ model, session, world, speaker, system, prompt }: ClientRequest): JsonObject {
  return {
    model,
    session,
    system: system === '' ? [] : [{ type: 'text', text: system }],
    messages: [{ role: 'user', content: prompt }],
    tools: deskTools(world, speaker).specs.map(({ name, description, parameters }) => ({
      name,
      description,
      input_schema: parameters,
    })),
  };
}

export const clientTokens = ({ tools, system, messages }: JsonObject): number =>
  estimateTokens(JSON.stringify([tools ?? [], system ?? [], messages ?? []]));

/** Records what a client is given. */
export async function noteClient(
  context: EffectContext,
  { actor, speaker, effect, request }: AgentCall,
  {
    session,
    messages,
    ...prompt
  }: ClientPrompt & Pick<ClientRequest, 'session'> & Pick<AgentCall['request'], 'messages'>,
): Promise<SentRequest | undefined> {
  const { world, sent } = context;
  const body = clientBody({ model: actor.kind, session, world, speaker, ...prompt });
  const texts = [request.shared, request.role.systemMessage];
  const about = { task: effect.task, agent: speaker.agent.name, provider: null, window: null };
  return await sent.note({ ...about, tokens: clientTokens(body), text: JSON.stringify(body), texts, messages });
}

export interface AgentCall {
  readonly effect: ActorCall;
  readonly speaker: Speaker;
  readonly actor: Actor;
  readonly client: ClientTraits;
  readonly request: Omit<CallRequest, 'client'>;
}
