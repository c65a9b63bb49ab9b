import { personName } from '../../app/runs/person-name.ts';
import { isFault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import type { Host, Question, RunRest } from '../../host/port.ts';
import type { SettledLine } from '../../protocol/run-line.ts';
import { EXIT, exitCodeOf } from '../exit-code.ts';
import { FILES_CHANGED } from '../../core/open-questions.ts';
import { faultText } from '../terminal/fault-text.ts';
import { plainText } from '../../protocol/plain-text.ts';
import type { RunPrinter } from '../terminal/run-printer.ts';
import { canAsk, type Terminal } from '../terminal/terminal.ts';
import { wrapWords } from '../terminal/wrap-words.ts';
import type { Interrupt } from './interrupt.ts';
import { nextStep } from './next-step.ts';
import { notify } from './notify.ts';
import { isHeld, settledLine } from '../../app/runs/settled-line.ts';

export interface Drive {
  readonly host: Host;
  readonly run: RunId;
  readonly terminal: Terminal;
  readonly printer: RunPrinter;
  readonly notify: string | null;
  /** A partial outcome counts as success. */
  readonly allowsPartial: () => Promise<boolean>;
  readonly interrupt: Interrupt;
  readonly folderOf: (run: RunId) => string | null;
  /** Prints the end of a run that has come to rest; whether its result could be delivered, as an exit code. */
  readonly printEnd: (line: SettledLine) => Promise<number>;
}

/** Stays with a run until it is settled, or no person can answer here; the result is the exit code (L10). */
export async function driveToRest(drive: Drive): Promise<number> {
  for (;;) {
    const rest = await Promise.race([drive.host.rest(drive.run), drive.interrupt.asked]);
    if (rest === 'interrupted') return await stopDriving(drive);
    const line = settledLine(rest, drive.folderOf(drive.run));
    const isAsking = rest.status !== 'settled' && !isHeld(rest) && canAsk(drive.terminal);
    if (!isAsking) return await finish(drive, line);
    const answered = await askAndAnswer(drive, rest);
    if (!answered) return await stopDriving(drive);
  }
}

async function finish(drive: Drive, line: SettledLine): Promise<number> {
  drive.printer.rest();
  const delivered = await drive.printEnd(line);
  drive.printer.settled(line);
  const advice = nextStep(line, drive.printer);
  if (advice !== null) drive.printer.note(advice);
  await notify(drive.notify, line, drive.terminal);
  const code = exitCodeOf(line, { allowPartial: await drive.allowsPartial() });
  return code === EXIT.ok ? delivered : code;
}

/** Nothing is ended: what was under way is asked for again when the run is resumed. */
async function stopDriving(drive: Drive): Promise<number> {
  drive.printer.rest();
  await drive.host.shutdown();
  if (drive.terminal.mode.json)
    drive.terminal.stdout.write(`${JSON.stringify({ kind: 'run.interrupted', run: drive.run })}\n`);
  drive.printer.note(`Interrupted. Nothing is lost; go on with: troupe resume ${drive.run}`);
  return EXIT.interrupted;
}

async function askAndAnswer(drive: Drive, rest: RunRest): Promise<boolean> {
  const question = rest.questions[0];
  if (question === undefined) return false;
  drive.printer.rest();
  void notify(drive.notify, settledLine(rest, null), drive.terminal);
  const answer = await firstAnswer(drive, question);
  if (answer === null) return false;
  if (answer.kind === 'given') await give(drive, question, answer.text);
  return true;
}

/** Files that changed while the prompt stood are shown with the same question again; nothing was taken. */
async function give(drive: Drive, { id, mark }: Question, answer: string): Promise<void> {
  const files = mark === undefined ? {} : { mark };
  try {
    await drive.host.answer(drive.run, { question: id, answer, by: personName(), via: 'terminal', ...files });
  } catch (error) {
    if (!isFault(error) || error.code !== 'ANSWER_VOID') throw error;
    drive.printer.note(faultText(error));
  }
}

type Given = { readonly kind: 'given'; readonly text: string } | { readonly kind: 'elsewhere' } | null;

/** Another surface may answer while the prompt stands here; then the prompt goes away. */
async function firstAnswer(drive: Drive, question: Question): Promise<Given> {
  printQuestion(drive, question);
  const { askPerson } = await import('./ask-person.ts');
  const withdrawn = new AbortController();
  const elsewhere = answeredElsewhere(drive, question);
  const here = askPerson(question, drive.terminal, withdrawn.signal);
  try {
    return await Promise.race<Given>([
      here.then((text): Given => (text === null ? null : { kind: 'given', text })),
      elsewhere.promise.then((): Given => ({ kind: 'elsewhere' })),
      drive.interrupt.asked.then((): Given => null),
    ]);
  } finally {
    elsewhere.stop();
    withdrawn.abort();
  }
}

/** Above the prompt, and only once: a prompt is drawn anew with every key, and counts its lines by its own rules. */
function printQuestion({ printer, terminal }: Drive, { name, text, isAgain }: Question): void {
  const asked = text.replace(/ Go on\?$/, '');
  if (isAgain !== true && printer.hasShown(asked)) return;
  const width = terminal.stderr.columns || 80;
  const again = isAgain === true ? `${FILES_CHANGED} ` : '';
  const lines = plainText(`${name}: ${again}${asked}`).split('\n');
  printer.note(lines.map((line) => wrapWords(line, { width })).join('\n'));
}

function answeredElsewhere(drive: Drive, question: Question): { readonly promise: Promise<void>; stop(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = drive.host.onLive((event) => {
    if (event.kind !== 'record' || event.run !== question.run) return;
    const { kind } = event.record.fact;
    if (ENDS_A_QUESTION.has(kind)) resolve();
  });
  return { promise, stop };
}

/** After these the question is answered, or is not to be answered now. */
const ENDS_A_QUESTION: ReadonlySet<string> = new Set([
  'question.answered',
  'question.asked',
  'limit.raised',
  'run.paused',
  'run.cancelled',
  'run.settled',
]);
