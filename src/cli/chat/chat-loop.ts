import { createInterface, type Interface } from 'node:readline';
import { isFault, unreachable } from '../../core/model/fault.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { Role } from '../../core/model/role.ts';
import { nameHint } from '../../source/closest-name.ts';
import { listedWorkflows } from '../../app/library/workflow-place.ts';
import { workflowsText } from '../commands/workflows.ts';
import { actorName, chooseActor, isClient } from '../../app/config/choose-actor.ts';
import { EXIT } from '../exit-code.ts';
import { type ActorSource, modelFor } from '../../app/world/actors.ts';
import { checkModels } from '../../app/library/check-models.ts';
import type { DrivingSession } from '../session/driving-types.ts';
import { loadLibrary } from '../../app/library/workflow-library.ts';
import { faultText } from '../terminal/fault-text.ts';
import { printNote } from '../terminal/terminal.ts';
import type { ChatSession } from './chat-session.ts';
import { runInChat } from './run-in-chat.ts';

/** What a person typed. */
type ChatLine =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'role'; readonly name: string | null }
  | { readonly kind: 'workflow'; readonly name: string | null; readonly input: string | null }
  | { readonly kind: 'help' }
  | { readonly kind: 'exit' }
  | { readonly kind: 'end' }
  | { readonly kind: 'unknown'; readonly command: string };

const CHAT_HELP = `/role [NAME]              talk to another role; alone: the list
/workflow [NAME ["…"]]    run a workflow and tell the agent how it came out; alone: the list
/help                     this
/exit                     leave; "troupe chat --resume" continues
/end                      end the chat for good
`;

export function parseLine(line: string): ChatLine {
  const text = line.trim();
  if (text === '') return { kind: 'nothing' };
  if (!text.startsWith('/')) return { kind: 'say', text };
  const [command, rest] = splitOnce(text);
  const read = COMMANDS[command];
  return read === undefined ? { kind: 'unknown', command } : read(rest);
}

const COMMANDS: Readonly<Record<string, (rest: string) => ChatLine>> = {
  '/role': (rest) => ({ kind: 'role', name: rest || null }),
  '/workflow': (rest) => {
    const [name, input] = splitOnce(rest);
    return { kind: 'workflow', name: name || null, input: unquoted(input) || null };
  },
  '/help': () => ({ kind: 'help' }),
  '/exit': () => ({ kind: 'exit' }),
  '/quit': () => ({ kind: 'exit' }),
  '/end': () => ({ kind: 'end' }),
};

function splitOnce(text: string): readonly [string, string] {
  const cut = text.search(/\s/);
  return cut === -1 ? [text, ''] : [text.slice(0, cut), text.slice(cut).trim()];
}

function unquoted(text: string): string {
  const match = /^(["'])(.*)\1$/s.exec(text);
  return match?.[2] ?? text;
}

/** Reads lines, from a person or a pipe, until they end or the person leaves. */
export async function chatLoop(driving: DrivingSession, session: ChatSession): Promise<number> {
  const { terminal } = driving;
  const { stdin, stderr } = terminal;
  const isTyped = stdin.isTTY === true;
  const lines = createInterface({ input: stdin, ...(isTyped ? { output: stderr } : {}), terminal: isTyped });
  const interrupted = { is: false };
  lines.on('SIGINT', () => {
    if (lines.line !== '') return clearLine(lines);
    interrupted.is = true;
    lines.close();
  });
  greet(driving, session);
  try {
    prompt(lines, session, isTyped);
    for await (const line of lines) {
      if (!(await handle(driving, session, line))) break;
      prompt(lines, session, isTyped);
    }
  } finally {
    lines.close();
  }
  if (session.run !== null) {
    printNote(terminal, `\nThis chat is saved: troupe chat --resume ${session.run}`);
    await noteFiles(driving, session.run);
  }
  return interrupted.is ? EXIT.interrupted : EXIT.ok;
}

/** Changed files wait in the workspace of the chat until a person takes them. */
async function noteFiles({ host, terminal }: DrivingSession, run: RunId): Promise<void> {
  const { files, workspaces, workspace } = await host.snapshot(run);
  const tree = workspaces[workspace]?.tree;
  if (files === null || tree === undefined || tree === files.tree) return;
  printNote(terminal, `It changed files: troupe diff ${run}, then: troupe deliver ${run} --apply`);
}

/** What was typed so far is dropped; a second Ctrl-C leaves. */
function clearLine(lines: Interface): void {
  lines.write(null, { ctrl: true, name: 'e' });
  lines.write(null, { ctrl: true, name: 'u' });
}

function greet({ terminal, actors }: DrivingSession, { role, definition }: ChatSession): void {
  const spoken = definition.roles[role];
  if (spoken === undefined || terminal.mode.json) return;
  printNote(terminal, `You are talking to ${role}, ${playedBy(spoken, actors)}. /help lists the commands.`);
}

function playedBy(role: Role, source: ActorSource): string {
  const actor = chooseActor(role.actor, source.config);
  if (isClient(actor)) return `played by ${actorName(actor)}`;
  const { name, choice } = modelFor(role, actor, source);
  return `model ${choice.kind === 'api' ? `${name} (${choice.config.model})` : `${name} (scripted)`}`;
}

function prompt(lines: Interface, session: ChatSession, isTyped: boolean): void {
  if (!isTyped) return;
  lines.setPrompt(`${session.role}> `);
  lines.prompt();
}

/** A mistake of the person is printed, and the chat goes on. */
async function handle(driving: DrivingSession, session: ChatSession, line: string): Promise<boolean> {
  try {
    return await act(driving, session, parseLine(line));
  } catch (error) {
    if (!isFault(error)) throw error;
    driving.terminal.stderr.write(`${faultText(error)}\n`);
    return true;
  }
}

async function act(driving: DrivingSession, session: ChatSession, line: ChatLine): Promise<boolean> {
  const { stdout, stderr } = driving.terminal;
  switch (line.kind) {
    case 'nothing':
      return true;
    case 'say':
      return await session.send({ kind: 'say', role: session.role, text: line.text });
    case 'role':
      await changeRole(driving, session, line.name);
      return true;
    case 'workflow':
      return await workflow(driving, session, line);
    case 'help':
      stdout.write(CHAT_HELP);
      return true;
    case 'exit':
      return false;
    case 'end':
      await session.send({ kind: 'end' });
      return false;
    case 'unknown':
      stderr.write(`There is no command ${line.command}; /help lists them.\n`);
      return true;
    default:
      return unreachable(line);
  }
}

async function changeRole(driving: DrivingSession, session: ChatSession, name: string | null): Promise<void> {
  const { stdout, stderr } = driving.terminal;
  const roles = Object.keys(session.definition.roles);
  if (name === null) stdout.write(`${roles.map((role) => (role === session.role ? `${role} *` : role)).join('\n')}\n`);
  else if (roles.includes(name)) {
    await checkRole(driving, session, name);
    session.role = name;
    stderr.write(`You are talking to ${name} now.\n`);
  } else stderr.write(`There is no role ${name}. ${nameHint(name, roles) ?? ''}\n`);
}

/** Each role may have its own model, which has to be usable within the limits of the chat. */
async function checkRole({ actors }: DrivingSession, { definition, limits }: ChatSession, name: string): Promise<void> {
  const role = definition.roles[name];
  if (role !== undefined) await checkModels({ ...definition, roles: { [name]: role } }, actors, limits);
}

async function workflow(
  driving: DrivingSession,
  session: ChatSession,
  line: Extract<ChatLine, { readonly kind: 'workflow' }>,
): Promise<boolean> {
  const { project, terminal } = driving;
  if (line.name === null) {
    const library = await loadLibrary({ project, caller: terminal });
    terminal.stdout.write(`${workflowsText(listedWorkflows(library), terminal.stdout.columns || 120)}\n`);
    return true;
  }
  const text = await runInChat(driving, line.name, line.input);
  return await session.send({ kind: 'note', role: session.role, text });
}
