import { cachedRequest, inputTokens } from '../../src/actors/model/prefix-cache.ts';
import type { Fetch } from '../../src/actors/model/wire.ts';
import { anthropicMessages } from '../../src/actors/scripted/anthropic-messages.ts';
import { conversationProblem } from '../../src/actors/scripted/scripted-server.ts';
import { defaultReply } from '../../src/actors/scripted/choose-reply.ts';
import { openAiChat } from '../../src/actors/scripted/openai-chat.ts';
import { openAiResponses } from '../../src/actors/scripted/openai-responses.ts';
import type { Say, ScriptedAnswer } from '../../src/actors/scripted/rule.ts';
import { countTokens, fromWire, type ScriptedRequest, stableId } from '../../src/actors/scripted/scripted-request.ts';
import { wireEventText } from '../../src/actors/scripted/wire-format.ts';
import type { JsonObject } from '../../src/core/model/json.ts';

/** What a scripted model says to a request; undefined leaves it to the default of the scripted model. */
export type Script = (request: ScriptedRequest) => Say | undefined;

/** One request as it left the SDK. */
export interface SentRequest {
  readonly who: ScriptedRequest;
  readonly body: JsonObject;
  /** The same, byte for byte. */
  readonly text: string;
  /** The order of what happened on the wire: a request finds in a cache what was answered before it left. */
  readonly sentAt: number;
  answeredAt: number;
}

export interface ScriptedWire {
  readonly fetch: Fetch;
  readonly sent: SentRequest[];
}

const FORMATS = [openAiChat, openAiResponses, anthropicMessages];

/** The scripted model server without its socket: the SDK's own request comes in, the vendor's own stream goes out. */
export function scriptedWire(script: Script, wait: (who: ScriptedRequest) => Promise<void>): ScriptedWire {
  const sent: SentRequest[] = [];
  let moment = 0;
  const fetch: Fetch = async (url, init) => {
    const path = new URL(url instanceof Request ? url.url : url).pathname.replace(/^\/v1(?=\/)/, '');
    const format = FORMATS.find((known) => known.path === path);
    if (format === undefined || typeof init?.body !== 'string')
      throw new Error(`No scripted model listens at ${path}.`);
    const body = JSON.parse(init.body) as JsonObject;
    const request = format.read(body);
    const problem = conversationProblem(request.messages);
    if (problem !== null) throw new Error(problem);
    const who = fromWire(request, Object.fromEntries(new Headers(init.headers)));
    const mine = { who, body, text: init.body, sentAt: (moment += 1), answeredAt: Number.POSITIVE_INFINITY };
    sent.push(mine);
    const answer = answerOf(who, script(who) ?? defaultReply(who), inputTokens(cachedRequest(body)));
    await wait(who);
    mine.answeredAt = moment += 1;
    const events = format.replyEvents(answer, { request, body, createdAt: 0 });
    return new Response(events.map(wireEventText).join(''), { headers: { 'content-type': 'text/event-stream' } });
  };
  return { fetch, sent };
}

/** `input`: the tokens of the whole request, as an endpoint counts them. */
function answerOf(request: ScriptedRequest, say: Say, input: number): ScriptedAnswer {
  const id = stableId(request.key);
  const calls = say.tools.map(({ name, arguments: value, raw }, at) => ({
    id: `call_${id}_${at + 1}`,
    name,
    arguments: value,
    raw,
  }));
  const { text, think, usage, delayMs, paceMs, finish } = say;
  return {
    kind: 'answer',
    id,
    text,
    think,
    calls,
    usage: usage ?? { ...countTokens(request, text, calls), input },
    delayMs,
    paceMs,
    chunk: 4096,
    finish,
  };
}
