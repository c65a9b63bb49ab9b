import { randomUUID } from 'node:crypto';
import type { Actor, CallOptions, CallReply, ClientOrder, SessionOrder } from '../../port.ts';
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
import { clientBox } from '../client-box.ts';
import { removePlanted } from '../client-home.ts';
import type { BoxedProgram } from '../process/client-process.ts';
import type { Line } from '../process/line-splitter.ts';
import { promptText, systemText } from '../prompt-text.ts';
import { withLogins } from '../client-login.ts';
import {
  CLAUDE,
  CLAUDE_SETTINGS,
  CLAUDE_TRAITS,
  claudeArguments,
  claudeEnvironment,
  type TurnFiles,
  writeTurnFiles,
} from './claude-setup.ts';
import { claudeReply, type ClaudeTurnOutcome, isSessionUsed } from './claude-reply.ts';
import { ClaudeStory } from './claude-story.ts';
import { chooseTools } from './claude-tools.ts';
import { ClaudeTurn } from './claude-turn.ts';

export interface ClaudeOptions extends ClientOptions {
  /** The native program, see `findClaude`. */
  readonly program: string;
}

/** Claude Code, the user's own: one process a turn, spoken with over its control protocol. */
export function createClaudeActor(options: ClaudeOptions): Actor {
  const { program } = options;
  const name = clientName(CLAUDE, options);
  return clientActor(options, { kind: 'claude-code', client: CLAUDE_TRAITS, name, program, take: takeTurn });
}

type Call = ClientCall<ClaudeOptions>;

async function takeTurn(call: Call, order: ClientOrder): Promise<CallReply> {
  const session = await settled(order.session, call.callOptions);
  const key = `${order.home}/${session.id ?? ''}`;
  return await aloneIn(key, call.callOptions.signal, () => speak(call, { ...order, session }));
}

async function speak(call: Call, order: ClientOrder): Promise<CallReply> {
  const { session } = order;
  const first = await runTurn(call, order);
  // The session was started by an attempt that crashed before it reported it: resuming is the only way on.
  if (session.how === 'resumed' || !isSessionUsed(first.end)) return claudeReply(first);
  const again: SessionOrder = { how: 'resumed', id: session.id ?? '' };
  return claudeReply(await runTurn(call, { ...order, session: again }));
}

/** Gives the session an id; if the engine left it open, a new one is reported before anything starts. */
async function settled(session: SessionOrder, { onSession }: CallOptions): Promise<SessionOrder> {
  if (session.id !== null) return session;
  const id = randomUUID();
  await onSession?.(id);
  return { ...session, id };
}

async function runTurn(call: Call, order: ClientOrder): Promise<ClaudeTurnOutcome> {
  const { options, request, callOptions, name } = call;
  const { environment, program, hidden = [], hosts } = options;
  const sandbox = await options.openSandbox();
  const files = await writeTurnFiles(order, systemText(request));
  try {
    const env = claudeEnvironment(environment, order);
    const box = await clientBox(sandbox, { order, program, hidden, env, own: files.folder });
    await removePlanted(order.home, CLAUDE_SETTINGS);
    const tools = chooseTools(request.role, order);
    const { model, effort } = options;
    const argv = claudeArguments({ program, session: order.session, tools, files, model, effort });
    const reach = agentReach(CLAUDE, environment, { order, hosts });
    const { title } = name;
    return await withLogins(agentLogins(CLAUDE, environment, order.home), { ...callOptions, title }, () =>
      follow(call, { ...order, files }, { sandbox, argv, box, reach }),
    );
  } finally {
    await files.remove();
  }
}

interface PreparedOrder extends ClientOrder {
  readonly files: TurnFiles;
}

async function follow(call: Call, order: PreparedOrder, program: BoxedProgram): Promise<ClaudeTurnOutcome> {
  const { callOptions, name } = call;
  const { files, limits } = order;
  const session = order.session.id ?? '';
  const hasDesk = order.desk !== null;
  const story = new ClaudeStory(storyListener(callOptions));
  const onUp = (): void => void files.forgetServers().catch(() => undefined);
  const turn = new ClaudeTurn({ story, name, session, hasDesk, options: callOptions, onUp });
  const keep = carefulListener(callOptions.onRaw);
  const onLine = ({ text }: Line): void => {
    const line = story.read(text);
    // Streamed pieces are repeated as a whole right after.
    if (line?.['type'] !== 'stream_event') keep(text);
    if (line !== null) turn.hear(line);
  };
  const [interrupt, accept] = [() => turn.interrupt(), () => turn.accept()];
  const process = await startClient(call, order, { program, onLine, interrupt, accept });
  const prompt = promptText(order.unheard);
  callOptions.onPrompt?.({ system: systemText(call.request), prompt });
  turn.begin(process, prompt);
  const end = await process.ended;
  const { price } = call.options;
  return { story, end, verdict: turn.verdict, session, limits, hasDesk, name, price, now: Date.now() };
}
