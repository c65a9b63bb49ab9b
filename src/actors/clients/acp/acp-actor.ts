import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Activity } from '../../../core/agent-fact.ts';
import type { Box, Sandbox } from '../../../sandbox/port.ts';
import type { ClientOrder } from '../../client-port.ts';
import { liveText } from '../../model/live-text.ts';
import type { Price } from '../../model/price.ts';
import type { Actor, CallOptions, CallReply, CallRequest } from '../../port.ts';
import { clientBox } from '../client-box.ts';
import { cancelledTurn, failed, notStarted, programMissing, type ClientName } from '../client-failure.ts';
import { bringLogin, returnLogin } from '../login-file.ts';
import type { Reach } from '../network/reach.ts';
import { ClientProcess } from '../process/client-process.ts';
import { aloneIn } from '../session-lock.ts';
import {
  acpTraits,
  agentEnvironment,
  agentHost,
  agentLogins,
  agentReach,
  agentSecrets,
  type AcpAgent,
} from './acp-agent.ts';
import { acpReply } from './acp-reply.ts';
import { AcpStory } from './acp-story.ts';
import { AcpTurn, type Verdict } from './acp-turn.ts';
import { noteCost } from './conversation-cost.ts';
import { foldersAround } from './find-acp.ts';

export interface AcpOptions {
  /** A preset, or what `plainAgent` makes of a command. */
  readonly agent: AcpAgent;
  /** How it is started, see `findAcp`. */
  readonly command: readonly string[];
  readonly openSandbox: () => Promise<Sandbox>;
  /** The user's, of which the agent gets its own variables only. */
  readonly environment: NodeJS.ProcessEnv;
  /** Its own choice unless given. */
  readonly model?: string;
  /** Instead of what the agent reckons. */
  readonly price?: Price;
  /** Besides the homes: where the engine keeps its own files. */
  readonly hidden?: readonly string[];
  /** Where it gets to besides its own endpoint. */
  readonly hosts?: Reach;
  /** The engine's, told to the agent. */
  readonly version?: string;
}

/** Any agent that speaks version 1 of the Agent Client Protocol: one process a turn. */
export function createAcpActor(options: AcpOptions): Actor {
  return {
    kind: `acp:${options.agent.name}`,
    client: acpTraits(options.agent),
    call: (request, callOptions) => callAcp({ options, request, callOptions }),
  };
}

interface Call {
  readonly options: AcpOptions;
  readonly request: CallRequest;
  readonly callOptions: CallOptions;
}

async function callAcp(call: Call): Promise<CallReply> {
  const name = nameOf(call.options);
  const { signal } = call.callOptions;
  const [program = ''] = call.options.command;
  const order = call.request.client;
  if (order === undefined) return failed(notStarted(name, new Error('it was given no workspace to work in')));
  if (signal.aborted) return failed(cancelledTurn(name));
  if (!existsSync(program)) return failed(programMissing(name, program));
  try {
    const key = `${order.home}/${order.session.how === 'resumed' ? order.session.id : randomUUID()}`;
    return await aloneIn(key, signal, () => runTurn(call, order, name));
  } catch (error) {
    return failed(signal.aborted ? cancelledTurn(name) : notStarted(name, error));
  }
}

async function runTurn(call: Call, order: ClientOrder, name: ClientName): Promise<CallReply> {
  const { agent, environment, command: argv, hosts } = call.options;
  const logins = agentLogins(agent, environment, order.home);
  const sandbox = await call.options.openSandbox();
  const box = await boxOf(call.options, order, sandbox);
  const reach = agentReach(agent, environment, { order, hosts });
  for (const login of logins) await bringLogin(login);
  try {
    return await follow(call, { order, name }, { sandbox, argv, box, reach });
  } finally {
    for (const login of logins) await returnLogin(login).catch(() => undefined);
  }
}

function boxOf(options: AcpOptions, order: ClientOrder, sandbox: Sandbox): Promise<Box> {
  const { agent, command, environment, hidden = [] } = options;
  const [program = ''] = command;
  const own = [...foldersAround(command, hidden), ...(order.desk?.bridge.folders ?? [])].map((path) => ({
    path,
    access: 'read' as const,
  }));
  const folders = [...own, ...order.place.folders];
  const env = agentEnvironment(agent, environment, order);
  return clientBox(sandbox, { order: { ...order, place: { ...order.place, folders } }, program, env, hidden });
}

interface Prepared {
  readonly order: ClientOrder;
  readonly name: ClientName;
}

async function follow(call: Call, { order, name }: Prepared, program: Program): Promise<CallReply> {
  const { options, callOptions, request } = call;
  const { agent, environment, model, price, version = '0' } = options;
  const { limits, desk } = order;
  const listener = { onText: liveText(callOptions), onActivity: careful(callOptions.onActivity) };
  const story = new AcpStory(listener, desk?.tools ?? []);
  const { level } = program.sandbox;
  const { role } = request;
  const about = { agent, name, story, role, order, options: callOptions, level, environment, model, version };
  const turn = new AcpTurn(about);
  const keep = careful(callOptions.onRaw);
  const process = await ClientProcess.start(program, {
    limits,
    signal: callOptions.signal,
    onLine: ({ text }) => {
      keep(text);
      turn.hear(text);
    },
    interrupt: () => turn.interrupt(),
  });
  desk?.onCheck?.(() => process.hold());
  const pending = turn.converse(process).finally(() => part(process, agent));
  const end = await process.ended;
  turn.close();
  const verdict: Verdict = await pending;
  if (verdict.kind === 'ended' && story.conversationCost !== null) {
    await noteCost(order.home, verdict.session, story.conversationCost).catch(() => undefined);
  }
  return acpReply({ agent, story, end, verdict, limits, hasDesk: desk !== null, name, model: turn.model, price });
}

type Program = Parameters<typeof ClientProcess.start>[0];

/** Whatever came of it: nothing more will be said. */
function part(process: ClientProcess, { staysAtEnd }: AcpAgent): void {
  process.endInput(staysAtEnd === true ? 0 : LINGER_MS);
}

const LINGER_MS = 5000;

/** Whoever listens has its own ways to tell what is wrong with it; the turn goes on. */
function careful<Value extends Activity | string>(
  listen: ((value: Value) => void) | undefined,
): (value: Value) => void {
  return (value) => {
    try {
      listen?.(value);
    } catch {
      // As above.
    }
  };
}

function nameOf({ agent, environment, model }: AcpOptions): ClientName {
  return {
    title: agent.title,
    host: agentHost(agent, environment),
    model: model ?? 'of its own choice',
    loginHint: agent.loginHint,
    secrets: agentSecrets(agent, environment),
  };
}
