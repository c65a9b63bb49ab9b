import { failureOf } from '../../actors/model/call-failure.ts';
import { promptFor } from '../../actors/model/prompt.ts';
import type { Actor, CallReply, CallRequest } from '../../actors/port.ts';
import { openAiOverflow } from '../../actors/scripted/openai-chat.ts';
import type { ModelWindow } from '../../core/model/model-window.ts';

export interface WindowedModel extends Actor {
  /** The requests that it accepted or refused, as they would go over the wire. */
  readonly sent: { readonly text: string; readonly tokens: number; readonly request: CallRequest }[];
}

interface WindowedOptions {
  /** The real window of the endpoint. */
  readonly window: number;
  /** The window that the engine is given. Default: the same. */
  readonly known?: Partial<ModelWindow>;
  readonly charactersAToken?: number;
  readonly answer: (request: CallRequest) => CallReply;
}

/** A model that counts each request as it would leave, and refuses what is larger than its window as OpenAI does. */
export function windowedModel({ window, known = {}, charactersAToken = 4, answer }: WindowedOptions): WindowedModel {
  const sent: WindowedModel['sent'] = [];
  const tokens = window;
  return {
    kind: 'test',
    sent,
    window: {
      model: 'm',
      tokens,
      output: Math.floor(tokens / 5),
      isConfigured: true,
      density: 1,
      mayEdit: true,
      ...known,
    },
    call(request) {
      const prompt = promptFor(request, { provider: 'test', model: 'm' });
      const text = wordsIn(prompt, request);
      const counted = Math.ceil(text.length / charactersAToken);
      sent.push({ text, tokens: counted, request });
      if (counted > window) return Promise.resolve(refusal(counted, window));
      const reply = answer(request);
      if (reply.kind === 'failed') return Promise.resolve(reply);
      const usage = {
        ...reply.usage,
        inputTokens: counted,
        outputTokens: Math.ceil(reply.content.length / charactersAToken),
      };
      return Promise.resolve({ ...reply, usage });
    },
  };
}

/** All texts of a request without the quotes of JSON. */
function wordsIn(prompt: ReturnType<typeof promptFor>, { tools }: CallRequest): string {
  const texts: string[] = [JSON.stringify(tools)];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (Array.isArray(value)) value.forEach(collect);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  collect(prompt);
  return texts.join('\n');
}

function refusal(tokens: number, window: number): CallReply {
  const { status, error, message } = openAiOverflow(tokens, window);
  const call = { model: 'm', host: 'test', secrets: [], response: null };
  return { kind: 'failed', failure: failureOf({ statusCode: status, code: error, message }, call) };
}
