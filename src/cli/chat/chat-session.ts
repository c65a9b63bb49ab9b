import type { RunId } from '../../core/model/ids.ts';
import {
  openPermissions,
  PERMISSION_CHOICES,
  permissionText,
  type PermissionQuestion,
} from '../../core/step/turn/permit.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import type { Limits } from '../../core/model/workflow.ts';
import type { Answer, LiveEvent } from '../../host/port.ts';
import { personName } from '../../app/runs/person-name.ts';
import { placeTerms } from '../../app/runs/terms.ts';
import type { DrivingSession } from '../session/driving-types.ts';
import { nextStep } from '../session/next-step.ts';
import { settledLine } from '../../app/runs/settled-line.ts';
import { paintFor, type Paint } from '../terminal/colour.ts';
import { createLiveLines, type LiveLines, LiveWork } from '../terminal/progress.ts';
import { oneLine, plainText } from '../../protocol/plain-text.ts';
import { toolText } from '../../protocol/tool-words.ts';
import { spentText } from '../terminal/story-line.ts';
import { printNote } from '../terminal/terminal.ts';
import type { ChatInput } from './chat-workflow.ts';

/** One chat that is open in this process. */
export interface ChatSession {
  /** Null until something was said: an empty chat leaves nothing behind. */
  run: RunId | null;
  /** The role that answers. */
  role: string;
  readonly definition: Definition;
  readonly limits: Partial<Limits>;
  /** Says it and waits for the answer; false when the chat cannot go on. */
  send(input: ChatInput): Promise<boolean>;
}

export interface NewChat {
  readonly definition: Definition;
  readonly role: string;
}

/** Begins with the first thing said, which is also what the chat is called in lists. */
export function newChat(driving: DrivingSession, { definition, role }: NewChat): ChatSession {
  const { host, project } = driving;
  const { iterations: _own, ...limits } = project.config.limits;
  const session: ChatSession = {
    run: null,
    role,
    definition,
    limits,
    async send(input) {
      if (session.run === null) {
        if (input.kind === 'end') return false;
        const title = oneLine(input.text, 100);
        const terms = placeTerms(driving);
        session.run = await host.start({ definition, input: {}, limits, project: project.root, title, terms });
        await host.rest(session.run);
      }
      return await send(driving, session.run, input);
    },
  };
  return session;
}

export async function openChat(driving: DrivingSession, run: RunId): Promise<ChatSession> {
  const { host } = driving;
  const { data, limits } = await host.snapshot(run);
  return {
    run,
    role: typeof data['role'] === 'string' ? data['role'] : '',
    definition: await host.definition(run),
    limits,
    send: (input) => send(driving, run, input),
  };
}

async function send(driving: DrivingSession, run: RunId, input: ChatInput): Promise<boolean> {
  const { host } = driving;
  const before = await host.snapshot(run);
  const [permission] = openPermissions(before);
  // A tool that waits for permission asks again when the chat is resumed.
  if (permission !== undefined && input.kind === 'end') return false;
  const stop = showProgress(driving, run);
  const asked = Date.now();
  try {
    await host.answer(run, { ...answerTo(permission, input), by: personName(), via: 'terminal' });
    const rest = await host.rest(run);
    stop();
    const after = await host.snapshot(run);
    printReply(driving, before, after);
    noteCost(driving, { costUsd: (after.costUsd ?? 0) - (before.costUsd ?? 0), ms: Date.now() - asked });
    tellPermission(driving, after);
    if (rest.status === 'waiting') return true;
    const advice = nextStep(settledLine(rest, null));
    if (advice !== null) driving.terminal.stderr.write(`${advice}\n`);
    return false;
  } finally {
    stop();
  }
}

/** While a tool waits for a person's word, what is typed is that word. */
function answerTo(permission: PermissionQuestion | undefined, input: ChatInput): Omit<Answer, 'by'> {
  if (permission === undefined || input.kind === 'end') return { answer: input };
  return { question: permission.id, answer: input.text.trim() };
}

function tellPermission({ terminal }: DrivingSession, snapshot: Snapshot): void {
  const [permission] = openPermissions(snapshot);
  if (permission === undefined) return;
  const { stdout, stderr } = terminal;
  const text = plainText(permissionText(permission));
  if (terminal.mode.json) stdout.write(`${JSON.stringify({ kind: 'chat.permission', run: snapshot.run, text })}\n`);
  else stderr.write(`${text} (${PERMISSION_CHOICES.join(', ')})\n`);
}

/** Prints the cost and time of an answer, unless it was free. */
function noteCost(
  { terminal }: DrivingSession,
  { costUsd, ms }: { readonly costUsd: number; readonly ms: number },
): void {
  if (costUsd <= 0 || terminal.mode.json) return;
  printNote(terminal, paintFor(terminal.stderr, terminal.environment)('dim', `(${spentText(ms, costUsd)})`));
}

function printReply({ terminal }: DrivingSession, before: Snapshot, after: Snapshot): void {
  const { stdout, stderr } = terminal;
  const json = terminal.mode.json;
  for (const { failure } of after.failures.items.slice(before.failures.length)) {
    stderr.write(plainText(`${failure.code}: ${failure.message}\n`));
  }
  if (after.usage.calls === before.usage.calls || after.lastAgent === null) return;
  const text = after.agents[after.lastAgent]?.lastResponse ?? '';
  const line = { kind: 'chat.reply', run: after.run, role: after.lastAgent, text };
  stdout.write(json ? `${JSON.stringify(line)}\n` : `${plainText(text)}\n`);
}

/** What the agent is doing while one waits: its tools as lines, its words as they come on a line that goes away. */
function showProgress({ host, world, terminal }: DrivingSession, run: RunId): () => void {
  const { stderr, environment } = terminal;
  const live = stderr.isTTY && !environment['CI'] ? createLiveLines(stderr) : null;
  const paint = paintFor(stderr, environment);
  const log = live === null ? (line: string) => void stderr.write(`${line}\n`) : (line: string) => live.log(line);
  const state = { tail: '' };
  const stop = host.onLive((event) => {
    if (event.run === run) show(event, { live, paint, log, state });
  });
  const work = new LiveWork(() => live?.show(work.lines()));
  const stopWork = world.onProgress((progress) => {
    const text = work.take(progress);
    if (text !== null) log(paint('dim', text));
    live?.show(work.lines());
  });
  return () => {
    stop();
    stopWork();
    work.rest();
    live?.close();
  };
}

interface Shown {
  readonly live: LiveLines | null;
  readonly paint: Paint;
  readonly log: (line: string) => void;
  readonly state: { tail: string };
}

function show(event: LiveEvent, { live, paint, log, state }: Shown): void {
  if (event.kind === 'text') {
    state.tail = `${state.tail}${event.delta}`.slice(-400);
    live?.show([`… ${oneLine(state.tail, 400).slice(-100)}`]);
    return;
  }
  const { fact } = event.record;
  if (fact.kind !== 'call.answered') return;
  state.tail = '';
  for (const call of fact.message.toolCalls ?? []) {
    log(paint('dim', `⚙ ${oneLine(toolText(call, 100))}`));
  }
}
