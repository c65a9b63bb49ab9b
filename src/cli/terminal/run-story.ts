import { FILES_CHANGED } from '../../core/open-questions.ts';
import { durationText } from '../../core/amount-text.ts';
import type { CallAnswered, JournalRecord, ResolvedWork, TaskEnded, TaskStarted } from '../../core/fact.ts';
import type { CompactionFact } from '../../core/compaction-fact.ts';
import { compactionText } from '../../core/compaction-text.ts';
import type { ActivityNoted } from '../../core/agent-fact.ts';
import type { Json } from '../../core/json.ts';
import { describeLimit, LIMIT_CODES, limitText } from '../../core/limits.ts';
import type { ToolCall } from '../../core/message.ts';
import type { Failure } from '../../core/outcome.ts';
import { permissionText } from '../../core/permit.ts';
import { programNote } from '../../core/program-note.ts';
import { namedRun } from '../../protocol/named-run.ts';
import { noticeIn } from '../../protocol/notice.ts';
import { leftOutLine } from '../files/left-out.ts';
import { missingPackagesLine } from '../../app/results/missing-packages.ts';
import { AgentStory, doingText, movedText, quotaText, sessionText } from './agent-story.ts';
import { filesStyle, filesText } from './files-story.ts';
import { QuestionNames } from './question-names.ts';
import { inside, RunNames, STEP, type RunName } from '../../protocol/run-names.ts';
import { outcomeText } from '../../protocol/outcome-text.ts';
import { oneLine } from '../../protocol/plain-text.ts';
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
  /** What is going on at this moment. */
  active(): readonly ActiveTask[];
}

export interface ActiveTask {
  /** The run and the task. */
  readonly key: string;
  readonly who: string;
  readonly doing: string;
}

interface Telling {
  readonly run: string;
  readonly at: number;
  readonly tasks: Map<string, Doer>;
  readonly questions: QuestionNames;
}

interface Doer {
  readonly run: string;
  readonly who: string;
  doing: string;
  readonly work: ResolvedWork;
  readonly calls: Map<string, ToolCall>;
  /** The failure that was told last: the task that ends of it need not repeat it. */
  told: string | null;
  /** Where it is a program of its own. */
  readonly activities: AgentStory;
}

type Tell<Kind extends JournalRecord['fact']['kind']> = (
  fact: Extract<JournalRecord['fact'], { readonly kind: Kind }>,
  telling: Telling,
) => StoryLine | null;

export function createRunStory(given: string | null = null): RunStory {
  /** The run that is shown: the one that was named, or the first that is told of. */
  let root = given;
  const tasks: Telling['tasks'] = new Map();
  const names = new RunNames();
  const questions = new QuestionNames();
  const told: string[] = [];
  const linesFor = (run: string, record: JournalRecord): readonly StoryLine[] => {
    const seen = (root ??= run);
    names.learn(run, record.fact);
    const question = questions.learn(run, record);
    const name = names.of(seen, run);
    const lines = linesOf({ run, at: record.at, tasks, questions }, record.fact);
    return lines.flatMap((line) => seenFrom({ line, fact: record.fact, question, root: seen, run, name }) ?? []);
  };
  return {
    active: () =>
      [...tasks].map(([id, { run, who, doing }]) => ({
        key: id,
        who: inside(names.of(root ?? run, run), who),
        doing,
      })),
    hasTold: (text) => told.some((line) => line.includes(oneLine(text, Infinity))),
    recall: (run, record) => void linesFor(run, record),
    tell(run, record) {
      const lines = linesFor(run, record);
      if (ASKING.has(record.fact.kind)) told.push(...lines.map(({ text }) => text));
      return [...lines, ...leftOutLines(record.fact), ...setupLines(record.fact), ...noticeLines(record.fact)];
    },
  };
}

/** Once for a run, when it begins: what its agents do not get to see. */
function leftOutLines(fact: JournalRecord['fact']): readonly StoryLine[] {
  const skipped = fact.kind === 'run.started' ? fact.files?.skipped : undefined;
  return skipped === undefined ? [] : [say('troupe', leftOutLine(skipped), 'yellow')];
}

/** Once for a run that runs commands: why they will not find their packages. */
function setupLines(fact: JournalRecord['fact']): readonly StoryLine[] {
  if (fact.kind !== 'run.started' || fact.sandbox === undefined || fact.brief?.missing === undefined) return [];
  return [say('troupe', missingPackagesLine(fact.brief.missing), 'yellow')];
}

/** What a workflow wants a person to know. */
function noticeLines(fact: JournalRecord['fact']): readonly StoryLine[] {
  const notice = noticeIn(fact);
  return notice === null ? [] : [say('notice', oneLine(notice, 600), 'yellow')];
}

interface Seen {
  readonly line: StoryLine;
  readonly fact: JournalRecord['fact'];
  /** The question that is asked, as its run calls it. */
  readonly question: string | null;
  readonly root: string;
  readonly run: string;
  readonly name: RunName | null;
}

/** The line as somebody sees it who looks at the root: with whose it is, and what to answer by. */
function seenFrom({ line, fact, question, root, run, name }: Seen): StoryLine | null {
  const way = run === root ? '' : `${run.slice(root.length + 1)}/`;
  // It is a person that speaks, from wherever.
  if (fact.kind === 'question.answered' || fact.kind === 'question.asked')
    return { ...line, text: line.text.replace(/^answered (?=q\d)/, `$&${way}`) };
  if (line.who === 'question' && question !== null) {
    const whose = name === null ? '' : `${name.text}: `;
    return { ...line, who: `question ${way}${question}`, text: `${whose}${namedRun(line.text, run)}` };
  }
  const own = { ...line, who: inside(name, line.who) };
  return name === null || name.subAgent === null ? own : ofSubAgent(own, fact);
}

/** It has but one state, and its name says who it is: what matters is what it was told. */
function ofSubAgent(line: StoryLine, fact: JournalRecord['fact']): StoryLine | null {
  if (fact.kind === 'state.entered') return null;
  if (fact.kind !== 'run.started') return line;
  return { ...line, text: oneLine(`starts: ${textOf(fact.input['prompt'] ?? '')}`) };
}

function linesOf(telling: Telling, fact: JournalRecord['fact']): readonly StoryLine[] {
  if (fact.kind === 'activity.noted') return activityLines(telling, fact);
  const tell = TELLERS[fact.kind] as Tell<typeof fact.kind> | undefined;
  const line = tell?.(fact, telling) ?? filesLine(fact);
  return line === null ? [] : [line];
}

/** What a client did by itself, many things in one record. */
function activityLines(telling: Telling, { task, items }: ActivityNoted): readonly StoryLine[] {
  const doer = telling.tasks.get(key(telling, task));
  if (doer === undefined) return [];
  doer.doing = doingText(items) ?? doingOf(doer.work);
  return doer.activities
    .tell(items)
    .map(({ inside: way, text, style }) => say([doer.who, ...way].join(STEP), text, style));
}

/** Facts whose line may be a question to the person. */
const ASKING: ReadonlySet<string> = new Set(['task.started', 'limit.reached', 'permission.asked']);

/** How much of a question is shown. */
const ASKED = 400;

const UNCHANGED = 'changed no file, and hears so once';
const OWES_REPLY = 'ended without the reply it owes, and is asked once more';

const say = (who: string, text: string, style: Style | null = null): StoryLine => ({ who, text, style });
const key = (telling: Telling, task: string): string => `${telling.run} ${task}`;
const compactionLine = (fact: CompactionFact, telling: Telling): StoryLine =>
  say(whoDoes(telling, fact.task), compactionText(fact), 'dim');

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
    tellCaller(telling, fact.failure);
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
  'call.started': (fact, telling) => {
    const doer = telling.tasks.get(key(telling, fact.task));
    if (doer !== undefined) doer.doing = doingOf(doer.work);
    return null;
  },
  'call.failed': (fact, telling) => {
    const { code, message } = fact.failure;
    const doer = telling.tasks.get(key(telling, fact.task));
    if (doer !== undefined) doer.told = message;
    const text = fact.retryAt === null ? message : `${message} ${againText(fact.failure, fact.retryAt, telling.at)}`;
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
    const toolCall = fact.call ?? doer?.calls.get(fact.toolCall);
    if (toolCall === undefined || doer?.work.kind !== 'turn') return say('question', 'a tool needs your word', 'cyan');
    return say('question', oneLine(permissionText({ ...NOWHERE, agent: doer.work.agent, toolCall }), ASKED), 'cyan');
  },
  'session.noted': (fact, telling) =>
    say(whoDoes(telling, fact.task), sessionText({ ...fact, session: fact.session.slice(0, 8) }), 'dim'),
  'turn.nudged': (fact, telling) =>
    say(whoDoes(telling, fact.task), fact.why === 'NO_CHANGES' ? UNCHANGED : OWES_REPLY, 'yellow'),
  'results.cleared': compactionLine,
  'compaction.started': compactionLine,
  'turn.compacted': compactionLine,
  'message.added': ({ by, message }) =>
    by === undefined ? null : say(by, oneLine(`to ${message.to ?? 'all'}: ${message.content}`), 'cyan'),
  'unit.moved': (fact) => {
    const text = movedText(fact);
    return text === null ? null : say(fact.unit, text, 'dim');
  },
  'unit.ended': (fact) => say(fact.unit, oneLine(`${fact.outcome}: ${fact.reason}`), 'yellow'),
  'context.trimmed': (fact) => say('troupe', `conversation ${fact.context} trimmed by ${fact.dropped} messages`, 'dim'),
  'limit.reached': (fact) =>
    say('troupe', `${LIMIT_CODES[fact.limit]}: ${describeLimit(fact)} The run is paused.`, 'yellow'),
  // It may have been unlimited before, so "raised" would be wrong.
  'limit.raised': ({ by, limit, allowed }) =>
    say('troupe', `${by} set ${LIMIT_CODES[limit]} to ${limitText(limit, allowed)}`, 'bold'),
  'question.asked': ({ question, refused }, telling) => {
    if (refused === undefined) return null;
    const text = answeredText({ ...refused, question }, telling);
    return say(refused.by, `${text}. ${FILES_CHANGED} The answer was not taken.`, 'yellow');
  },
  'question.answered': (fact, telling) => say(fact.by, answeredText(fact, telling), 'cyan'),
};

function answeredText(given: { question: string; answer: Json }, { run, questions }: Telling): string {
  const name = questions.of(run, given.question);
  return oneLine(`answered${name === null ? '' : ` ${name}`}: ${textOf(given.answer)}`);
}

/** What came of a run that another one called is not told once more of the call. */
function tellCaller({ run, tasks }: Telling, failure: Failure | null): void {
  const cut = run.lastIndexOf('/');
  const caller = cut === -1 ? undefined : tasks.get(`${run.slice(0, cut)} ${run.slice(cut + 1)}`);
  if (caller !== undefined && failure !== null) caller.told = failure.message;
}

/** The rest of a question that only its text is wanted of. */
const NOWHERE = { id: '', task: '', state: '', at: 0 };

function againText(failure: Failure, retryAt: number, now: number): string {
  const quota = quotaText(failure, retryAt, now);
  return quota === null ? `Trying again in ${durationText(retryAt - now)}.` : `It ${quota}.`;
}

function taskStarted(fact: TaskStarted, telling: Telling): StoryLine | null {
  const who = fact.unit === null ? workerOf(fact.work, fact.state) : `${fact.unit} ${workerOf(fact.work, fact.state)}`;
  telling.tasks.set(key(telling, fact.task), {
    run: telling.run,
    who,
    doing: doingOf(fact.work),
    work: fact.work,
    calls: new Map(),
    told: null,
    activities: new AgentStory(),
  });
  switch (fact.work.kind) {
    case 'ask':
      return say('question', oneLine(fact.work.question, ASKED), 'cyan');
    case 'command':
      return say(who, oneLine(`$ ${fact.work.command}`));
    case 'call':
      return say(who, `calls ${fact.work.workflow}`);
    case 'merge':
      return say(who, `merges ${fact.work.unit ?? fact.work.agent ?? 'into the run that started it'}`);
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
  const note = doer.work.kind === 'compute' ? programNote(fact.output) : null;
  if (note !== null) return say(doer.who, oneLine(note, 400), 'yellow');
  return say(doer.who, oneLine(outcomeText(fact.outcome, fact.failure), 400), fact.outcome === 'ok' ? 'dim' : 'yellow');
}

function callAnswered(fact: CallAnswered, telling: Telling): StoryLine | null {
  const calls = fact.message.toolCalls ?? [];
  const doer = telling.tasks.get(key(telling, fact.task));
  for (const call of calls) doer?.calls.set(call.id, call);
  if (doer !== undefined && calls.length > 0)
    doer.doing = `using ${oneLine(calls.map(({ name }) => name).join(', '), 60)}`;
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
