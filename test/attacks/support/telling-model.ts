import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * A model over HTTP that says the key it is spoken to with: in words, in pieces, in tool calls, in structured replies, in files,
 * in an error. In the middle of its first reply, within the key, it waits for `halfway`.
 */
export async function startTellingModel(key: string, halfway: () => Promise<void>): Promise<TellingModel> {
  let [plain, authorized] = [0, 0];
  const server = createServer((request, response) => {
    authorized += request.headers.authorization === `Bearer ${key}` ? 1 : 0;
    void text(request).then(async (body) => {
      const structured = structuredReply(body, key);
      if (structured !== null) return stream(response, structured);
      plain += 1;
      if (plain === 2) return fail(response, key);
      const reply = repliesTo(key)[plain === 1 ? 0 : Math.min(plain - 2, 2)] ?? { content: key };
      return stream(response, plain === 1 ? { ...reply, halfway } : reply);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, authorized: () => authorized };
}

export interface TellingModel {
  readonly url: string;
  /** How often it was spoken to with the key. */
  readonly authorized: () => number;
}

/** What the agents of a quest owe, with the key in every text of it; null for anyone else. */
function structuredReply(body: string, key: string): Reply | null {
  // Requests that only look whether it is there have no body.
  const { tools = [] } = JSON.parse(body || '{}') as {
    readonly tools?: readonly { readonly function: { name: string } }[];
  };
  const names = new Set(tools.map((tool) => tool.function.name));
  const said = `It is ${key}`;
  const step = { id: 'one', title: said, files: ['one.txt'], after: [], acceptance: [said] };
  const stepId = /step (?:to test )?is \\"one\\"/.test(body) ? 'one' : 'review';
  const owed = [
    { name: 'set_requirements', arguments: { requirements: [said], contexts: [said], observables: [said] } },
    { name: 'plan_steps', arguments: { steps: [step] } },
    { name: 'signal_back', arguments: { stepId, signal: 'complete', summary: said } },
  ].filter(({ name }) => names.has(name));
  if (owed.length === 0) return null;
  const file = { name: 'write_file', arguments: { path: 'one.txt', content: `${said}\n` } };
  return { content: said, tools: stepId === 'one' && names.has(file.name) ? [file, ...owed] : owed };
}

interface Reply {
  readonly content: string;
  readonly halfway?: () => Promise<void>;
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
async function stream(response: ServerResponse, { content, tools = [], halfway }: Reply): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta: unknown, finish: string | null = null): void =>
    void response.write(
      `data: ${JSON.stringify({ id: 'r', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  for (let at = 0; at < content.length; at += 5) {
    if (at === 20) await halfway?.();
    send({ role: 'assistant', content: content.slice(at, at + 5) });
  }
  for (const [index, { name, arguments: args }] of tools.entries()) {
    const given = JSON.stringify(args);
    send({ tool_calls: [{ index, id: `call-${index}`, type: 'function', function: { name, arguments: '' } }] });
    for (let at = 0; at < given.length; at += 7) {
      send({ tool_calls: [{ index, function: { arguments: given.slice(at, at + 7) } }] });
    }
  }
  send({}, tools.length === 0 ? 'stop' : 'tool_calls');
  response.end('data: [DONE]\n\n');
}
