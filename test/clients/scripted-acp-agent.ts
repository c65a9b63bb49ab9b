import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  agent,
  methods,
  ndJsonStream,
  RequestError,
  type AgentContext,
  type McpServer,
  type PromptResponse,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { ScriptedStep } from './scripted-acp-step.ts';

/**
 * An agent without a model: it does what the order tells it, step by step, in a marked list of JSON. Built on the protocol's
 * own library, so that what the actor says is read by somebody else's code. Words on the command line change what it can do.
 */
const has = (word: string): boolean => process.argv.includes(word);

interface Conversation {
  readonly id: string;
  /** All orders so far. */
  readonly heard: string[];
}

const folder = join(process.env['HOME'] ?? '', 'conversations');
const servers = new Map<string, readonly McpServer[]>();
const conversations = new Map<string, Conversation>();
let hasLogin = !has('--login');

const app = agent({ name: 'scripted' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: has('--version-2') ? 2 : 1,
    agentInfo: { name: 'scripted', version: '1.0.0' },
    authMethods: [{ id: 'key', name: 'A key' }],
    agentCapabilities: {
      loadSession: true,
      mcpCapabilities: { http: !has('--no-http') },
      sessionCapabilities: has('--resume') ? { resume: {} } : {},
    },
  }))
  .onRequest(methods.agent.authenticate, () => {
    hasLogin = true;
    return {};
  })
  .onRequest(methods.agent.session.new, ({ params }) => {
    if (!hasLogin) throw RequestError.authRequired();
    const id = randomUUID();
    conversations.set(id, { id, heard: [] });
    servers.set(id, params.mcpServers);
    return { sessionId: id, ...SETTINGS };
  })
  .onRequest(methods.agent.session.load, async ({ params, client }) => {
    const { heard } = goOn(params.sessionId, params.mcpServers);
    for (const text of heard) await tell(client, params.sessionId, chunk('user_message_chunk', text));
    await tell(client, params.sessionId, chunk('agent_message_chunk', 'Said before.'));
    return SETTINGS;
  })
  .onRequest(methods.agent.session.resume, ({ params }) => {
    goOn(params.sessionId, params.mcpServers ?? []);
    return SETTINGS;
  })
  .onRequest(methods.agent.session.setMode, () => ({}))
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
    if (params.value !== 'large') throw RequestError.invalidParams();
    return { configOptions: [] };
  })
  .onRequest(methods.agent.session.prompt, async ({ params, client }): Promise<PromptResponse> => {
    const conversation = conversations.get(params.sessionId);
    if (conversation === undefined) throw RequestError.resourceNotFound(params.sessionId);
    const text = params.prompt.map((block) => (block.type === 'text' ? block.text : '')).join('');
    conversation.heard.push(text);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, conversation.id), JSON.stringify(conversation));
    return await perform(stepsOf(text), { client, conversation });
  })
  .onNotification(methods.agent.session.cancel, () => {
    if (!has('--deaf')) cancelled.resolve({ stopReason: 'cancelled' });
  });

const cancelled = Promise.withResolvers<PromptResponse>();

const SETTINGS = {
  modes: { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] },
  configOptions: [
    {
      id: 'model',
      name: 'Model',
      category: 'model',
      type: 'select' as const,
      currentValue: 'small',
      options: [
        { value: 'small', name: 'Small' },
        { value: 'large', name: 'Large' },
      ],
    },
  ],
};

function goOn(id: string, given: readonly McpServer[]): Conversation {
  const file = join(folder, id);
  if (!existsSync(file)) throw RequestError.internalError({ details: `No previous sessions found for ${id}` });
  const conversation = JSON.parse(readFileSync(file, 'utf8')) as Conversation;
  conversations.set(id, conversation);
  servers.set(id, given);
  return conversation;
}

/** The last list in it; without one it says that it is done. */
function stepsOf(text: string): readonly ScriptedStep[] {
  const script = /```acp\n([^`]*)\n```\s*$/.exec(text)?.[1];
  return script === undefined ? [{ say: `Done: ${text}` }] : (JSON.parse(script) as ScriptedStep[]);
}

interface Turn {
  readonly client: AgentContext;
  readonly conversation: Conversation;
}

async function perform(steps: readonly ScriptedStep[], turn: Turn): Promise<PromptResponse> {
  for (const step of steps) {
    const end = await Promise.race([take(step, turn), cancelled.promise]);
    if (end !== null) return end;
  }
  return { stopReason: 'end_turn' };
}

async function take(step: ScriptedStep, { client, conversation }: Turn): Promise<PromptResponse | null> {
  const update = (value: SessionUpdate): Promise<void> => tell(client, conversation.id, value);
  if ('say' in step) await update(chunk('agent_message_chunk', step.say));
  if ('update' in step) await update(step.update as SessionUpdate);
  if ('recall' in step) await update(chunk('agent_message_chunk', conversation.heard.join(' | ')));
  if ('environment' in step) await update(chunk('agent_message_chunk', Object.keys(process.env).toSorted().join(' ')));
  if ('write' in step) await update(chunk('agent_message_chunk', write(step.write)));
  if ('ask' in step) await update(chunk('agent_message_chunk', await ask(client, conversation.id, step.ask)));
  if ('signal' in step) await update(chunk('agent_message_chunk', await handIn(conversation.id, step.signal)));
  if ('line' in step) process.stdout.write(`${step.line}\n`);
  if ('child' in step) startChild();
  if ('crash' in step) process.exit(step.crash);
  if ('hang' in step) await new Promise(() => undefined);
  if ('fail' in step) throw new RequestError(step.fail.code, step.fail.message, step.fail.data);
  return 'end' in step ? (step.end as unknown as PromptResponse) : null;
}

const tell = (client: AgentContext, sessionId: string, update: SessionUpdate): Promise<void> =>
  client.notify(methods.client.session.update, { sessionId, update });

const chunk = (sessionUpdate: 'agent_message_chunk' | 'user_message_chunk', text: string): SessionUpdate => ({
  sessionUpdate,
  content: { type: 'text', text },
});

function write(path: string): string {
  try {
    writeFileSync(path, 'hi\n');
    return 'Written.';
  } catch (error) {
    return `Not written: ${(error as NodeJS.ErrnoException).code}`;
  }
}

async function ask(
  client: AgentContext,
  sessionId: string,
  toolCall: { readonly toolCallId: string },
): Promise<string> {
  const { outcome }: RequestPermissionResponse = await client.request(methods.client.session.requestPermission, {
    sessionId,
    toolCall,
    options: [
      { optionId: 'always', name: 'Always', kind: 'allow_always' },
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ],
  });
  return outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome;
}

/** As a model would: it calls the first tool of the first server that it was given. */
async function handIn(sessionId: string, given: Record<string, unknown>): Promise<string> {
  const server = servers.get(sessionId)?.[0];
  if (server === undefined) return 'There is no server.';
  // Most turns signal nothing, and this library takes as long to load as all the rest.
  const { Client } = await import('@modelcontextprotocol/client');
  const mcp = new Client({ name: 'scripted', version: '1' });
  await mcp.connect(await transportTo(server));
  const name = (await mcp.listTools()).tools[0]?.name ?? '';
  const { content } = await mcp.callTool({ name, arguments: given });
  await mcp.close();
  const words = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  return `${'type' in server ? 'http' : 'stdio'}: ${words}`;
}

async function transportTo(server: McpServer): Promise<StreamableHTTPClientTransport | StdioClientTransport> {
  if ('url' in server) {
    const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    return new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } });
  }
  if (!('command' in server)) throw new Error('There is no such way to a server.');
  const env = Object.fromEntries(server.env.map(({ name, value }) => [name, value]));
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  return new StdioClientTransport({ command: server.command, args: server.args, env });
}

/** One that would outlive us. */
function startChild(): void {
  const words = ['--eval', 'setInterval(() => undefined, 1000)', join(process.cwd(), 'left-behind')];
  spawn(process.execPath, words, { detached: true, stdio: 'ignore' }).unref();
}

if (has('--deaf')) process.on('SIGTERM', () => undefined);
if (has('--stay') || has('--deaf')) setInterval(() => undefined, 1000);
const connection = app.connect(
  ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>),
);
if (!has('--stay') && !has('--deaf')) void connection.closed.then(() => process.exit(has('--bad-end') ? 3 : 0));
