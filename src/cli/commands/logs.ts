import type { Fact } from '../../core/fact.ts';
import { Fault } from '../../core/fault.ts';
import type { BodyHash, RunId } from '../../core/ids.ts';
import type { Json } from '../../core/json.ts';
import type { Message } from '../../core/message.ts';
import type { Definition } from '../../core/role.ts';
import type { Journal } from '../../journal/port.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { flag, textOption, word } from '../invocation.ts';
import { findRun } from '../session/find-run.ts';
import { followRun, type TreeRecord } from '../session/follow-run.ts';
import { onInterrupt } from '../session/interrupt.ts';
import { withStore, type Store } from '../session/store.ts';
import { paintFor, type Paint } from '../terminal/colour.ts';
import { filesText } from '../terminal/files-story.ts';
import { outcomeText } from '../terminal/outcome-text.ts';
import { plainText } from '../terminal/plain-text.ts';
import { recordLine } from '../../protocol/run-line.ts';

interface LogEntry {
  readonly author: string;
  readonly text: string;
}

/** `troupe logs RUN`: everything that was said and done, in full; `--agent` for one of them. */
export async function logsCommand(invocation: Invocation): Promise<number> {
  return await withStore(invocation.terminal, async (store) => {
    const interrupt = onInterrupt();
    const ended = await Promise.race([printLogs(invocation, store), interrupt.asked]);
    interrupt.stop();
    return ended === 'interrupted' ? EXIT.interrupted : ended;
  });
}

async function printLogs(invocation: Invocation, { journal }: Store): Promise<number> {
  const { terminal } = invocation;
  const { run } = await findRun(journal, word(invocation, 0) ?? 'last', invocation.terminal.folder);
  const agent = textOption(invocation, 'agent');
  if (agent !== undefined) await refuseUnknown(journal, run, agent);
  const isOver = async (): Promise<boolean> => !flag(invocation, 'follow') || (await journal.run(run))?.driven !== true;
  const paint = paintFor(terminal.stdout, terminal.environment);
  const authors = new Map<string, string>();
  for await (const item of followRun(journal, run, { isOver })) {
    const entry = entryOf(item, authors);
    if (entry === null || (agent !== undefined && entry.author !== agent)) continue;
    terminal.stdout.write(flag(invocation, 'json') ? jsonText(item, entry) : entryText(item, entry, paint));
  }
  return EXIT.ok;
}

/** A name that nobody bears would print nothing, which looks like an agent that said nothing. */
async function refuseUnknown(journal: Journal, run: RunId, agent: string): Promise<void> {
  const known = new Set<string>(['troupe']);
  const authors = new Map<string, string>();
  for await (const item of followRun(journal, run, { isOver: async () => true })) {
    const { fact } = item.record;
    if (fact.kind === 'run.started') for (const name of await agentsOf(journal, fact.definition)) known.add(name);
    const entry = entryOf(item, authors);
    if (entry?.author === agent) return;
  }
  if (known.has(agent)) return;
  const names = [...known].filter((name) => name !== 'troupe');
  throw new Fault('AGENT_UNKNOWN', `No agent of run ${run} is named "${agent}".`, {
    hint: names.length === 0 ? 'It has no agents.' : `Its agents: ${names.join(', ')}.`,
    facts: { agents: names },
  });
}

async function agentsOf(journal: Journal, hash: BodyHash): Promise<readonly string[]> {
  const { workflow, library } = (await journal.getBody(hash)) as unknown as Definition;
  return [workflow, ...Object.values(library)].flatMap(({ agents }) => agents.map(({ name }) => name));
}

function jsonText({ run, record }: TreeRecord, entry: LogEntry): string {
  return `${JSON.stringify({ ...recordLine(run, record), author: entry.author, text: entry.text })}\n`;
}

function entryText({ record }: TreeRecord, entry: LogEntry, paint: Paint): string {
  const time = new Date(record.at).toTimeString().slice(0, 8);
  return `${paint('dim', time)} ${paint('cyan', entry.author)}: ${plainText(entry.text)}\n`;
}

function entryOf({ run, record }: TreeRecord, authors: Map<string, string>): LogEntry | null {
  const { fact } = record;
  if (fact.kind === 'task.started' && fact.work.kind === 'turn') authors.set(`${run} ${fact.task}`, fact.work.agent);
  const task = 'task' in fact ? fact.task : null;
  const author = task === null ? 'troupe' : (authors.get(`${run} ${task}`) ?? task);
  const text = textOf(fact);
  return text === null ? null : { author, text };
}

/** What was said; the bookkeeping around it is what `watch` is for. */
function textOf(fact: Fact): string | null {
  switch (fact.kind) {
    case 'task.started':
      return startedText(fact);
    case 'call.answered':
      return spokenText(fact.message);
    case 'call.failed':
      return `${fact.failure.code}: ${fact.failure.message}`;
    case 'tool.finished':
      return `${fact.isError ? '✗' : '✓'} ${fact.refused === undefined ? '' : `refused (${fact.refused}): `}${fact.content}`;
    case 'question.answered':
      return `${fact.by} answered: ${answerText(fact.answer)}`;
    case 'run.settled':
      return `settled: ${outcomeText(fact.outcome, fact.failure)}`;
    case 'permission.asked':
      return 'asks whether it may use a tool';
    default:
      return filesText(fact);
  }
}

function spokenText({ content, toolCalls = [] }: Message): string {
  const calls = toolCalls.map((call) => `⚙ ${call.name} ${JSON.stringify(call.arguments)}`);
  return [content, ...calls].filter((part) => part !== '').join('\n');
}

const answerText = (answer: Json): string => (typeof answer === 'string' ? answer : JSON.stringify(answer));

function startedText({ work }: Extract<Fact, { readonly kind: 'task.started' }>): string | null {
  if (work.kind === 'turn') return work.input === null ? null : `← ${work.input}`;
  if (work.kind === 'command') return `$ ${work.command}`;
  return work.kind === 'ask' ? `asks: ${work.question}` : null;
}
