import type { ActivityNoted } from '../../core/record/agent-fact.ts';
import type { Fact } from '../../core/record/fact.ts';
import { Fault } from '../../core/model/fault.ts';
import type { BodyHash, RunId } from '../../core/model/ids.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Journal } from '../../journal/port.ts';
import { rawTurns } from '../../app/views/raw-logs.ts';
import { flag, type Invocation, textOption, word } from '../invocation.ts';
import { EXIT } from '../exit-code.ts';
import { findRun } from '../../app/runs/find-run.ts';
import { followRun, watchChanges } from '../../app/runs/tree-reader.ts';
import type { RunRecord } from '../../protocol/history/run-record.ts';
import { isGoingOn } from '../../app/workers/queued-run.ts';
import { type OpenStore, type Store, withStore } from '../../app/world/store.ts';
import { AgentStory } from '../terminal/agent-story.ts';
import { type Paint, paintFor } from '../terminal/colour.ts';
import { logText } from '../terminal/log-text.ts';
import { TaskBook } from '../../protocol/history/task-book.ts';
import { entry } from '../../protocol/metrics/counters.ts';
import { plainText } from '../../protocol/plain-text.ts';
import { inside, RunNames, STEP } from '../../protocol/run-names.ts';
import { recordLine } from '../../protocol/run-line.ts';
import type { LogLine } from '../../protocol/log-lines/log-line.ts';
import { RunLines } from '../../app/observers/logs/log-file.ts';
import { untilInterrupted } from './carry-out.ts';

interface LogEntry {
  readonly author: string;
  /** The author with the way down to the run it speaks in. */
  readonly who: string;
  readonly text: string;
}

/** `troupe logs RUN`: everything that was said and done, in full; `--agent` for one of them. */
export async function logsCommand(invocation: Invocation): Promise<number> {
  return await withStore(invocation.terminal, (store) => untilInterrupted(printLogs(invocation, store)));
}

async function printLogs(invocation: Invocation, store: OpenStore): Promise<number> {
  const { journal } = store;
  const { terminal } = invocation;
  const { run } = await findRun(journal, word(invocation, 0) ?? 'last', invocation.terminal.folder);
  if (flag(invocation, 'raw')) return await printRaw(invocation, store, run);
  refuseTask(invocation);
  const agent = textOption(invocation, 'agent');
  if (agent !== undefined) await refuseUnknown(journal, run, agent);
  const isOver = async (): Promise<boolean> => !flag(invocation, 'follow') || !(await isGoingOn(store, run));
  if (flag(invocation, 'jsonLines')) {
    await printLogLines(journal, { run, agent, isOver, write: (text) => void terminal.stdout.write(text) });
    return EXIT.ok;
  }
  const paint = paintFor(terminal.stdout, terminal.environment);
  const people = peopleOf(run);
  for await (const item of followRun(journal, run, { isOver })) {
    const said = entryOf(item, people);
    if (said === null || (agent !== undefined && said.author !== agent)) continue;
    terminal.stdout.write(flag(invocation, 'json') ? jsonText(item, said) : entryText(item, said, paint));
  }
  return EXIT.ok;
}

/** What clients said, as they said it. */
async function printRaw(invocation: Invocation, store: Store, run: RunId): Promise<number> {
  const { stdout, stderr } = invocation.terminal;
  const isJson = flag(invocation, 'json');
  const turns = await rawTurns(store, run, textOption(invocation, 'task'));
  for (const { task, lines } of turns) {
    // Apart from the lines themselves, which a program may read.
    if (turns.length > 1 && !isJson) stderr.write(`── ${task}\n`);
    for (const line of await lines())
      stdout.write(isJson ? `${JSON.stringify({ kind: 'line', run, task, line })}\n` : `${plainText(line)}\n`);
  }
  return EXIT.ok;
}

/** A task alone would print everything, which was not asked for. */
function refuseTask(invocation: Invocation): void {
  if (textOption(invocation, 'task') === undefined) return;
  throw new Fault('USAGE', '--task goes with --raw.', { hint: 'To see one agent only: --agent NAME' });
}

/** A name that no agent has would print nothing, which looks like an agent that said nothing. */
async function refuseUnknown(journal: Journal, run: RunId, agent: string): Promise<void> {
  const known = new Set<string>(['troupe']);
  const people = peopleOf(run);
  for await (const item of followRun(journal, run, { isOver: async () => true })) {
    const { fact } = item.record;
    if (fact.kind === 'run.started') for (const name of await agentsOf(journal, fact.definition)) known.add(name);
    const said = entryOf(item, people);
    if (said?.author === agent) return;
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

function jsonText({ run, record }: RunRecord, entry: LogEntry): string {
  return `${JSON.stringify({ ...recordLine(run, record), author: entry.author, text: entry.text })}\n`;
}

function entryText({ record }: RunRecord, entry: LogEntry, paint: Paint): string {
  const time = new Date(record.at).toTimeString().slice(0, 8);
  return `${paint('dim', time)} ${paint('cyan', entry.who)}: ${plainText(entry.text)}\n`;
}

/** Who speaks in which run, as far as records have said. */
interface People {
  readonly root: RunId;
  readonly names: RunNames;
  readonly books: Map<RunId, TaskBook>;
  /** What clients do, by turn. */
  readonly activities: Map<string, AgentStory>;
}

const peopleOf = (root: RunId): People => ({
  root,
  names: new RunNames(),
  books: new Map(),
  activities: new Map(),
});

function entryOf({ run, record }: RunRecord, { root, names, books, activities }: People): LogEntry | null {
  const { fact } = record;
  names.learn(run, fact);
  const book = entry(books, run, () => new TaskBook());
  book.take(record);
  const task = 'task' in fact ? (fact.task ?? null) : null;
  const author = addressee(fact) ?? (task === null ? 'troupe' : (book.turnAgent(task) ?? task));
  const tool = fact.kind === 'tool.finished' ? book.toolCall(fact.task, fact.toolCall)?.name : undefined;
  const text = fact.kind === 'activity.noted' ? activityText(run, fact, activities) : logText(record, tool);
  return text === null ? null : { author, who: inside(names.of(root, run), author), text };
}

/** What a person says to an agent belongs to that agent. */
const addressee = (fact: Fact): string | undefined =>
  fact.kind === 'message.added' && fact.by !== undefined ? fact.message.to : undefined;

/** What a client did by itself since its last report. */
function activityText(run: RunId, { task, items }: ActivityNoted, known: People['activities']): string | null {
  const key = `${run} ${task}`;
  const story = known.get(key) ?? new AgentStory();
  known.set(key, story);
  const lines = story.lines(items).map(({ inside: way, text }) => [...way, text].join(STEP));
  return lines.length === 0 ? null : lines.join('\n');
}

export interface PrintedLines {
  readonly run: RunId;
  /** Only of this agent. */
  readonly agent?: string | undefined;
  /** Asked when everything so far was printed: is that all? */
  readonly isOver: () => Promise<boolean>;
  readonly write: (text: string) => void;
}

/** How long a silent journal is trusted: a driver that was killed writes nothing to say so. */
const PATIENCE_MS = 500;

/** `troupe logs RUN --json-lines`: what the log files hold, from the journal, so it is whole also where they are gone. */
export async function printLogLines(journal: Journal, { run, agent, isOver, write }: PrintedLines): Promise<void> {
  const lines = new RunLines(journal, run);
  const isWanted = ({ agent_id }: LogLine): boolean => agent === undefined || agent_id === agent;
  const changes = watchChanges(journal);
  try {
    for (;;) {
      // Asked before reading: whatever was written before the end is then certainly read.
      const isLast = await isOver();
      const news = await lines.readOn();
      for (const line of news.filter(isWanted)) write(`${JSON.stringify(line)}\n`);
      if (isLast) return;
      if (news.length === 0) await changes.next(PATIENCE_MS);
    }
  } finally {
    changes.close();
  }
}
