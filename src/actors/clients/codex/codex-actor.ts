import { randomUUID } from 'node:crypto';
import type { Role } from '../../../core/model/role.ts';
import type { Failure } from '../../../core/model/outcome.ts';
import { ENDED_FOR_YOU } from '../../../core/step/turn/owed-reply.ts';
import type { Actor, CallReply, ClientOrder, SessionOrder } from '../../port.ts';
import { carefulListener } from '../../careful-listener.ts';
import {
  aloneIn,
  clientActor,
  type ClientCall,
  type ClientOptions,
  startClient,
  storyListener,
} from '../client-turn.ts';
import { agentLogins, clientName } from '../client-vendor.ts';
import { clientBox } from '../client-box.ts';
import { type ClientName, failed, sessionLost } from '../client-failure.ts';
import type { BoxedProgram } from '../process/client-process.ts';
import type { Line } from '../process/line-splitter.ts';
import { promptText, systemText } from '../prompt-text.ts';
import { withLogins } from '../client-login.ts';
import {
  baseUrl,
  CODEX,
  CODEX_TRAITS,
  codexArguments,
  codexEnvironment,
  codexReach,
  isThreadId,
  NO_SETTINGS,
  readModelSettings,
  userSettings,
} from './codex-setup.ts';
import { profileText, writeTurnProfile } from './codex-profile.ts';
import { codexReply } from './codex-reply.ts';
import { CodexStory } from './codex-story.ts';
import { CodexTurn } from './codex-turn.ts';
import { installationFolder } from './probe-codex.ts';
import { closeAccount, noteThread, openAccount, type TurnAccount } from './thread-account.ts';

export interface CodexOptions extends ClientOptions {
  /** The native program, see `findCodex`. */
  readonly program: string;
}

/** The user's own Codex: one process per turn, which reports line by line and asks nothing. */
export function createCodexActor(options: CodexOptions): Actor {
  const { program } = options;
  const name = clientName(CODEX, options);
  return clientActor(options, { kind: 'codex', client: CODEX_TRAITS, name, program, take: takeTurn });
}

type Call = ClientCall<CodexOptions>;

async function takeTurn(call: Call, order: ClientOrder): Promise<CallReply> {
  const refusal = cannotAsk(call.name, call.request.role) ?? unknownSession(call.name, order.session);
  if (refusal !== null) return failed(refusal);
  const key = `${order.home}/${knownSession(order.session) || randomUUID()}`;
  return await aloneIn(key, call.callOptions.signal, () => runTurn(call, order));
}

/** Codex cannot ask in this mode: it would act without the person's permission. */
function cannotAsk({ title }: ClientName, { name, ask = [] }: Role): Failure | null {
  const asked = ask.filter((tool) => ['execute_terminal', 'write_file', 'edit_file'].includes(tool));
  if (asked.length === 0) return null;
  return {
    class: 'config',
    code: 'CLIENT_CANNOT_ASK',
    message: `The role ${name} must ask before it uses ${asked.join(', ')}, but ${title} cannot ask.`,
    hint: 'Let another agent play the role, or take the tools out of its `ask`.',
  };
}

function unknownSession(name: ClientName, session: SessionOrder): Failure | null {
  const id = knownSession(session);
  return id === '' || isThreadId(id) ? null : sessionLost(name, id);
}

function knownSession(session: SessionOrder): string {
  if (session.how === 'new') return '';
  return session.how === 'resumed' ? session.id : session.from;
}

async function runTurn(call: Call, order: ClientOrder): Promise<CallReply> {
  const { environment, program, hidden = [], hosts = [], openSandbox, model, effort } = call.options;
  const { role, shared } = call.request;
  const settings = baseUrl(environment) === null ? await readModelSettings(userSettings(environment)) : NO_SETTINGS;
  const sandbox = await openSandbox();
  const env = codexEnvironment(environment, order, settings.variables);
  const installation = installationFolder(program);
  const box = await clientBox(sandbox, { order, program, installation, hidden, env });
  const words = profileText({ order, role, shared, level: sandbox.level, environment, model, effort, settings });
  const profile = await writeTurnProfile(order.home, `turn-${randomUUID()}`, words);
  try {
    const argv = codexArguments({ program, session: order.session, profile: profile.name });
    const reach = codexReach(environment, order, { settings, hosts });
    const { title } = call.name;
    return await withLogins(agentLogins(CODEX, environment, order.home), { ...call.callOptions, title }, () =>
      follow(call, { ...order, turn: profile.name }, { sandbox, argv, box, reach }),
    );
  } finally {
    await profile.remove();
  }
}

interface PreparedOrder extends ClientOrder {
  /** Distinguishes this turn's items from those of others. */
  readonly turn: string;
}

function givenPrompt({ request, callOptions }: Call, { unheard }: ClientOrder, wasEnded: boolean): string {
  const prompt = [...(wasEnded ? [ENDED_FOR_YOU] : []), promptText(unheard)].join('\n\n');
  callOptions.onPrompt?.({ system: systemText(request), prompt });
  return prompt;
}

async function follow(call: Call, order: PreparedOrder, program: BoxedProgram): Promise<CallReply> {
  const { options, callOptions, name } = call;
  const { limits, session, home } = order;
  const zone = options.environment['TZ'] ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const story = new CodexStory(order.turn.slice(0, 13), storyListener(callOptions));
  const opened = await openAccount(home, session);
  const onSession = async (thread: string): Promise<void> => {
    await noteThread(home, opened, thread);
    await callOptions.onSession?.(thread);
  };
  const turn = new CodexTurn({ name, session, options: { ...callOptions, onSession }, zone });
  const keep = carefulListener(callOptions.onRaw);
  const onLine = ({ text }: Line): void => {
    keep(text);
    const line = story.read(text);
    if (line !== null) turn.hear(line);
  };
  const process = await startClient(call, order, { program, onLine, accept: () => turn.accept() });
  turn.begin(process, givenPrompt(call, order, opened.wasEnded));
  const end = await process.ended;
  await turn.noted;
  const { total, thread, minions } = story;
  const { verdict, isAccepted } = turn;
  const wasEnded = isAccepted && total === null;
  const account = await closeAccount(home, opened, { thread, total, hasMinions: minions.size > 0, wasEnded });
  reportAccount(story, account);
  const { model, price } = options;
  const outcome = { story, end, verdict, isAccepted, account, session: knownSession(session) };
  return codexReply({ ...outcome, limits, hasDesk: order.desk !== null, name, model, price, now: Date.now(), zone });
}

function reportAccount(story: CodexStory, account: TurnAccount): void {
  for (const minion of account.minions) story.settleMinion(minion.thread, minion);
  if (account.isGuess) {
    story.notice('usage', 'What the conversation had used before is not known; it is counted with this turn.', 'ok');
  }
}
