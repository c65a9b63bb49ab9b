import { isRunBelow } from '../../core/fold/open-children.ts';
import { durationText } from '../../core/look/amount-text.ts';
import type { ActivityNoted } from '../../core/record/agent-fact.ts';
import { chargeOf } from '../../core/record/charge.ts';
import type { CompactionFact } from '../../core/record/compaction-fact.ts';
import { compactionText } from '../../core/look/compaction-text.ts';
import type { Fact, JournalRecord } from '../../core/record/fact.ts';
import type { CallAnswered, ToolFinished } from '../../core/record/call-fact.ts';
import type { ResolvedWork, TaskEnded, TaskStarted } from '../../core/record/task-fact.ts';
import type { ToolCall } from '../../core/model/message.ts';
import type { Failure } from '../../core/model/outcome.ts';
import { permissionText } from '../../core/step/turn/permit.ts';
import { addCost, type CostUsd } from '../../core/model/usage.ts';
import { outcomeText } from '../../protocol/outcome-text.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import { STEP, type RunNames } from '../../protocol/run-names.ts';
import { toolText } from '../../protocol/tool-words.ts';
import { AgentStory, doingText, quotaText, sessionText } from './agent-story.ts';
import { replyText, shownCommand, workLineText } from './work-text.ts';
import { choiceTexts, detail, questionLines, type RunProgress, say, spentText, type StoryLine } from './story-line.ts';

/** A task under way. */
interface Doer {
  readonly run: string;
  readonly who: string;
  readonly work: ResolvedWork;
  readonly pool: string | null;
  readonly unit: string | null;
  readonly since: number;
  readonly calls: Map<string, ToolCall>;
  /** Activities of clients. */
  readonly activities: AgentStory;
  doing: string;
  costUsd: CostUsd;
  /** The failure that was shown last: the task that ends of it need not repeat it. */
  shown: string | null;
  /** Its result has a line already. */
  isReported: boolean;
}

export interface ActiveWork {
  readonly key: string;
  readonly run: string;
  readonly who: string;
  readonly doing: string;
}

interface Moment {
  readonly run: string;
  readonly at: number;
}

type Describe<Kind extends Fact['kind']> = (
  fact: Extract<Fact, { readonly kind: Kind }>,
  moment: Moment,
) => readonly StoryLine[];

/** Describes turns, tool calls, commands, merges and called workflows, each with the time it took and its cost. */
export class WorkStory {
  readonly #doers = new Map<string, Doer>();
  readonly #names: RunNames;
  readonly #progress: RunProgress;

  constructor({ names, progress }: { readonly names: RunNames; readonly progress: RunProgress }) {
    this.#names = names;
    this.#progress = progress;
  }

  /** Null for a record that is not about a task. */
  lines(run: string, { fact, at }: JournalRecord): readonly StoryLine[] | null {
    const charge = chargeOf(fact);
    const paying = charge === null || charge.isOfChild ? undefined : this.#doers.get(`${run} ${charge.task}`);
    if (paying !== undefined && charge !== null) paying.costUsd = addCost(paying.costUsd, charge.costUsd);
    if (fact.kind === 'run.settled' && this.#runSettled(run, fact.failure)) return [];
    const describe = this.#table[fact.kind] as ((fact: Fact, moment: Moment) => readonly StoryLine[]) | undefined;
    return describe?.(fact, { run, at }) ?? null;
  }

  active(): readonly ActiveWork[] {
    return [...this.#doers]
      .filter(([, { work }]) => work.kind !== 'pool' && !isRunBelow(work))
      .map(([key, { run, who, doing }]) => ({ key, run, who, doing }));
  }

  readonly #table: { readonly [Kind in Fact['kind']]?: Describe<Kind> } = {
    'task.started': (fact, moment) => this.#started(fact, moment),
    'task.ended': (fact, moment) => this.#ended(fact, moment),
    'call.started': (fact, moment) => {
      const doer = this.#doer(moment, fact.task);
      if (doer !== undefined) doer.doing = doingOf(doer.work);
      return [];
    },
    'call.answered': (fact, moment) => this.#answered(fact, moment),
    'call.failed': (fact, moment) => {
      const { code, message } = fact.failure;
      const doer = this.#doer(moment, fact.task);
      if (doer !== undefined) doer.shown = message;
      const again = fact.retryAt === null ? '' : ` ${againText(fact.failure, fact.retryAt, moment.at)}`;
      return [say(this.#who(moment, fact.task), oneLine(`${code}: ${message}${again}`, 300), 'yellow')];
    },
    'tool.finished': (fact, moment) => this.#toolFinished(fact, moment),
    'permission.asked': (fact, moment) => {
      const doer = this.#doer(moment, fact.task);
      const toolCall = fact.call ?? doer?.calls.get(fact.toolCall);
      if (toolCall === undefined || doer?.work.kind !== 'turn')
        return [say('question', 'a tool needs your permission', 'cyan')];
      const text = permissionText({ ...NOWHERE, agent: doer.work.agent, toolCall });
      return [say('question', oneLine(text, LONGEST_QUESTION), 'cyan')];
    },
    'activity.noted': (fact, moment) => this.#activity(fact, moment),
    'session.noted': (fact, moment) => [
      detail(this.#who(moment, fact.task), sessionText({ ...fact, session: fact.session.slice(0, 8) })),
    ],
    'turn.nudged': ({ task, why }, moment) => [
      say(this.#who(moment, task), why === 'NO_CHANGES' ? UNCHANGED : OWES_REPLY, 'yellow'),
    ],
    'results.cleared': (fact, moment) => this.#compacted(fact, moment),
    'compaction.started': (fact, moment) => this.#compacted(fact, moment),
    'turn.compacted': (fact, moment) => [say(this.#who(moment, fact.task), compactionText(fact), 'dim')],
  };

  #doer({ run }: Moment, task: string): Doer | undefined {
    return this.#doers.get(`${run} ${task}`);
  }

  #who(moment: Moment, task: string): string {
    return this.#doer(moment, task)?.who ?? task;
  }

  #compacted(fact: CompactionFact, moment: Moment): readonly StoryLine[] {
    return [detail(this.#who(moment, fact.task), compactionText(fact))];
  }

  #started(fact: TaskStarted, { run, at }: Moment): readonly StoryLine[] {
    const { task, work, pool, unit, state } = fact;
    const who = whoDoes(this.#names.unit(run, fact), work);
    this.#doers.set(`${run} ${task}`, {
      run,
      who,
      work,
      pool,
      unit,
      since: at,
      calls: new Map(),
      activities: new AgentStory(),
      doing: doingOf(work),
      costUsd: 0,
      shown: null,
      isReported: false,
    });
    if (work.kind === 'ask')
      return [say('question', [...questionLines(work.question), ...choiceTexts(work)].join('\n      '), 'cyan')];
    const what = startedText(work);
    return what === null ? [] : [detail(who === 'troupe' ? state : who, what)];
  }

  #ended(fact: TaskEnded, moment: Moment): readonly StoryLine[] {
    const doer = this.#doer(moment, fact.task);
    this.#doers.delete(`${moment.run} ${fact.task}`);
    if (doer === undefined) return [];
    if (doer.unit !== null || doer.work.kind === 'turn') this.#progress.stepEnded(moment.run, doer.pool, doer.unit);
    const line = endedLine(fact, doer);
    if (line === null) return [];
    const costUsd = fact.costUsd === undefined ? doer.costUsd : fact.costUsd;
    return [line.isDetail === true ? line : { ...line, spent: spentText(moment.at - doer.since, costUsd) }];
  }

  #answered(fact: CallAnswered, moment: Moment): readonly StoryLine[] {
    const { author, content, toolCalls: calls = [] } = fact.message;
    const doer = this.#doer(moment, fact.task);
    if (doer !== undefined) noteCalls(doer, calls);
    const who = doer?.who ?? author;
    const begun = calls.map((call) => detail(who, `⚙ ${oneLine(toolText(call, LONGEST_CALL))}`));
    const text = oneLine(content, 240);
    if (text === '') return begun;
    const spoken = say(who, text);
    return [calls.length === 0 && doer !== undefined ? report(spoken, doer, moment) : spoken, ...begun];
  }

  #toolFinished(fact: ToolFinished, moment: Moment): readonly StoryLine[] {
    const doer = this.#doer(moment, fact.task);
    const call = doer?.calls.get(fact.toolCall);
    const who = doer?.who ?? fact.task;
    if (fact.accepted === true)
      return doer === undefined || call === undefined ? [] : [report(say(who, `→ ${replyText(call)}`), doer, moment)];
    const what = call === undefined ? 'tool' : oneLine(toolText(call, LONGEST_CALL));
    const line = fact.isError ? say(who, `✗ ${what}${whyNot(fact)}`, 'yellow') : say(who, `✓ ${what}`, 'dim');
    return [fact.ms < LONG_TOOL_MS ? line : { ...line, spent: durationText(fact.ms) }];
  }

  /** Activities of a client, several in one record. */
  #activity({ task, items }: ActivityNoted, moment: Moment): readonly StoryLine[] {
    const doer = this.#doer(moment, task);
    if (doer === undefined) return [];
    doer.doing = doingText(items) ?? doingOf(doer.work);
    return doer.activities
      .lines(items)
      .map(({ inside: way, text, style }) => say([doer.who, ...way].join(STEP), text, style));
  }

  /** Why a called run failed is shown once, by the run itself. True for a turn of the run above, which has its own line. */
  #runSettled(run: string, failure: Failure | null): boolean {
    for (const key of this.#doers.keys()) if (key.startsWith(`${run} `)) this.#doers.delete(key);
    const cut = run.lastIndexOf('/');
    const caller = cut === -1 ? undefined : this.#doers.get(`${run.slice(0, cut)} ${run.slice(cut + 1)}`);
    if (caller !== undefined && failure !== null) caller.shown = failure.message;
    return caller?.work.kind === 'turn' && isRunBelow(caller.work);
  }
}

function noteCalls(doer: Doer, calls: readonly ToolCall[]): void {
  for (const call of calls) doer.calls.set(call.id, call);
  if (calls.length > 0) doer.doing = `using ${oneLine(calls.map(({ name }) => name).join(', '), 60)}`;
}

const whyNot = ({ refused, content }: ToolFinished): string =>
  `${refused === undefined ? '' : ` refused (${refused})`}: ${oneLine(content, 120)}`;

/** The line of a turn's result carries what the whole turn took. */
function report(line: StoryLine, doer: Doer, { at }: Moment): StoryLine {
  doer.isReported = true;
  return { ...line, spent: spentText(at - doer.since, doer.costUsd) };
}

function endedLine(fact: TaskEnded, doer: Doer): StoryLine | null {
  const { work, who } = doer;
  if (fact.failure !== null && fact.failure.message === doer.shown) return null;
  if (work.kind === 'turn') {
    if (fact.outcome === 'ok') return doer.isReported || isRunBelow(work) ? null : say(who, 'done', 'dim');
    return say(who, oneLine(outcomeText(fact.outcome, fact.failure), 400), 'yellow');
  }
  const result = workLineText(work, fact);
  if (result !== null) return say(who, result.text, result.style);
  return work.kind === 'ask' ? null : detail(who, outcomeText(fact.outcome, fact.failure));
}

/** How much of a question is shown. */
const LONGEST_QUESTION = 400;
const LONG_TOOL_MS = 1000;
const LONGEST_CALL = 100;
const UNCHANGED = 'changed no file, and is asked once more';
const OWES_REPLY = 'ended without the reply it owes, and is asked once more';

/** For the text of a question alone. */
const NOWHERE = { id: '', task: '', state: '', at: 0 };

/** The unit and its agent; the engine's own work is the run's. */
function whoDoes(unit: string | null, work: ResolvedWork): string {
  if (work.kind !== 'turn') return unit ?? 'troupe';
  return unit === null || unit === work.agent ? work.agent : `${unit}${STEP}${work.agent}`;
}

function startedText(work: ResolvedWork): string | null {
  switch (work.kind) {
    case 'command':
      return `$ ${shownCommand(work.command)}`;
    case 'call':
      return `calls ${work.workflow}`;
    case 'merge':
      return `merges ${work.unit ?? work.agent ?? 'into the run that started it'}`;
    default:
      return null;
  }
}

function doingOf(work: ResolvedWork): string {
  if (work.kind === 'turn') return 'thinking';
  if (work.kind === 'ask') return 'waiting for a person';
  return work.kind === 'command' ? shownCommand(work.command).slice(0, 60) : work.kind;
}

function againText(failure: Failure, retryAt: number, now: number): string {
  const quota = quotaText(failure, retryAt, now);
  return quota === null ? `Trying again in ${durationText(retryAt - now)}.` : `It ${quota}.`;
}
