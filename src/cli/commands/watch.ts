import type { RunId } from '../../core/model/ids.ts';
import type { Outcome } from '../../core/model/outcome.ts';
import { resultText } from '../../core/look/result-state.ts';
import { restKind, type SettledLine } from '../../protocol/run-line.ts';
import type { RunView } from '../../protocol/run-view.ts';
import { type Invocation, word } from '../invocation.ts';
import { EXIT, exitCodeOf } from '../exit-code.ts';
import { isHandingOver, needsPerson } from '../../app/results/hand-over-due.ts';
import { withGit } from '../../app/results/with-git.ts';
import { existingFolder, findRun } from '../../app/runs/find-run.ts';
import { isTreeAtRest } from '../../app/runs/tree-at-rest.ts';
import { followRun } from '../../app/runs/tree-reader.ts';
import { nextStep } from '../session/next-step.ts';
import { isHeld, severalOf } from '../../app/runs/settled-line.ts';
import { runPicture } from '../../app/runs/run-picture.ts';
import { queuedNow } from '../../app/workers/queued-run.ts';
import { withStore, type OpenStore } from '../../app/world/store.ts';
import { paintFor } from '../terminal/colour.ts';
import { lookCommands, verdictText } from '../terminal/end-text.ts';
import { handedText, viewHints, waitingHanded } from '../terminal/result-fields.ts';
import { printNote, type Terminal } from '../terminal/terminal.ts';
import { createRunPrinter, type RunPrinter } from '../terminal/run-printer.ts';
import { untilInterrupted } from './carry-out.ts';

/** `troupe watch RUN`: what happened so far, then what happens, until the run settles or no process drives it any more. */
export async function watchCommand(invocation: Invocation): Promise<number> {
  return await withStore(invocation.terminal, async (store) => {
    const { run } = await findRun(store.journal, word(invocation, 0) ?? 'last', invocation.terminal.folder);
    const printer = createRunPrinter({ root: run, ...invocation.terminal });
    const code = await untilInterrupted(follow(store, run, { terminal: invocation.terminal, printer }));
    printer.rest();
    return code;
  });
}

async function follow(store: OpenStore, run: RunId, { terminal, printer }: Watching): Promise<number> {
  const { journal, home } = store;
  const noteQueued = queuedNotes(store, run, printer);
  const isOver = async (): Promise<boolean> => {
    await noteQueued();
    return await isAtRest(store, run);
  };
  for await (const { run: of, record } of followRun(journal, run, { isOver })) {
    printer.show({ kind: 'record', run: of, record });
  }
  const seen = await runPicture(journal, run, existingFolder(home, run));
  const [view = seen] = await withGit([seen]);
  const line = lineOf(view);
  printer.settled(line);
  if (!terminal.mode.json) printVerdict(terminal, printer, { line, time: view.time });
  if (view.status === 'running') printer.note(`No process drives this run. Continue with: troupe resume ${run}`);
  const advice = nextStep(line, printer);
  if (advice !== null) printer.note(advice);
  if (view.status === 'running') return EXIT.failed;
  const code = exitCodeOf(line);
  const result = printResult(view, { terminal, printer });
  return code === EXIT.ok ? result : code;
}

/** Says once each why no worker takes the run now. */
function queuedNotes(store: OpenStore, run: RunId, printer: RunPrinter): () => Promise<void> {
  let noted: string | undefined;
  return async () => {
    const { queued } = await queuedNow(store, run);
    if (queued !== undefined && queued.kind !== 'free-soon' && queued.text !== noted)
      printer.note(`This run is queued: ${queued.text}.`);
    noted = queued?.text;
  };
}

interface Watching {
  readonly terminal: Terminal;
  readonly printer: RunPrinter;
}

/** A good outcome counts only once the result could be handed over. */
function printResult(view: RunView, { terminal, printer }: Watching): number {
  const { result, status } = view;
  const isRefused = result.state === 'refused';
  const isOpen = isRefused || OPEN.has(result.kind);
  const lines = resultLines(view).join('\n');
  if (isOpen) printer.note(lines);
  else if (status === 'settled' && !terminal.mode.json) printNote(terminal, lines);
  if (isOpen && !isRefused) return EXIT.failed;
  return isRefused || needsPerson(view) ? EXIT.waits : EXIT.ok;
}

/** Its delivery was cut off. */
const OPEN: ReadonlySet<string> = new Set(['undelivered', 'half-applied']);

/** Where the result is, and what can be done with it. */
function resultLines(view: RunView): readonly string[] {
  const { result, run } = view;
  const hints = viewHints(view).map(({ label, command }) => `  ${`${label}:`.padEnd(8)} ${command}`);
  const commands = hints.length === 0 ? lookCommands(run) : hints;
  if (result.state === 'none') return commands;
  const handed = waitingHanded(view);
  return [handed === undefined ? `Result: ${resultText(result)}.` : `The result ${handedText(handed)}.`, ...commands];
}

function printVerdict(
  { stderr, environment }: Terminal,
  printer: RunPrinter,
  { line, time }: { readonly line: SettledLine; readonly time: RunView['time'] },
): void {
  const { text, style } = verdictText(line, time);
  printer.note(paintFor(stderr, environment)(style, text));
}

async function isAtRest({ journal, shared }: OpenStore, run: RunId): Promise<boolean> {
  const info = await journal.run(run);
  if (info?.status === 'settled') return !isHandingOver(info);
  if (info?.driven === true) return false;
  // A worker will take it.
  return shared === undefined || (await isTreeAtRest(journal, run));
}

function lineOf(view: RunView): SettledLine {
  const { run, status, result, output, usage, costUsd, failure, folder } = view;
  const question = view.questions[0] ?? null;
  const outcome = view.outcome ?? (isHeld(view) ? 'blocked' : LEFT_AS[view.status]);
  return {
    kind: restKind(status),
    run,
    status,
    outcome,
    result,
    output,
    usage,
    costUsd,
    failure,
    question,
    ...severalOf(view.questions),
    folder,
  };
}

/** What a run that did not settle is left as. */
const LEFT_AS: Readonly<Record<RunView['status'], Outcome>> = {
  running: 'crashed',
  waiting: 'blocked',
  paused: 'quota',
  settled: 'ok',
};
