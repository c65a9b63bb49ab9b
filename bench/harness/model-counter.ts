import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A model on this machine that takes a while for every answer, and remembers who asked it what and when. */
export interface ModelCounter {
  readonly url: string;
  /** By the turn that the newest message of the request names: when each of them came. */
  readonly asked: ReadonlyMap<string, readonly number[]>;
  close(): void;
}

export async function startModel(delayMs: number): Promise<ModelCounter> {
  const asked = new Map<string, number[]>();
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { messages } = JSON.parse(Buffer.concat(pieces).toString()) as { messages: readonly Message[] };
      const key = KEY.exec(textOf(messages.findLast(({ role }) => role === 'user')))?.[0] ?? '';
      asked.set(key, [...(asked.get(key) ?? []), Date.now()]);
      setTimeout(() => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(ANSWER), delayMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, close: () => void server.close() };
}

const KEY = /lane \d+ tree \d+ step \d+ turn \d+/;

interface Message {
  readonly role: string;
  readonly content: string | readonly { readonly text?: string }[];
}

const textOf = (message: Message | undefined): string => {
  const { content = '' } = message ?? {};
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('');
};

const piece = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({
    id: 'bench',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'bench',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })}\n\n`;

const ANSWER = `${piece({ role: 'assistant', content: 'Done.' }, null)}${piece({}, 'stop')}data: [DONE]\n\n`;
