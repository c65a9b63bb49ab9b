import { whole } from '../../protocol/whole-list.ts';
import { ageText } from '../../core/look/amount-text.ts';
import { Fault } from '../../core/model/fault.ts';
import type { RunId } from '../../core/model/ids.ts';
import { nameHint } from '../../source/closest-name.ts';
import { chatLoop } from '../chat/chat-loop.ts';
import { newChat, openChat } from '../chat/chat-session.ts';
import { ASSISTANT, CHAT, chatDefinition } from '../chat/chat-workflow.ts';
import { flag, type Invocation, textOption } from '../invocation.ts';
import { adaptDefinition } from '../../app/library/wanted-definition.ts';
import { EXIT } from '../exit-code.ts';
import { checkModels } from '../../app/library/check-models.ts';
import { prepareSession, withSession, type SessionRequest } from '../../app/runs/session.ts';
import { askingOf } from '../asking.ts';
import type { DrivingSession } from '../session/driving-types.ts';
import { drivingOf } from './carry-out.ts';
import { findRun } from '../../app/runs/find-run.ts';
import { loadProjectRoles } from '../../app/library/project-roles.ts';
import { withStore } from '../../app/world/store.ts';
import { oneLine, plainText } from '../../protocol/plain-text.ts';
import { table } from '../terminal/table.ts';
import { printAnswer, printNote } from '../terminal/terminal.ts';

/** `troupe chat`: one agent at a time, with the whole history kept as a run. */
export async function chatCommand(invocation: Invocation): Promise<number> {
  if (flag(invocation, 'list')) return await listChats(invocation);
  refuseSilence(invocation);
  const prepared = await prepareSession(askingOf(invocation), { drivesHere: true });
  const definition = await newDefinition(invocation, prepared);
  return await withSession(prepared, async (opened) => {
    const driving = drivingOf(invocation, opened);
    const isResumed = invocation.options['resume'] !== undefined;
    const role = textOption(invocation, 'role') ?? ASSISTANT;
    const session = isResumed
      ? await openChat(driving, await resumeChat(driving, textOption(invocation, 'resume')))
      : newChat(driving, { definition, role });
    return await chatLoop(driving, session);
  });
}

/** A chat in a terminal is a person who types. */
function refuseSilence({ terminal: { stdin, mode } }: Invocation): void {
  if (mode.interactive || stdin.isTTY !== true) return;
  throw new Fault('USAGE', 'A chat asks what you want to say, and --no-input forbids to ask.', {
    hint: 'Give the lines on standard input, as in: echo "What does this project do?" | troupe chat --no-input',
  });
}

type ChatDefinition = ReturnType<typeof chatDefinition>;

async function newDefinition(invocation: Invocation, prepared: SessionRequest): Promise<ChatDefinition> {
  const roles = await loadProjectRoles({ project: prepared.project, caller: invocation.terminal });
  const role = textOption(invocation, 'role') ?? ASSISTANT;
  if (role !== ASSISTANT && !Object.hasOwn(roles, role)) {
    throw new Fault('ROLE_UNKNOWN', `There is no role named "${role}".`, {
      hint: nameHint(role, Object.keys(roles)) ?? '',
    });
  }
  const { config } = prepared.project;
  const definition = chatDefinition(roles, role);
  const spoken = definition.roles[role];
  if (spoken !== undefined)
    await checkModels({ ...definition, roles: { [role]: spoken } }, prepared.actors, config.limits);
  return adaptDefinition(definition, config, { models: prepared.actors.overrides });
}

async function resumeChat(driving: DrivingSession, named: string | undefined): Promise<RunId> {
  const { host, store, terminal } = driving;
  const run =
    named === undefined ? await newestChat(driving) : (await findRun(store.journal, named, terminal.folder)).run;
  await host.resume(run);
  await host.rest(run);
  await printHistory(driving, run);
  return run;
}

async function newestChat({ store }: DrivingSession): Promise<RunId> {
  const chats = (await store.journal.runs({ parent: null })).filter((info) => info.workflow === CHAT);
  const open = chats.find((info) => info.status !== 'settled');
  if (open === undefined)
    throw new Fault('RUN_UNKNOWN', 'There is no chat to continue with.', { hint: 'Start one: troupe chat' });
  return open.run;
}

async function printHistory({ host, terminal }: DrivingSession, run: RunId): Promise<void> {
  const { contexts } = await host.snapshot(run);
  for (const message of contexts['chat']?.messages.items ?? []) {
    if (message.role === 'tool' || message.content === '') continue;
    printNote(terminal, `${message.author === 'workflow' ? 'you' : message.author}: ${plainText(message.content)}`);
  }
}

async function listChats(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const runs = await withStore(terminal, ({ journal }) => journal.runs({ parent: null }));
  const chats = runs.filter((info) => info.workflow === CHAT);
  const rows = chats.map((info) => [
    info.run,
    info.status === 'settled' ? 'ended' : 'open',
    ageText(Date.now() - info.at),
    oneLine(info.title, 100),
  ]);
  printAnswer(terminal, { kind: 'chats', ...whole(chats) }, () =>
    table([['CHAT', 'STATUS', 'AGE', 'ABOUT'], ...rows], terminal.stdout.columns || 120),
  );
  return EXIT.ok;
}
