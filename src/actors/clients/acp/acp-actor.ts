import { randomUUID } from 'node:crypto';
import type { Box, Sandbox } from '../../../sandbox/port.ts';
import type { Actor, CallReply, ClientOrder } from '../../port.ts';
import { carefulListener } from '../../careful-listener.ts';
import {
  aloneIn,
  clientActor,
  type ClientCall,
  type ClientOptions,
  startClient,
  storyListener,
} from '../client-turn.ts';
import { agentLogins, agentReach, clientName } from '../client-vendor.ts';
import type { Line } from '../process/line-splitter.ts';
import { clientBox } from '../client-box.ts';
import { removePlanted } from '../client-home.ts';
import type { BoxedProgram, ClientProcess } from '../process/client-process.ts';
import { withLogins } from '../client-login.ts';
import { JoinedChunks } from './joined-chunks.ts';
import { type AcpAgent, acpTraits, agentEnvironment } from './acp-agent.ts';
import { acpReply } from './acp-reply.ts';
import { AcpStory } from './acp-story.ts';
import { AcpTurn, type TurnVerdict } from './acp-turn.ts';
import { noteCost } from './acp-session.ts';
import { foldersAround } from './probe-acp.ts';

export interface AcpOptions extends ClientOptions {
  /** A preset, or what `plainAgent` makes of a command. */
  readonly agent: AcpAgent;
  /** How it is started, see `findAcp`. */
  readonly command: readonly string[];
  /** The engine's version, sent to the agent. */
  readonly version?: string;
}

/** Any agent that speaks version 1 of the Agent Client Protocol: one process a turn. */
export function createAcpActor(options: AcpOptions): Actor {
  const { agent, command } = options;
  const [program = ''] = command;
  const name = clientName(agent, options);
  return clientActor(options, { kind: `acp:${agent.name}`, client: acpTraits(agent), name, program, take: takeTurn });
}

type Call = ClientCall<AcpOptions>;

async function takeTurn(call: Call, order: ClientOrder): Promise<CallReply> {
  const key = `${order.home}/${order.session.how === 'resumed' ? order.session.id : randomUUID()}`;
  return await aloneIn(key, call.callOptions.signal, () => runTurn(call, order));
}

async function runTurn(call: Call, order: ClientOrder): Promise<CallReply> {
  const { agent, environment, command: argv, hosts } = call.options;
  const logins = agentLogins(agent, environment, order.home);
  const sandbox = await call.options.openSandbox();
  const box = await boxOf(call.options, order, sandbox);
  const reach = agentReach(agent, environment, { order, hosts });
  for (const planted of agent.settings ?? []) await removePlanted(order.home, planted);
  const { title } = call.name;
  return await withLogins(logins, { ...call.callOptions, title }, () =>
    follow(call, order, { sandbox, argv, box, reach }),
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

async function follow(call: Call, order: ClientOrder, program: BoxedProgram): Promise<CallReply> {
  const { options, callOptions, request, name } = call;
  const { agent, environment, model, price, version = '0' } = options;
  const { limits, desk } = order;
  const story = new AcpStory(storyListener(callOptions), desk?.tools ?? []);
  const { level } = program.sandbox;
  const { role, shared } = request;
  const about = { agent, name, story, role, shared, order, options: callOptions, level, environment, model, version };
  const turn = new AcpTurn(about);
  const kept = new JoinedChunks(carefulListener(callOptions.onRaw));
  const onLine = ({ text }: Line): void => {
    kept.add(text);
    turn.hear(text);
  };
  const [interrupt, accept] = [() => turn.interrupt(), () => turn.accept()];
  const process = await startClient(call, order, { program, onLine, interrupt, accept });
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

/** Ends the process in any case: nothing more will be said. */
function part(process: ClientProcess, { staysAtEnd }: AcpAgent): void {
  process.endInput(staysAtEnd === true ? 0 : LINGER_MS);
}

const LINGER_MS = 5000;
