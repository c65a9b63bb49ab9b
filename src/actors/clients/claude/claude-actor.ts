import { randomUUID } from 'node:crypto';
import type { ClientOrder, ClientTraits, SessionOrder } from '../../client-port.ts';
import { liveText } from '../../model/live-text.ts';
import type { Actor, CallOptions, CallReply } from '../../port.ts';
import { carefulListener } from '../careful-listener.ts';
import { clientBox } from '../client-box.ts';
import type { ClientCall, ClientOptions } from '../client-call.ts';
import type { ClientName } from '../client-failure.ts';
import { guardedTurn } from '../guarded-turn.ts';
import { removePlanted } from '../planted-settings.ts';
import { ClientProcess, type BoxedProgram } from '../process/client-process.ts';
import type { Line } from '../process/line-splitter.ts';
import { promptText, systemText } from '../prompt-text.ts';
import { aloneIn } from '../session-lock.ts';
import { withLogins } from '../turn-logins.ts';
import { claudeArguments } from './claude-arguments.ts';
import {
  CLAUDE_SETTINGS,
  claudeEnvironment,
  claudeHost,
  claudeLogin,
  claudeReach,
  claudeSecrets,
} from './claude-environment.ts';
import { claudeReply, isSessionUsed, type ClaudeTurnOutcome } from './claude-reply.ts';
import { ClaudeStory } from './claude-story.ts';
import { chooseTools } from './claude-tools.ts';
import { ClaudeTurn } from './claude-turn.ts';
import { writeTurnFiles, type TurnFiles } from './turn-files.ts';

export interface ClaudeOptions extends ClientOptions {
  /** The native program, see `findClaude`. */
  readonly program: string;
}

export const CLAUDE_TRAITS: ClientTraits = {
  provider: 'anthropic',
  choosesSession: true,
  canResume: true,
  canFork: true,
};

/** Claude Code, the user's own: one process a turn, spoken with over its control protocol. */
export function createClaudeActor(options: ClaudeOptions): Actor {
  return {
    kind: 'claude-code',
    client: CLAUDE_TRAITS,
    call: (request, callOptions) => callClaude({ options, request, callOptions }),
  };
}

type Call = ClientCall<ClaudeOptions>;

async function callClaude(call: Call): Promise<CallReply> {
  const name = nameOf(call.options);
  const { program } = call.options;
  const { signal } = call.callOptions;
  return await guardedTurn(call, { name, program }, async (order) => {
    const session = await settled(order.session, call.callOptions);
    const key = `${order.home}/${session.id ?? ''}`;
    return await aloneIn(key, signal, () => speak(call, { ...order, session }, name));
  });
}

async function speak(call: Call, order: ClientOrder, name: ClientName): Promise<CallReply> {
  const { session } = order;
  const first = await runTurn(call, order, name);
  // Begun by an attempt that did not live to tell: there is only one way to go on.
  if (session.how === 'resumed' || !isSessionUsed(first.end)) return claudeReply(first);
  const again: SessionOrder = { how: 'resumed', id: session.id ?? '' };
  return claudeReply(await runTurn(call, { ...order, session: again }, name));
}

/** With an id in any case: one of our own, told before anything is started, where the engine left it open. */
async function settled(session: SessionOrder, { onSession }: CallOptions): Promise<SessionOrder> {
  if (session.id !== null) return session;
  const id = randomUUID();
  await onSession?.(id);
  return { ...session, id };
}

async function runTurn(call: Call, order: ClientOrder, name: ClientName): Promise<ClaudeTurnOutcome> {
  const { options, request, callOptions } = call;
  const { environment, program, hidden = [] } = options;
  const sandbox = await options.openSandbox();
  const files = await writeTurnFiles(order, systemText(request));
  try {
    const env = claudeEnvironment(environment, order);
    const box = await clientBox(sandbox, { order, program, hidden, env, own: files.folder });
    await removePlanted(order.home, CLAUDE_SETTINGS);
    const tools = chooseTools(request.role, order);
    const { model, effort } = options;
    const argv = claudeArguments({ program, session: order.session, tools, files, model, effort });
    const reach = claudeReach(environment, order, options.hosts);
    const { title } = name;
    return await withLogins([claudeLogin(environment, order.home)], { ...callOptions, title }, () =>
      follow(call, { order, files, name }, { sandbox, argv, box, reach }),
    );
  } finally {
    await files.remove();
  }
}

interface Prepared {
  readonly order: ClientOrder;
  readonly files: TurnFiles;
  readonly name: ClientName;
}

async function follow(call: Call, prepared: Prepared, program: BoxedProgram): Promise<ClaudeTurnOutcome> {
  const { order, files, name } = prepared;
  const { callOptions } = call;
  const session = order.session.id ?? '';
  const hasDesk = order.desk !== null;
  const story = new ClaudeStory({ onText: liveText(callOptions), onActivity: carefulListener(callOptions.onActivity) });
  const turn = new ClaudeTurn({
    story,
    name,
    session,
    hasDesk,
    options: callOptions,
    onUp: () => void files.forgetServers().catch(() => undefined),
  });
  const keep = carefulListener(callOptions.onRaw);
  const onLine = ({ text }: Line): void => {
    const line = story.read(text);
    // What comes in pieces comes whole right after.
    if (line?.['type'] !== 'stream_event') keep(text);
    if (line !== null) turn.hear(line);
  };
  const { limits } = order;
  const { signal } = callOptions;
  const process = await ClientProcess.start(program, { limits, signal, onLine, interrupt: () => turn.interrupt() });
  order.desk?.onCheck?.(() => process.hold());
  order.desk?.onAccepted?.(() => turn.accept());
  const prompt = promptText(order.unheard);
  callOptions.onPrompt?.({ system: systemText(call.request), prompt });
  turn.begin(process, prompt);
  const end = await process.ended;
  const { price } = call.options;
  return { story, end, verdict: turn.verdict, session, limits, hasDesk, name, price, now: Date.now() };
}

function nameOf({ environment, model }: ClaudeOptions): ClientName {
  return {
    title: 'Claude Code',
    host: claudeHost(environment),
    model: model ?? 'of its own choice',
    loginHint: 'Log in with `claude`, or set ANTHROPIC_API_KEY.',
    secrets: claudeSecrets(environment),
  };
}
