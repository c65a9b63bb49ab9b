import type { ModelConfig, Endpoint } from '../model-config.ts';
import type { StreamedReply } from '../wire.ts';
import { callHeaders } from '../request-settings.ts';
import type { ModelWire } from '../wire.ts';
import { ReplyDraft } from '../reply-draft.ts';
import { chatBody } from './chat-body.ts';
import { readChat } from './chat-reply.ts';
import type { Incoming, Post } from './post.ts';

/** Chat completions, as most servers of models speak them. */
export function createChatWire(config: ModelConfig, endpoint: Endpoint, post: Post): ModelWire {
  const key = config.apiKey === undefined ? {} : { authorization: `Bearer ${config.apiKey.trim()}` };
  const fixed = { ...key, ...config.headers };
  const url = `${endpoint.url}/chat/completions`;
  return {
    async send(request, { signal, onText, head }) {
      const body = JSON.stringify(chatBody(request, config));
      const headers = {
        ...fixed,
        ...callHeaders(request, endpoint),
        'content-type': 'application/json',
        accept: 'text/event-stream',
      };
      const beforeSent = async (): Promise<void> => {
        await head.beforeSent?.();
        head.onSent?.(body);
      };
      const response = await post(url, { headers, body, signal, beforeSent });
      head.response = { contentType: response.headers['content-type'] ?? '' };
      const isAnswer = response.status >= 200 && response.status < 300;
      return isAnswer ? await readChat(response, onText) : await refusal(response);
    },
  };
}

async function refusal({ status, statusText, headers, read }: Incoming): Promise<StreamedReply> {
  const pieces: Uint8Array[] = [];
  await read((bytes) => pieces.push(bytes) > 0);
  const responseBody = Buffer.concat(pieces).toString();
  const fields = { statusCode: status, responseHeaders: headers, responseBody };
  return new ReplyDraft(() => undefined).fail(Object.assign(new Error(statusText), fields));
}
