import type { JournalRecord } from '../../core/record/fact.ts';
import type { LiveEvent } from '../../host/port.ts';
import { counted } from '../../protocol/amounts.ts';
import { nextCommands } from '../../protocol/next-commands.ts';
import type { SettledLine } from '../../protocol/run-line.ts';
import { recordLine } from '../../protocol/run-line.ts';
import { paintFor, type Paint } from './colour.ts';
import {
  createLiveLines,
  doneText,
  type LiveLines,
  LiveWork,
  PATIENCE_MS,
  patiently,
  progressLine,
  progressText,
} from './progress.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import type { Progress } from '../../app/world/progress-teller.ts';
import type { OutputMode } from './terminal.ts';
import { wrapWords } from './wrap-words.ts';
import { createRunStory, type RunStory } from './run-story.ts';
import { clockText, type StoryLine } from './story-line.ts';

/** Shows a run as it goes: JSON lines for programs, plain lines for pipes and CI, live lines for a terminal. */
export interface RunPrinter {
  show(event: LiveEvent): void;
  /** Learns what happened before, and prints nothing. */
  recall(run: string, record: JournalRecord): void;
  /** Long work around files begins or is over. */
  progress(progress: Progress): void;
  /** A remark of ours, such as how to go on. */
  note(text: string): void;
  settled(line: SettledLine): void;
  /** Whether the person has read this text here. */
  readonly hasShown: (text: string) => boolean;
  /** Takes the live lines away, for a prompt or at the end. */
  rest(): void;
}

export interface PrinterOptions {
  readonly mode: OutputMode;
  readonly root: string | null;
  readonly stdout: PrinterStream;
  readonly stderr: PrinterStream;
  readonly environment: NodeJS.ProcessEnv;
  /** Work that is over sooner gets no line. */
  readonly patienceMs?: number;
}

export interface PrinterStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export function createRunPrinter(options: PrinterOptions): RunPrinter {
  if (options.mode.json) return jsonPrinter(options);
  if (options.mode.quiet) return quietPrinter(options);
  const isLive = options.stderr.isTTY === true && !isPlain(options.environment);
  return isLive ? livePrinter(options) : plainPrinter(options);
}

function isPlain(environment: NodeJS.ProcessEnv): boolean {
  return Boolean(environment['CI']) || environment['TERM'] === 'dumb' || Boolean(environment['ACCESSIBLE']);
}

/** The settled record of the run itself is held back: the last line says the same and more. */
function jsonPrinter({ stdout, stderr, root, patienceMs = PATIENCE_MS }: PrinterOptions): RunPrinter {
  const print = (value: object): void => void stdout.write(`${JSON.stringify(value)}\n`);
  let first: string | null = root;
  return {
    show(event) {
      if (event.kind !== 'record') return;
      first ??= event.run;
      if (event.record.fact.kind === 'run.settled' && event.run === first) return;
      print(recordLine(event.run, event.record));
    },
    recall: () => undefined,
    progress: patiently((progress) => print(progressLine(progress, first)), patienceMs),
    note: (text) => void stderr.write(`${text}\n`),
    settled: (line) => print(line.kind === 'run.settled' ? line : { ...line, next: nextCommands(line) }),
    hasShown: () => false,
    rest: () => undefined,
  };
}

/** Only remarks: the verdict and how to go on. */
const quietPrinter = ({ stderr }: PrinterOptions): RunPrinter => ({
  show: () => undefined,
  recall: () => undefined,
  progress: () => undefined,
  note: (text) => void stderr.write(`${text}\n`),
  settled: () => undefined,
  hasShown: () => false,
  rest: () => undefined,
});

function plainPrinter(options: PrinterOptions): RunPrinter {
  const paint = paintFor(options.stderr, options.environment);
  const story = createRunStory({ root: options.root, isVerbose: options.mode.verbose });
  return {
    show(event) {
      if (event.kind !== 'record') return;
      for (const line of story.lines(event.run, event.record)) options.stderr.write(`${storyText(line, paint)}\n`);
    },
    recall: (run, record) => story.recall(run, record),
    progress: patiently((progress) => {
      const text = progress.state === 'started' ? `${progressText(progress)} …` : doneText(progress);
      options.stderr.write(`${storyText(progressStory(progress, text), paint)}\n`);
    }, options.patienceMs ?? PATIENCE_MS),
    note: (text) => void options.stderr.write(`${text}\n`),
    settled: () => undefined,
    hasShown: story.hasShown,
    rest: () => undefined,
  };
}

function livePrinter(options: PrinterOptions): RunPrinter {
  const paint = paintFor(options.stderr, options.environment);
  const story = createRunStory({ root: options.root, isVerbose: options.mode.verbose });
  const live = createLiveLines(options.stderr);
  const tails = new Map<string, string>();
  const work = new LiveWork(() => draw());
  let redraw: NodeJS.Timeout | null = null;
  let ticking: NodeJS.Timeout | null = null;

  const draw = (): void => live.show([...work.lines(), ...activeLines(story, tails)]);
  const rest = (): void => {
    if (redraw !== null) clearTimeout(redraw);
    if (ticking !== null) clearInterval(ticking);
    redraw = null;
    ticking = null;
    work.rest();
    live.close();
  };
  const soon = (): void => {
    ticking ??= setInterval(draw, SECOND).unref();
    redraw ??= setTimeout(() => {
      redraw = null;
      draw();
    }, 80).unref();
  };
  return {
    show(event) {
      if (event.kind === 'text') tails.set(`${event.run} ${event.task}`, tailOf(tails, event));
      else printAbove({ event, story, paint, live, tails, width: options.stderr.columns ?? 0 });
      soon();
    },
    recall: (run, record) => story.recall(run, record),
    progress(progress) {
      const text = work.take(progress);
      if (text !== null) live.log(storyText(progressStory(progress, text), paint));
      // At once: reading many files may keep every timer waiting.
      draw();
    },
    note: (text) => live.log(text),
    settled: rest,
    hasShown: story.hasShown,
    rest,
  };
}

const progressStory = ({ state }: Progress, text: string): StoryLine => ({
  who: 'troupe',
  text,
  style: state === 'failed' ? 'yellow' : 'dim',
});

interface Above {
  readonly event: Extract<LiveEvent, { readonly kind: 'record' }>;
  readonly story: RunStory;
  readonly paint: Paint;
  readonly live: LiveLines;
  readonly tails: Map<string, string>;
  /** Columns of the terminal; 0 where they are unknown. */
  readonly width: number;
}

function printAbove({ event, story, paint, live, tails, width }: Above): void {
  const { fact } = event.record;
  if (fact.kind === 'call.answered' || fact.kind === 'call.failed') tails.delete(`${event.run} ${fact.task}`);
  for (const line of story.lines(event.run, event.record)) live.log(storyText(fitted(line, width), paint));
}

function fitted<Line extends StoryLine>(line: Line, width: number): Line {
  if (width === 0) return line;
  const first = CLOCK_WIDTH + line.who.length + ' [] '.length;
  const lines = line.text
    .split('\n')
    .map((one, at) => wrapWords(one, { width, first: at === 0 ? first : 0, indent: ' '.repeat(CLOCK_WIDTH + 1) }));
  return { ...line, text: lines.join('\n') };
}

const TAIL = 300;

function tailOf(tails: ReadonlyMap<string, string>, event: Extract<LiveEvent, { readonly kind: 'text' }>): string {
  return `${tails.get(`${event.run} ${event.task}`) ?? ''}${event.delta}`.slice(-TAIL);
}

const MOST_ACTIVE = 8;
const SECOND = 1000;

/** The present work of each agent, then the run's progress. */
function activeLines(story: RunStory, tails: ReadonlyMap<string, string>): readonly string[] {
  const active = story.active();
  const lines = active.slice(0, MOST_ACTIVE).map(({ key, who, doing }) => {
    const tail = oneLine(tails.get(key) ?? '', TAIL);
    return `• ${who}  ${tail === '' ? `${doing} …` : tail.slice(-60)}`;
  });
  const more = active.length - lines.length;
  const names = [...new Set(active.map(({ who }) => who))];
  const waits =
    names.length === 0
      ? ''
      : ` · waiting for ${names.length > 2 ? counted(names.length, 'agent') : names.join(' and ')}`;
  return [...lines, ...(more > 0 ? [`• and ${more} more`] : []), `  ${story.progress(Date.now())}${waits}`];
}

const CLOCK_WIDTH = 5;

/** `0:12 [coder] ✓ write_file src/a.ts (1.2 s)`; the clock is empty before the run has begun. */
export function storyText(line: StoryLine & { readonly elapsed?: number }, paint: Paint): string {
  const clock = line.elapsed === undefined ? '' : clockText(line.elapsed);
  const text = line.style === null ? line.text : paint(line.style, line.text);
  const spent = line.spent === undefined ? '' : paint('dim', ` (${line.spent})`);
  return `${paint('dim', clock.padStart(CLOCK_WIDTH))} ${paint('dim', '[')}${paint('cyan', line.who)}${paint('dim', ']')} ${text}${spent}`;
}
