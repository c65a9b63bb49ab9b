import type { Fact, JournalRecord } from '../../core/record/fact.ts';
import { type Json, jsonText } from '../../core/model/json.ts';
import { describeLimit, LIMIT_CODES, limitText } from '../../core/model/limits.ts';
import { FILES_CHANGED } from '../../core/look/open-questions.ts';
import { missingPackagesLine } from '../../app/results/missing-packages.ts';
import { namedRun } from '../../protocol/named-run.ts';
import { noticeIn } from '../../protocol/notice.ts';
import { outcomeText } from '../../protocol/outcome-text.ts';
import { OverlapWatch } from '../../protocol/overlap-view.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import { inside, RunNames, type RunName } from '../../protocol/run-names.ts';
import { leftOutLine } from '../files/left-out.ts';
import { movedText } from './agent-story.ts';
import { filesStyle, filesText, isFilesDetail } from './files-story.ts';
import { QuestionNames } from './question-names.ts';
import { detail, RunProgress, say, type StoryLine } from './story-line.ts';
import { WorkStory } from './work-story.ts';

/** Describes a run record by record. It remembers who does which task, since later records name only the task. */
export interface RunStory {
  lines(run: string, record: JournalRecord): readonly ClockedLine[];
  /** Remembers who does what, and describes nothing. */
  recall(run: string, record: JournalRecord): void;
  /** Whether one of the lines had this text, as a question or a limit. */
  readonly hasShown: (text: string) => boolean;
  /** The tasks under way. */
  active(): readonly ActiveTask[];
  /** Steps, time and cost so far. */
  progress(now: number): string;
}

export interface ClockedLine extends StoryLine {
  /** Milliseconds of work of the run so far. */
  readonly elapsed: number;
}

export interface ActiveTask {
  /** The run and the task. */
  readonly key: string;
  readonly who: string;
  readonly doing: string;
}

export interface StoryOptions {
  /** The run that is shown; null: the first that a record comes from. */
  readonly root: string | null;
  /** With the engine's own steps. */
  readonly isVerbose?: boolean;
}

export function createRunStory({ root: given, isVerbose = false }: StoryOptions): RunStory {
  let root = given;
  const names = new RunNames();
  const questions = new QuestionNames();
  const progress = new RunProgress();
  const work = new WorkStory({ names, progress });
  const overlaps = new OverlapWatch();
  const asked: string[] = [];
  const linesOf = (run: string, record: JournalRecord): readonly StoryLine[] => {
    const { fact } = record;
    const shown = (root ??= run);
    names.learn(run, fact);
    progress.learn(run, record, run === shown);
    const question = questions.learn(run, record);
    const own = work.lines(run, record) ?? otherLines(fact, { isRoot: run === shown, run, questions });
    const seen = { fact, question, root: shown, run, name: names.of(shown, run) };
    const both = overlaps.take(shown, run, record).map((text) => say('overlap', oneLine(text, 400), 'yellow'));
    return [...own.flatMap((line) => seenFrom(line, seen) ?? []), ...remarks(fact), ...both];
  };
  return {
    active: () =>
      work.active().map(({ run, ...task }) => ({ ...task, who: inside(names.of(root ?? run, run), task.who) })),
    hasShown: (text) => asked.some((line) => oneLine(line, Infinity).includes(oneLine(text, Infinity))),
    recall: (run, record) => void linesOf(run, record),
    lines(run, record) {
      const lines = linesOf(run, record).filter((line) => isVerbose || line.isDetail !== true);
      if (ASKING.has(record.fact.kind)) asked.push(...lines.map(({ text }) => text));
      return lines.map((line) => ({ ...line, elapsed: progress.elapsed(record.at) }));
    },
    progress: (now) => progress.text(now),
  };
}

/** Facts whose line may be a question to the person. */
const ASKING: ReadonlySet<string> = new Set(['task.started', 'limit.reached', 'permission.asked']);

/** Once for a run: what its agents do not see and which packages are missing; and what a workflow wants people to know. */
function remarks(fact: Fact): readonly StoryLine[] {
  const texts: string[] = [];
  if (fact.kind === 'run.started') {
    const { files, sandbox, brief } = fact;
    if (files?.skipped !== undefined) texts.push(leftOutLine(files.skipped));
    if (sandbox !== undefined && brief?.missing !== undefined) texts.push(missingPackagesLine(brief.missing));
  }
  const notice = noticeIn(fact);
  return [
    ...texts.map((text) => say('troupe', text, 'yellow')),
    ...(notice === null ? [] : [say('notice', oneLine(notice, 600), 'yellow')]),
  ];
}

interface Seen {
  readonly fact: Fact;
  /** The question that is asked, as its run calls it. */
  readonly question: string | null;
  readonly root: string;
  readonly run: string;
  readonly name: RunName | null;
}

/** The line as a person sees it who looks at the root: with the run it is of, and the name to answer by. */
function seenFrom(line: StoryLine, { fact, question, root, run, name }: Seen): StoryLine | null {
  const way = run === root ? '' : `${run.slice(root.length + 1)}/`;
  // A person speaks here, not an agent of the run.
  if (fact.kind === 'question.answered' || fact.kind === 'question.asked')
    return { ...line, text: line.text.replace(/^answered (?=q\d)/, `$&${way}`) };
  if (line.who === 'question' && question !== null) {
    const whose = name === null ? '' : `${name.text}: `;
    return { ...line, who: `question ${way}${question}`, text: `${whose}${namedRun(line.text, run)}` };
  }
  const own = { ...line, who: inside(name, line.who) };
  return name === null || name.subAgent === null ? own : ofSubAgent(own, fact);
}

/** It has one state only, and its name says who it is: its order matters. */
function ofSubAgent(line: StoryLine, fact: Fact): StoryLine | null {
  if (fact.kind === 'state.entered') return null;
  if (fact.kind !== 'run.started') return line;
  return say(line.who, oneLine(`starts: ${jsonText(fact.input['prompt'] ?? '')}`));
}

interface About {
  readonly isRoot: boolean;
  readonly run: string;
  readonly questions: QuestionNames;
}

/** Lines for facts outside of tasks. */
function otherLines(fact: Fact, about: About): readonly StoryLine[] {
  const describe = OTHERS[fact.kind] as ((fact: Fact, about: About) => StoryLine | null) | undefined;
  const line = describe?.(fact, about) ?? filesLine(fact);
  return line === null ? [] : [line];
}

function filesLine(fact: Fact): StoryLine | null {
  const text = filesText(fact);
  if (text === null) return null;
  return isFilesDetail(fact) ? detail('troupe', text) : say('troupe', text, filesStyle(fact));
}

const OTHERS: {
  readonly [Kind in Fact['kind']]?: (fact: Extract<Fact, { readonly kind: Kind }>, about: About) => StoryLine | null;
} = {
  'run.started': ({ workflow, run }, { isRoot }) => {
    const text = `${workflow} started as run ${run}`;
    return isRoot ? say('troupe', text, 'bold') : detail('troupe', text);
  },
  'run.resumed': ({ worker }) =>
    say('troupe', worker === undefined ? 'resumed' : oneLine(`driven by ${worker}`), 'bold'),
  'run.cancelled': ({ by, reason }) => say('troupe', oneLine(`cancelled by ${by}: ${reason}`), 'yellow'),
  'run.settled': ({ outcome, failure }, { isRoot }) => {
    // Who cancelled it was said when it happened.
    const text = oneLine(`settled: ${outcomeText(outcome, outcome === 'cancelled' ? null : failure)}`, 400);
    // The end of a run says the same and more.
    return isRoot || failure === null ? detail('troupe', text) : say('troupe', text, 'red');
  },
  'state.entered': ({ state, visit }) => detail('troupe', `→ ${state}${visit > 1 ? ` (visit ${visit})` : ''}`),
  'message.added': ({ by, message }) =>
    by === undefined ? null : say(by, oneLine(`to ${message.to ?? 'all'}: ${message.content}`), 'cyan'),
  'unit.moved': (fact) => {
    const text = movedText(fact);
    return text === null ? null : detail(fact.unit, text);
  },
  'unit.ended': (fact) => say(fact.unit, oneLine(`${fact.outcome}: ${fact.reason}`), 'yellow'),
  'context.trimmed': ({ context, dropped }) =>
    detail('troupe', `conversation ${context} trimmed by ${dropped} messages`),
  // The run above says it, and asks.
  'limit.reached': (fact) =>
    fact.isOfParent === true
      ? null
      : say('troupe', `${LIMIT_CODES[fact.limit]}: ${describeLimit(fact)} The run is paused.`, 'yellow'),
  // It may have been unlimited before, so "raised" would be wrong.
  'limit.raised': ({ by, limit, allowed }) =>
    say('troupe', `${by} set ${LIMIT_CODES[limit]} to ${limitText(limit, allowed)}`, 'bold'),
  'question.asked': ({ question, refused }, about) => {
    if (refused === undefined) return null;
    const text = answeredText({ ...refused, question }, about);
    return say(refused.by, `${text}. ${FILES_CHANGED} The answer was not taken.`, 'yellow');
  },
  'question.answered': (fact, about) => say(fact.by, answeredText(fact, about), 'cyan'),
};

function answeredText(given: { question: string; answer: Json }, { run, questions }: About): string {
  const name = questions.of(run, given.question);
  return oneLine(`answered${name === null ? '' : ` ${name}`}: ${jsonText(given.answer)}`);
}
