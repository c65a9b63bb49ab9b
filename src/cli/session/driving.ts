import type { Drive, DrivingSession, PageBeside } from './driving-types.ts';
import { type Fault, isFault } from '../../core/model/fault.ts';
import type { RunId } from '../../core/model/ids.ts';
import { runTime } from '../../core/fold/work-clock.ts';
import type { SettledLine } from '../../protocol/run-line.ts';
import { createRunPrinter, type RunPrinter } from '../terminal/run-printer.ts';
import { paintFor } from '../terminal/colour.ts';
import { lookCommands, outputText, verdictText } from '../terminal/end-text.ts';
import { canAsk, printNote } from '../terminal/terminal.ts';
import { faultText } from '../terminal/fault-text.ts';
import type { Begin } from '../../app/runs/going-on.ts';
import { onInterrupt } from './interrupt.ts';
import { existingFolder } from '../../app/runs/find-run.ts';
import { FollowedRun } from '../../app/runs/followed-run.ts';
import { personName } from '../../app/runs/person-name.ts';
import { TreeReader } from '../../app/runs/tree-reader.ts';
import type { Question, RunRest } from '../../host/port.ts';
import { EXIT, exitCodeOf } from '../exit-code.ts';
import { FILES_CHANGED } from '../../core/look/open-questions.ts';
import { plainText } from '../../protocol/plain-text.ts';
import { wrapWords } from '../terminal/wrap-words.ts';
import { nextStep } from './next-step.ts';
import { notify } from './notify.ts';
import { isHeld, settledLine } from '../../app/runs/settled-line.ts';

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
  if (drive.isFollowed) {
    drive.printer.note(`The run continues without this terminal. Follow it with: troupe watch ${drive.run}`);
    return EXIT.interrupted;
  }
  if (drive.terminal.mode.json)
    drive.terminal.stdout.write(`${JSON.stringify({ kind: 'run.interrupted', run: drive.run })}\n`);
  drive.printer.note(`Interrupted. Nothing is lost; continue with: troupe resume ${drive.run}`);
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

/** Above the prompt, and only once: a prompt is drawn again with every key, and counts its lines by its own rules. */
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

/** Begins with a printer listening, and stays until the run rests. The result is the exit code. */
export async function driveBegun(
  driving: DrivingSession,
  { kind, run, begin }: Begin,
  begun: (fault: Fault | null) => void = () => undefined,
): Promise<number> {
  const { terminal, project, store } = driving;
  const printer = createRunPrinter({ root: run, ...terminal });
  const reader = await recallTree(driving, printer, run);
  const isFollowed = kind === 'queued';
  const host = isFollowed ? new FollowedRun(driving, run, reader) : driving.host;
  const stopListening = host.onLive((event) => printer.show(event));
  const stopProgress = driving.world.onProgress((progress) => printer.progress(progress));
  const interrupt = onInterrupt();
  let page: PageBeside | null = null;
  try {
    if (driving.opensPage) page = await pageBeside(driving);
    const fault = await begin();
    begun(fault);
    if (fault !== null) printer.note(faultText(fault));
    page?.show(run, (text) => printer.note(text));
    const drive: Drive = {
      host,
      run,
      terminal,
      printer,
      notify: project.config.notify,
      isFollowed,
      allowsPartial: async () => (await driving.host.snapshot(run)).terms.delivery?.allowsPartial === true,
      interrupt,
      folderOf: (of) => existingFolder(store.home, of),
      printEnd: (line) => printEnd(driving, line),
    };
    const code = await driveToRest(drive);
    return page === null ? code : await page.stay(drive, code, driveToRest);
  } finally {
    await page?.close();
    if (isFollowed) await host.shutdown();
    interrupt.stop();
    stopListening();
    stopProgress();
    printer.rest();
  }
}

/** Loads the server only where it is wanted. */
async function pageBeside({ terminal, version, store }: DrivingSession): Promise<PageBeside> {
  const { openPageBeside } = await import('../serving/page-server.ts');
  return await openPageBeside(terminal, version, store);
}

/** Later records name only the task and the call: who does what was said before the run was taken up. A new one has none. */
async function recallTree({ store }: DrivingSession, printer: RunPrinter, root: RunId): Promise<TreeReader> {
  const reader = new TreeReader(store.journal, root);
  if ((await store.journal.run(root)) === undefined) return reader;
  for (const { run, record } of await reader.readOn()) printer.recall(run, record);
  return reader;
}

/** The output of the run on standard output; on standard error the outcome, the changes, where it waits and how to go on. */
async function printEnd(driving: DrivingSession, line: SettledLine): Promise<number> {
  const { terminal, host } = driving;
  const { stdout, stderr, environment, mode } = terminal;
  if (!mode.json) {
    if (line.output !== null) stdout.write(`${outputText(line.output, line.run)}\n`);
    const { clock, at } = await host.snapshot(line.run as RunId);
    const { text, style } = verdictText(line, runTime(clock, at));
    stderr.write(`${paintFor(stderr, environment)(style, text)}\n`);
  }
  const { printDelivery } = await import('../files/print-delivery.ts');
  const { code, hasCommands } = await printDelivery(driving, line);
  if (!hasCommands && !mode.json && line.status === 'settled') printNote(terminal, lookCommands(line.run).join('\n'));
  return code;
}
