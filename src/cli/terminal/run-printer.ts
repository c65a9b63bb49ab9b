import type { JournalRecord } from '../../core/fact.ts';
import type { LiveEvent } from '../../host/port.ts';
import { nextCommands } from '../../protocol/next-commands.ts';
import type { SettledLine } from '../../protocol/run-line.ts';
import { recordLine } from '../../protocol/run-line.ts';
import { paintFor, type Paint } from './colour.ts';
import { createLiveLines, type LiveLines } from './live-lines.ts';
import { LiveWork } from './live-work.ts';
import { PATIENCE_MS, patiently } from './patient.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import type { Progress } from '../../app/world/progress.ts';
import { doingText, doneText, progressLine } from './progress.ts';
import type { OutputMode } from './terminal.ts';
import { wrapWords } from './wrap-words.ts';
import { createRunStory, type RunStory, type StoryLine } from './run-story.ts';

/** Shows a run as it goes: JSON lines for programs, plain lines for pipes and CI, live lines for a terminal. */
export interface RunPrinter {
  show(event: LiveEvent): void;
  /** What happened before is known, and not told again. */
  recall(run: string, record: JournalRecord): void;
  /** Long work that no record tells of begins or is over. */
  progress(progress: Progress): void;
  /** A remark of ours, such as how to go on. */
  note(text: string): void;
  settled(line: SettledLine): void;
  /** Whether the person has read this text here. */
  readonly hasTold: (text: string) => boolean;
  /** Takes the live lines away, for a prompt or at the end. */
  rest(): void;
}

export interface PrinterOptions {
  readonly mode: OutputMode;
  readonly root: string | null;
  readonly stdout: PrinterStream;
  readonly stderr: PrinterStream;
  readonly environment: NodeJS.ProcessEnv;
  /** What is over sooner is not told of. */
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
    hasTold: () => false,
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
  hasTold: () => false,
  rest: () => undefined,
});

function plainPrinter(options: PrinterOptions): RunPrinter {
  const paint = paintFor(options.stderr, options.environment);
  const story = createRunStory(options.root);
  return {
    show(event) {
      if (event.kind !== 'record') return;
      for (const line of story.tell(event.run, event.record)) options.stderr.write(`${storyText(line, paint)}\n`);
    },
    recall: (run, record) => story.recall(run, record),
    progress: patiently((progress) => {
      const text = progress.state === 'started' ? `${doingText(progress)} …` : doneText(progress);
      options.stderr.write(`${storyText(progressStory(progress, text), paint)}\n`);
    }, options.patienceMs ?? PATIENCE_MS),
    note: (text) => void options.stderr.write(`${text}\n`),
    settled: () => undefined,
    hasTold: story.hasTold,
    rest: () => undefined,
  };
}

function livePrinter(options: PrinterOptions): RunPrinter {
  const paint = paintFor(options.stderr, options.environment);
  const story = createRunStory(options.root);
  const live = createLiveLines(options.stderr);
  const tails = new Map<string, string>();
  const work = new LiveWork(() => draw());
  let redraw: NodeJS.Timeout | null = null;

  const draw = (): void => live.show([...work.lines(), ...activeLines(story, tails)]);
  const rest = (): void => {
    if (redraw !== null) clearTimeout(redraw);
    redraw = null;
    work.rest();
    live.close();
  };
  const soon = (): void => {
    redraw ??= setTimeout(() => {
      redraw = null;
      draw();
    }, 80).unref();
  };
  return {
    show(event) {
      if (event.kind === 'text') tails.set(`${event.run} ${event.task}`, tailOf(tails, event));
      else tellAbove({ event, story, paint, live, tails, width: options.stderr.columns ?? 0 });
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
    hasTold: story.hasTold,
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
  /** Columns of the terminal; 0 where nobody knows. */
  readonly width: number;
}

function tellAbove({ event, story, paint, live, tails, width }: Above): void {
  const { fact } = event.record;
  if (fact.kind === 'call.answered' || fact.kind === 'call.failed') tails.delete(`${event.run} ${fact.task}`);
  for (const line of story.tell(event.run, event.record)) live.log(storyText(fitted(line, width), paint));
}

function fitted(line: StoryLine, width: number): StoryLine {
  if (width === 0) return line;
  const first = line.who.length + '[] '.length;
  const lines = line.text
    .split('\n')
    .map((one, at) => wrapWords(one, { width, first: at === 0 ? first : 0, indent: '  ' }));
  return { ...line, text: lines.join('\n') };
}

const TAIL = 300;

function tailOf(tails: ReadonlyMap<string, string>, event: Extract<LiveEvent, { readonly kind: 'text' }>): string {
  return `${tails.get(`${event.run} ${event.task}`) ?? ''}${event.delta}`.slice(-TAIL);
}

function activeLines(story: RunStory, tails: ReadonlyMap<string, string>): readonly string[] {
  return story.active().map(({ key, who, doing }) => {
    const tail = oneLine(tails.get(key) ?? '', TAIL);
    return `• ${who}  ${tail === '' ? `${doing} …` : tail.slice(-60)}`;
  });
}

export function storyText(line: StoryLine, paint: Paint): string {
  const text = line.style === null ? line.text : paint(line.style, line.text);
  return `${paint('dim', '[')}${paint('cyan', line.who)}${paint('dim', ']')} ${text}`;
}
