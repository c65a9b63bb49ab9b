import type { CallAnswered, JournalRecord, ResolvedWork, TaskEnded, TaskStarted } from '../../core/fact.ts';
import type { Json } from '../../core/json.ts';
import { describeLimit, LIMIT_CODES } from '../../core/limits.ts';
import type { ToolCall } from '../../core/message.ts';
import { permissionText } from '../../core/permit.ts';
import { filesStyle, filesText } from './files-story.ts';
import { outcomeText } from './outcome-text.ts';
import { oneLine } from './plain-text.ts';
import type { Style } from './colour.ts';

/** One line about something that happened, in people's words. */
export interface StoryLine {
  readonly who: string;
  readonly text: string;
  readonly style: Style | null;
}

/** Tells a run record by record. It remembers who does which task, since later records name only the task. */
export interface RunStory {
  tell(run: string, record: JournalRecord): readonly StoryLine[];
  /** Remembers who does what, and tells nothing. */
  recall(run: string, record: JournalRecord): void;
  /** Whether one of the lines said this, as a question or a limit. */
  readonly hasTold: (text: string) => boolean;
  /** What is going on at this moment, by task. */
  readonly active: ReadonlyMap<string, { readonly who: string; readonly doing: string }>;
}

interface Telling {
  readonly run: string;
  readonly at: number;
  readonly tasks: Map<string, Doer>;
}

interface Doer {
  readonly who: string;
  readonly doing: string;
  readonly work: ResolvedWork;
  readonly calls: Map<string, ToolCall>;
  /** The failure that was told last: the task that ends of it need not repeat it. */
  told: string | null;
}

type Tell<Kind extends JournalRecord['fact']['kind']> = (
  fact: Extract<JournalRecord['fact'], { readonly kind: Kind }>,
  telling: Telling,
) => StoryLine | null;

export function createRunStory(given: string | null = null): RunStory {
  /** The run that is shown: the one that was named, or the first that is told of. */
  let root = given;
  const tasks: Telling['tasks'] = new Map();
  const told: string[] = [];
  return {
    active: tasks,
    hasTold: (text) => told.some((line) => line.includes(oneLine(text, ASKED))),
    recall: (run, record) => void lineOf({ run, at: record.at, tasks }, record.fact),
    tell(run, record) {
      root ??= run;
      const line = lineOf({ run, at: record.at, tasks }, record.fact);
      if (line === null) return [];
      if (ASKING.has(record.fact.kind)) told.push(line.text);
      const where = run === root ? '' : `${shortChild(root, run)} `;
      return [{ ...line, who: `${where}${line.who}` }];
    },
  };
}

function lineOf(telling: Telling, fact: JournalRecord['fact']): StoryLine | null {
  const tell = TELLERS[fact.kind] as Tell<typeof fact.kind> | undefined;
  return tell?.(fact, telling) ?? filesLine(fact);
}

/** Facts whose line may be a question to the person. */
const ASKING: ReadonlySet<string> = new Set(['task.started', 'limit.reached', 'permission.asked']);

/** How much of a question is shown. */
const ASKED = 400;

/** A child is named by the way from the run that is shown. */
const shortChild = (root: string, run: string): string => (run.startsWith(root) ? run.slice(root.length + 1) : run);

const say = (who: string, text: string, style: Style | null = null): StoryLine => ({ who, text, style });
const key = (telling: Telling, task: string): string => `${telling.run} ${task}`;
const whoDoes = (telling: Telling, task: string): string => telling.tasks.get(key(telling, task))?.who ?? task;

function filesLine(fact: JournalRecord['fact']): StoryLine | null {
  const text = filesText(fact);
  return text === null ? null : say('troupe', text, filesStyle(fact));
}

const TELLERS: { readonly [Kind in JournalRecord['fact']['kind']]?: Tell<Kind> } = {
  'run.started': (fact) => say('troupe', `${fact.workflow} started as run ${fact.run}`, 'bold'),
  'run.resumed': () => say('troupe', 'resumed', 'bold'),
  'run.cancelled': (fact) => say('troupe', oneLine(`cancelled by ${fact.by}: ${fact.reason}`), 'yellow'),
  'run.settled': (fact, telling) => {
    for (const name of telling.tasks.keys()) if (name.startsWith(`${telling.run} `)) telling.tasks.delete(name);
    // Who cancelled it was told when it happened.
    const failure = fact.outcome === 'cancelled' ? null : fact.failure;
    return say(
      'troupe',
      oneLine(`settled: ${outcomeText(fact.outcome, failure)}`, 400),
      fact.outcome === 'ok' ? 'green' : 'red',
    );
  },
  'state.entered': (fact) => say('troupe', `→ ${fact.state}${fact.visit > 1 ? ` (visit ${fact.visit})` : ''}`, 'dim'),
  'task.started': taskStarted,
  'task.ended': taskEnded,
  'call.answered': callAnswered,
  'call.failed': (fact, telling) => {
    const { code, message } = fact.failure;
    const doer = telling.tasks.get(key(telling, fact.task));
    if (doer !== undefined) doer.told = message;
    const text = fact.retryAt === null ? message : `${message} Trying again in ${wait(fact.retryAt - telling.at)}.`;
    return say(whoDoes(telling, fact.task), oneLine(`${code}: ${text}`, 300), 'yellow');
  },
  'tool.finished': (fact, telling) => {
    // A structured reply was told with the words it came with.
    if (fact.accepted === true) return null;
    const doer = telling.tasks.get(key(telling, fact.task));
    const call = doer?.calls.get(fact.toolCall);
    const refused = fact.refused === undefined ? '' : ` refused (${fact.refused})`;
    const why = fact.isError ? `${refused}: ${oneLine(fact.content, 120)}` : '';
    const text = `${fact.isError ? '✗' : '✓'} ${call === undefined ? 'tool' : callText(call)}${why}`;
    return say(doer?.who ?? fact.task, text, fact.isError ? 'yellow' : 'dim');
  },
  'permission.asked': (fact, telling) => {
    const doer = telling.tasks.get(key(telling, fact.task));
    const toolCall = doer?.calls.get(fact.toolCall);
    if (toolCall === undefined || doer?.work.kind !== 'turn') return say('question', 'a tool needs your word', 'cyan');
    return say('question', oneLine(permissionText({ ...NOWHERE, agent: doer.work.agent, toolCall }), ASKED), 'cyan');
  },
  'unit.ended': (fact) => say(fact.unit, oneLine(`${fact.outcome}: ${fact.reason}`), 'yellow'),
  'context.trimmed': (fact) => say('troupe', `conversation ${fact.context} trimmed by ${fact.dropped} messages`, 'dim'),
  'limit.reached': (fact) =>
    say('troupe', `${LIMIT_CODES[fact.limit]}: ${describeLimit(fact)} The run is paused.`, 'yellow'),
  // It may have been unlimited before, so "raised" would be wrong.
  'limit.raised': ({ by, limit, allowed }) =>
    say('troupe', `${by} set ${LIMIT_CODES[limit]} to ${limit === 'durationMs' ? wait(allowed) : allowed}`, 'bold'),
  'question.answered': (fact) => say(fact.by, oneLine(`answered: ${textOf(fact.answer)}`), 'cyan'),
};

/** The rest of a question that only its text is wanted of. */
const NOWHERE = { id: '', task: '', state: '', at: 0 };

const wait = (ms: number): string => (ms < 1000 ? `${Math.max(0, ms)} ms` : `${Math.round(ms / 100) / 10} s`);

function taskStarted(fact: TaskStarted, telling: Telling): StoryLine | null {
  const who = fact.unit === null ? workerOf(fact.work, fact.state) : `${fact.unit} ${workerOf(fact.work, fact.state)}`;
  telling.tasks.set(key(telling, fact.task), {
    who,
    doing: doingOf(fact.work),
    work: fact.work,
    calls: new Map(),
    told: null,
  });
  switch (fact.work.kind) {
    case 'ask':
      return say('question', oneLine(fact.work.question, ASKED), 'cyan');
    case 'command':
      return say(who, oneLine(`$ ${fact.work.command}`));
    case 'call':
      return say(who, `calls ${fact.work.workflow}`);
    case 'merge':
      return say(who, `merges ${fact.work.agent ?? 'into the run that started it'}`);
    default:
      return null;
  }
}

function workerOf(work: ResolvedWork, state: string): string {
  return work.kind === 'turn' ? work.agent : state;
}

function doingOf(work: ResolvedWork): string {
  if (work.kind === 'turn') return 'thinking';
  if (work.kind === 'ask') return 'waiting for a person';
  return work.kind === 'command' ? oneLine(work.command, 60) : work.kind;
}

function taskEnded(fact: TaskEnded, telling: Telling): StoryLine | null {
  const name = key(telling, fact.task);
  const doer = telling.tasks.get(name);
  telling.tasks.delete(name);
  if (doer === undefined || (fact.outcome === 'ok' && (doer.work.kind === 'turn' || doer.work.kind === 'ask')))
    return null;
  if (fact.failure !== null && fact.failure.message === doer.told) return null;
  return say(doer.who, oneLine(outcomeText(fact.outcome, fact.failure), 400), fact.outcome === 'ok' ? 'dim' : 'yellow');
}

function callAnswered(fact: CallAnswered, telling: Telling): StoryLine | null {
  const calls = fact.message.toolCalls ?? [];
  const doer = telling.tasks.get(key(telling, fact.task));
  for (const call of calls) doer?.calls.set(call.id, call);
  const parts = [oneLine(fact.message.content, 240), ...calls.map((call) => `⚙ ${callText(call)}`)];
  const text = parts.filter((part) => part !== '').join('  ');
  return text === '' ? null : say(fact.message.author, text);
}

/** `write_file src/a.ts`: the tool and its most telling argument. */
function callText(call: ToolCall): string {
  const first = Object.values(asObject(call.arguments)).find((value) => typeof value === 'string') ?? '';
  return oneLine(`${call.name} ${textOf(first)}`, 80);
}

const asObject = (value: Json): Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, Json>>) : {};

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
