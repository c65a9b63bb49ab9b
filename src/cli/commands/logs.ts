import type { ActivityNoted } from '../../core/agent-fact.ts';
import type { Fact } from '../../core/fact.ts';
import { Fault } from '../../core/fault.ts';
import type { BodyHash, RunId } from '../../core/ids.ts';
import type { Definition } from '../../core/role.ts';
import type { Journal } from '../../journal/port.ts';
import { rawTurns } from '../../app/views/raw-logs.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { flag, textOption, word } from '../invocation.ts';
import { findRun } from '../../app/runs/find-run.ts';
import { followRun } from '../../app/runs/follow-run.ts';
import type { TreeRecord } from '../../protocol/history/tree-record.ts';
import { onInterrupt } from '../session/interrupt.ts';
import { withStore, type Store } from '../../app/world/store.ts';
import { AgentStory } from '../terminal/agent-story.ts';
import { paintFor, type Paint } from '../terminal/colour.ts';
import { logText } from '../terminal/log-text.ts';
import { plainText } from '../../protocol/plain-text.ts';
import { inside, RunNames, STEP } from '../../protocol/run-names.ts';
import { recordLine } from '../../protocol/run-line.ts';

interface LogEntry {
  readonly author: string;
  /** The author with the way down to the run it speaks in. */
  readonly who: string;
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

async function printLogs(invocation: Invocation, { journal, home }: Store): Promise<number> {
  const { terminal } = invocation;
  const { run } = await findRun(journal, word(invocation, 0) ?? 'last', invocation.terminal.folder);
  if (flag(invocation, 'raw')) return await printRaw(invocation, { journal, home }, run);
  refuseTask(invocation);
  const agent = textOption(invocation, 'agent');
  if (agent !== undefined) await refuseUnknown(journal, run, agent);
  const isOver = async (): Promise<boolean> => !flag(invocation, 'follow') || !(await isMoving(journal, run));
  if (flag(invocation, 'jsonLines')) {
    const { printLogLines } = await import('../logs/print-log-lines.ts');
    await printLogLines(journal, { run, agent, isOver, write: (text) => void terminal.stdout.write(text) });
    return EXIT.ok;
  }
  const paint = paintFor(terminal.stdout, terminal.environment);
  const people = peopleOf(run);
  for await (const item of followRun(journal, run, { isOver })) {
    const entry = entryOf(item, people);
    if (entry === null || (agent !== undefined && entry.author !== agent)) continue;
    terminal.stdout.write(flag(invocation, 'json') ? jsonText(item, entry) : entryText(item, entry, paint));
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

/** Somebody drives it, or brings its result to the user. */
async function isMoving(journal: Journal, run: RunId): Promise<boolean> {
  const info = await journal.run(run);
  return info?.driven === true;
}

/** A name that no agent has would print nothing, which looks like an agent that said nothing. */
async function refuseUnknown(journal: Journal, run: RunId, agent: string): Promise<void> {
  const known = new Set<string>(['troupe']);
  const people = peopleOf(run);
  for await (const item of followRun(journal, run, { isOver: async () => true })) {
    const { fact } = item.record;
    if (fact.kind === 'run.started') for (const name of await agentsOf(journal, fact.definition)) known.add(name);
    const entry = entryOf(item, people);
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
  return `${paint('dim', time)} ${paint('cyan', entry.who)}: ${plainText(entry.text)}\n`;
}

/** Who speaks in which run, as far as records have said. */
interface People {
  readonly root: RunId;
  readonly names: RunNames;
  readonly authors: Map<string, string>;
  /** The tools of calls under way, by task and call. */
  readonly tools: Map<string, string>;
  /** What clients do, by turn. */
  readonly activities: Map<string, AgentStory>;
}

const peopleOf = (root: RunId): People => ({
  root,
  names: new RunNames(),
  authors: new Map(),
  tools: new Map(),
  activities: new Map(),
});

function entryOf({ run, record }: TreeRecord, { root, names, authors, tools, activities }: People): LogEntry | null {
  const { fact } = record;
  names.learn(run, fact);
  if (fact.kind === 'task.started' && fact.work.kind === 'turn') authors.set(`${run} ${fact.task}`, fact.work.agent);
  const task = 'task' in fact ? (fact.task ?? null) : null;
  const author = toldTo(fact) ?? (task === null ? 'troupe' : (authors.get(`${run} ${task}`) ?? task));
  const text =
    fact.kind === 'activity.noted' ? activityText(run, fact, activities) : logText(record, toolOf(run, fact, tools));
  return text === null ? null : { author, who: inside(names.of(root, run), author), text };
}

/** The tool that has finished: its record names only the call. */
function toolOf(run: RunId, fact: Fact, tools: People['tools']): string | undefined {
  if (fact.kind === 'tool.finished') return tools.get(`${run} ${fact.task} ${fact.toolCall}`);
  if (fact.kind === 'call.answered')
    for (const { id, name } of fact.message.toolCalls ?? []) tools.set(`${run} ${fact.task} ${id}`, name);
  return undefined;
}

/** What a person says to an agent belongs to that agent. */
const toldTo = (fact: Fact): string | undefined =>
  fact.kind === 'message.added' && fact.by !== undefined ? fact.message.to : undefined;

/** What a client did by itself since its last report. */
function activityText(run: RunId, { task, items }: ActivityNoted, known: People['activities']): string | null {
  const key = `${run} ${task}`;
  const story = known.get(key) ?? new AgentStory();
  known.set(key, story);
  const lines = story.lines(items).map(({ inside: way, text }) => [...way, text].join(STEP));
  return lines.length === 0 ? null : lines.join('\n');
}
