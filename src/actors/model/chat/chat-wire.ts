import { text } from 'node:stream/consumers';
import type { ModelConfig, Endpoint } from '../model-config.ts';
import type { StreamedReply } from '../wire.ts';
import { callHeaders } from '../request-settings.ts';
import type { Wire } from '../wire.ts';
import { ReplyDraft } from '../reply-draft.ts';
import { chatBody } from './chat-body.ts';
import { readChat } from './chat-reply.ts';
import type { Post, Posted } from './post.ts';

/** Chat completions, as most servers of models speak them. */
export function createChatWire(config: ModelConfig, endpoint: Endpoint, post: Post): Wire {
  const key = config.apiKey === undefined ? {} : { authorization: `Bearer ${config.apiKey.trim()}` };
  const url = `${endpoint.url}/chat/completions`;
  return {
    async send(request, { signal, onText, head }) {
      const body = JSON.stringify(chatBody(request, config));
      const headers = {
        ...key,
        ...config.headers,
        ...callHeaders(request, endpoint),
        'content-type': 'application/json',
        accept: 'text/event-stream',
      };
      await head.beforeSent?.();
      const sending = post(url, { headers, body, signal });
      head.onSent?.(body);
      const response = await sending;
      head.response = { contentType: response.headers['content-type'] ?? '' };
      return response.status === 200 ? await readChat(response.body, onText) : await refusal(response);
    },
  };
}

async function refusal({ status, statusText, headers, body }: Posted): Promise<StreamedReply> {
  const fields = { statusCode: status, responseHeaders: headers, responseBody: await text(body) };
  return new ReplyDraft(() => undefined).fail(Object.assign(new Error(statusText), fields));
}
