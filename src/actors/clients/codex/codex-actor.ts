import { randomUUID } from 'node:crypto';
import type { Role } from '../../../core/role.ts';
import type { Failure } from '../../../core/outcome.ts';
import { ENDED_FOR_YOU } from '../../../core/owed-reply.ts';
import type { ClientOrder, ClientTraits, SessionOrder } from '../../client-port.ts';
import { liveText } from '../../model/live-text.ts';
import type { Actor, CallReply } from '../../port.ts';
import { carefulListener } from '../careful-listener.ts';
import { clientBox } from '../client-box.ts';
import type { ClientCall, ClientOptions } from '../client-call.ts';
import { failed, sessionLost, type ClientName } from '../client-failure.ts';
import { guardedTurn } from '../guarded-turn.ts';
import { ClientProcess, type BoxedProgram } from '../process/client-process.ts';
import type { Line } from '../process/line-splitter.ts';
import { promptText, systemText } from '../prompt-text.ts';
import { aloneIn } from '../session-lock.ts';
import { withLogins } from '../turn-logins.ts';
import { codexArguments, isThreadId } from './codex-arguments.ts';
import { baseUrl, codexEnvironment, codexHost, codexLogin, codexSecrets, userSettings } from './codex-environment.ts';
import { profileText } from './codex-profile.ts';
import { codexReach } from './codex-reach.ts';
import { codexReply } from './codex-reply.ts';
import { CodexStory } from './codex-story.ts';
import { CodexTurn } from './codex-turn.ts';
import { installationFolder } from './find-codex.ts';
import { closeAccount, noteThread, openAccount, type TurnAccount } from './thread-account.ts';
import { writeTurnProfile } from './turn-profile.ts';
import { NO_SETTINGS, readModelSettings } from './user-settings.ts';

export interface CodexOptions extends ClientOptions {
  /** The native program, see `findCodex`. */
  readonly program: string;
}

export const CODEX_TRAITS: ClientTraits = {
  provider: 'openai',
  choosesSession: false,
  canResume: true,
  canFork: true,
};

/** Codex, the user's own: one process a turn, which tells what it does line by line and asks nothing. */
export function createCodexActor(options: CodexOptions): Actor {
  return {
    kind: 'codex',
    client: CODEX_TRAITS,
    call: (request, callOptions) => callCodex({ options, request, callOptions }),
  };
}

type Call = ClientCall<CodexOptions>;

async function callCodex(call: Call): Promise<CallReply> {
  const name = nameOf(call.options);
  const { program } = call.options;
  const { signal } = call.callOptions;
  return await guardedTurn(call, { name, program }, async (order) => {
    const refusal = cannotAsk(name, call.request.role) ?? unknownSession(name, order.session);
    if (refusal !== null) return failed(refusal);
    const key = `${order.home}/${knownSession(order.session) || randomUUID()}`;
    return await aloneIn(key, signal, () => runTurn(call, order, name));
  });
}

/** It asks nobody when it is run like this: what needs a person's word would be done without. */
function cannotAsk({ title }: ClientName, { name, ask = [] }: Role): Failure | null {
  const asked = ask.filter((tool) => ['execute_terminal', 'write_file', 'edit_file'].includes(tool));
  if (asked.length === 0) return null;
  return {
    class: 'config',
    code: 'CLIENT_CANNOT_ASK',
    message: `The role ${name} must ask before it uses ${asked.join(', ')}, but ${title} asks nobody.`,
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

async function runTurn(call: Call, order: ClientOrder, name: ClientName): Promise<CallReply> {
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
    const { title } = name;
    return await withLogins([codexLogin(environment, order.home)], { ...call.callOptions, title }, () =>
      follow(call, { order, name, turn: profile.name }, { sandbox, argv, box, reach }),
    );
  } finally {
    await profile.remove();
  }
}

interface Prepared {
  readonly order: ClientOrder;
  readonly name: ClientName;
  /** What tells this turn's items from those of others. */
  readonly turn: string;
}

function givenPrompt({ request, callOptions }: Call, { unheard }: ClientOrder, wasEnded: boolean): string {
  const prompt = [...(wasEnded ? [ENDED_FOR_YOU] : []), promptText(unheard)].join('\n\n');
  callOptions.onPrompt?.({ system: systemText(request), prompt });
  return prompt;
}

async function follow(call: Call, prepared: Prepared, program: BoxedProgram): Promise<CallReply> {
  const { options, callOptions } = call;
  const { order, name } = prepared;
  const { limits, session } = order;
  const zone = options.environment['TZ'] ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const story = new CodexStory(prepared.turn.slice(0, 13), {
    onText: liveText(callOptions),
    onActivity: carefulListener(callOptions.onActivity),
  });
  const opened = await openAccount(order.home, session);
  const onSession = async (thread: string): Promise<void> => {
    await noteThread(order.home, opened, thread);
    await callOptions.onSession?.(thread);
  };
  const turn = new CodexTurn({ name, session, options: { ...callOptions, onSession }, zone });
  const keep = carefulListener(callOptions.onRaw);
  const onLine = ({ text }: Line): void => {
    keep(text);
    const line = story.read(text);
    if (line !== null) turn.hear(line);
  };
  const process = await ClientProcess.start(program, { limits, signal: callOptions.signal, onLine });
  order.desk?.onCheck?.(() => process.hold());
  order.desk?.onAccepted?.(() => turn.accept());
  turn.begin(process, givenPrompt(call, order, opened.wasEnded));
  const end = await process.ended;
  await turn.noted;
  const { total, thread, minions } = story;
  const { verdict, isAccepted } = turn;
  const wasEnded = isAccepted && total === null;
  const account = await closeAccount(order.home, opened, { thread, total, hasMinions: minions.size > 0, wasEnded });
  tellAccount(story, account);
  const { model, price } = options;
  const hasDesk = order.desk !== null;
  const moment = { now: Date.now(), zone };
  return codexReply({
    story,
    end,
    verdict,
    isAccepted,
    account,
    session: knownSession(session),
    limits,
    hasDesk,
    name,
    model,
    price,
    ...moment,
  });
}

function tellAccount(story: CodexStory, account: TurnAccount): void {
  for (const minion of account.minions) story.settleMinion(minion.thread, minion);
  if (account.isGuess) {
    story.notice('usage', 'What the conversation had used before is not known; it is counted with this turn.', 'ok');
  }
}

function nameOf({ environment, model }: CodexOptions): ClientName {
  return {
    title: 'Codex',
    host: codexHost(environment),
    model: model ?? 'of its own choice',
    loginHint: 'Log in with `codex login`, or set OPENAI_API_KEY.',
    secrets: codexSecrets(environment),
  };
}
