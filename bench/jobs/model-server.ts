import { createServer } from 'node:http';
import { settings, report } from '../harness/report.ts';

/** The cheapest server that speaks the streamed chat format: the same few pieces for everybody, after a while. */
const { delayMs } = settings() as { delayMs: number };

const piece = (delta: object, finish: string | null, usage?: object): string =>
  `data: ${JSON.stringify({
    id: 'bench',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'bench',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...(usage === undefined ? {} : { usage }),
  })}\n\n`;

const text = 'The change is in the parser; the tests pass. '.repeat(4);
const body = [
  piece({ role: 'assistant', content: '' }, null),
  piece({ content: text.slice(0, 90) }, null),
  piece({ content: text.slice(90) }, null),
  piece({}, 'stop', { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }),
  'data: [DONE]\n\n',
].join('');

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(body);
    }, delayMs);
  });
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  const address = server.address();
  report({ port: typeof address === 'object' && address !== null ? address.port : 0 });
});
