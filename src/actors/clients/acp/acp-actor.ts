import { randomUUID } from 'node:crypto';
import type { Box, Sandbox } from '../../../sandbox/port.ts';
import type { ClientOrder } from '../../client-port.ts';
import { liveText } from '../../model/live-text.ts';
import type { Actor, CallReply } from '../../port.ts';
import { carefulListener } from '../careful-listener.ts';
import { JoinedChunks } from './joined-chunks.ts';
import { clientBox } from '../client-box.ts';
import type { ClientCall, ClientOptions } from '../client-call.ts';
import type { ClientName } from '../client-failure.ts';
import { guardedTurn } from '../guarded-turn.ts';
import { removePlanted } from '../planted-settings.ts';
import { ClientProcess, type BoxedProgram } from '../process/client-process.ts';
import { aloneIn } from '../session-lock.ts';
import { withLogins } from '../turn-logins.ts';
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
import { AcpTurn, type TurnVerdict } from './acp-turn.ts';
import { noteCost } from './conversation-cost.ts';
import { foldersAround } from './find-acp.ts';

export interface AcpOptions extends ClientOptions {
  /** A preset, or what `plainAgent` makes of a command. */
  readonly agent: AcpAgent;
  /** How it is started, see `findAcp`. */
  readonly command: readonly string[];
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

type Call = ClientCall<AcpOptions>;

async function callAcp(call: Call): Promise<CallReply> {
  const name = nameOf(call.options);
  const [program = ''] = call.options.command;
  const { signal } = call.callOptions;
  return await guardedTurn(call, { name, program }, async (order) => {
    const key = `${order.home}/${order.session.how === 'resumed' ? order.session.id : randomUUID()}`;
    return await aloneIn(key, signal, () => runTurn(call, order, name));
  });
}

async function runTurn(call: Call, order: ClientOrder, name: ClientName): Promise<CallReply> {
  const { agent, environment, command: argv, hosts } = call.options;
  const logins = agentLogins(agent, environment, order.home);
  const sandbox = await call.options.openSandbox();
  const box = await boxOf(call.options, order, sandbox);
  const reach = agentReach(agent, environment, { order, hosts });
  for (const planted of agent.settings ?? []) await removePlanted(order.home, planted);
  const { title } = name;
  return await withLogins(logins, { ...call.callOptions, title }, () =>
    follow(call, { order, name }, { sandbox, argv, box, reach }),
  );
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

async function follow(call: Call, { order, name }: Prepared, program: BoxedProgram): Promise<CallReply> {
  const { options, callOptions, request } = call;
  const { agent, environment, model, price, version = '0' } = options;
  const { limits, desk } = order;
  const listener = { onText: liveText(callOptions), onActivity: carefulListener(callOptions.onActivity) };
  const story = new AcpStory(listener, desk?.tools ?? []);
  const { level } = program.sandbox;
  const { role, shared } = request;
  const about = { agent, name, story, role, shared, order, options: callOptions, level, environment, model, version };
  const turn = new AcpTurn(about);
  const kept = new JoinedChunks(carefulListener(callOptions.onRaw));
  const process = await ClientProcess.start(program, {
    limits,
    signal: callOptions.signal,
    onLine: ({ text }) => {
      kept.add(text);
      turn.hear(text);
    },
    interrupt: () => turn.interrupt(),
  });
  desk?.onCheck?.(() => process.hold());
  desk?.onAccepted?.(() => turn.accept());
  const pending = turn.converse(process).finally(() => part(process, agent));
  const end = await process.ended;
  kept.flush();
  turn.close();
  const verdict: TurnVerdict = await pending;
  if (verdict.kind === 'ended' && story.conversationCost !== null) {
    await noteCost(order.home, verdict.session, story.conversationCost).catch(() => undefined);
  }
  const { isAccepted, model: used } = turn;
  const hasDesk = desk !== null;
  return acpReply({ agent, story, end, verdict, limits, hasDesk, isAccepted, name, model: used, price });
}

/** Whatever came of it: nothing more will be said. */
function part(process: ClientProcess, { staysAtEnd }: AcpAgent): void {
  process.endInput(staysAtEnd === true ? 0 : LINGER_MS);
}

const LINGER_MS = 5000;

function nameOf({ agent, environment, model }: AcpOptions): ClientName {
  return {
    title: agent.title,
    host: agentHost(agent, environment),
    model: model ?? 'of its own choice',
    loginHint: agent.loginHint,
    secrets: agentSecrets(agent, environment),
  };
}
