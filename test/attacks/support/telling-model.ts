import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A model over HTTP that says the key it is spoken to with: in words, in pieces, in tool calls, in files, in an error. */
export async function startTellingModel(
  key: string,
): Promise<{ readonly url: string; readonly authorized: () => number }> {
  let [asked, authorized] = [0, 0];
  const server = createServer((request, response) => {
    request.resume();
    authorized += request.headers.authorization === `Bearer ${key}` ? 1 : 0;
    asked += 1;
    if (asked === 2) return fail(response, key);
    stream(response, repliesTo(key)[asked === 1 ? 0 : Math.min(asked - 2, 2)] ?? { content: key });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, authorized: () => authorized };
}

interface Reply {
  readonly content: string;
  readonly tools?: readonly { readonly name: string; readonly arguments: unknown }[];
}

function repliesTo(key: string): readonly Reply[] {
  const base64 = Buffer.from(key).toString('base64');
  const forms = [
    ['plain', key],
    ['base64', base64],
    ['basic', Buffer.from(`u:${key}`).toString('base64')],
    ['url', encodeURIComponent(key)],
    ['json', JSON.stringify(JSON.stringify({ key }))],
    ['hex', Buffer.from(key).toString('hex')],
  ];
  const half = key.length / 2;
  const quoted = (text: string): string => `'${text}'`;
  // Neither half is a secret, so that the command makes the key where no tool call holds it.
  const joined = `a=${quoted(key.slice(0, half))}; b=${quoted(key.slice(half))}`;
  const commands = [
    `${joined}; echo "$a$b"; mkdir -p out; echo "key: $a$b" > out/joined.txt; printf %s "$a$b" | base64 > out/encoded.txt`,
    `echo ${base64} | base64 -d`,
  ];
  return [
    {
      content: forms.map(([name, text]) => `${name}: ${text}`).join('\n'),
      tools: [
        { name: 'write_file', arguments: { path: 'src/leak.txt', content: `const key = ${JSON.stringify(key)};\n` } },
        ...commands.map((command) => ({ name: 'execute_terminal', arguments: { command } })),
      ],
    },
    { content: `I was given ${key}.` },
    { content: `In one word: ${key}` },
  ];
}

/** Transient, so that the call is made again. */
function fail(response: ServerResponse, key: string): void {
  response.writeHead(500, { 'content-type': 'application/json', 'x-echo': encodeURIComponent(key) });
  response.end(
    JSON.stringify({ error: { message: `Bad key ${key} (${Buffer.from(key).toString('base64')})`, type: key } }),
  );
}

/** As models stream: a few characters at a time. */
function stream(response: ServerResponse, { content, tools = [] }: Reply): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta: unknown, finish: string | null = null): void =>
    void response.write(
      `data: ${JSON.stringify({ id: 'r', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  for (let at = 0; at < content.length; at += 5) send({ role: 'assistant', content: content.slice(at, at + 5) });
  for (const [index, { name, arguments: given }] of tools.entries()) {
    const text = JSON.stringify(given);
    send({ tool_calls: [{ index, id: `call-${index}`, type: 'function', function: { name, arguments: '' } }] });
    for (let at = 0; at < text.length; at += 7) {
      send({ tool_calls: [{ index, function: { arguments: text.slice(at, at + 7) } }] });
    }
  }
  send({}, tools.length === 0 ? 'stop' : 'tool_calls');
  response.end('data: [DONE]\n\n');
}
