import { appliedOf } from '../../core/applied-changes.ts';
import type { DeliveryFact } from '../../core/delivery-fact.ts';
import type { JournalRecord } from '../../core/fact.ts';
import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import { needsDecision } from '../../core/result-state.ts';
import { MAIN_WORKSPACE } from '../../core/workspace-name.ts';
import type { CopiedFiles } from '../../host/deliver/merge-outcome.ts';
import { reportedOutcome } from '../../host/deliver/delivery-fact-of.ts';
import { changedWorkspaces, findFiles, treeOf, type RunFiles } from '../../host/deliver/find-files.ts';
import { namedResult } from '../../host/deliver/named-result.ts';
import { runResult } from '../../host/deliver/run-result.ts';
import { writtenSetupFiles } from '../../host/deliver/setup-files.ts';
import type { ResultDoubt } from '../../core/failed-check.ts';
import { resultDoubtText, resultDoubt } from '../../host/deliver/result-doubt.ts';
import type { SettledLine } from '../../protocol/run-line.ts';
import { EXIT } from '../exit-code.ts';
import type { Driving } from '../session/driving.ts';
import { faultText } from '../terminal/fault-text.ts';
import { describeError } from '../../app/describe-error.ts';
import { plainText } from '../../protocol/plain-text.ts';
import { copiedLines } from './copied-lines.ts';
import { mergeExitCode } from './merge-exit-code.ts';
import { reportLines } from './merge-lines.ts';
import { printMerge } from './print-merge.ts';

/** What was printed of a run's files at its end. */
export interface PrintedDelivery {
  /** An exit code. */
  readonly code: number;
  /** Whether commands were named that go on with the files. */
  readonly hasCommands: boolean;
}

/** Prints what became of a run's files at its end, as its journal has it. */
export async function printDelivery(driving: Driving, line: SettledLine): Promise<PrintedDelivery> {
  const run = line.run as RunId;
  if (line.status !== 'settled' || (await driving.host.snapshot(run)).files === null) return NOTHING;
  const files = await findFiles(driving.store.journal, run);
  const records = await driving.store.journal.read(files.root);
  const delivery = newestDelivery(records);
  const code = delivery === null ? EXIT.ok : await printOne(driving, files, delivery);
  // What was applied before the run went on does not wait any more.
  const waiting = changedWorkspaces(files)
    .filter((name) => appliedOf(records, name) !== treeOf(files, name))
    .filter((name) => delivery === null || name !== delivery.workspace);
  if (driving.terminal.mode.json || driving.terminal.mode.quiet) return { code, hasCommands: true };
  if (waiting.length > 0) await printWaiting(driving, files, waiting);
  else if (delivery === null) await printSetupFiles(driving, files);
  return { code, hasCommands: delivery !== null || waiting.length > 0 };
}

const NOTHING: PrintedDelivery = { code: EXIT.ok, hasCommands: false };

/** Of the last time that the run came to its end. */
function newestDelivery(records: readonly JournalRecord[]): DeliveryFact | null {
  const settled = records.findLast(({ fact }) => fact.kind === 'run.settled')?.seq ?? Infinity;
  const newest = records.findLast(({ fact, seq }) => seq > settled && KINDS.has(fact.kind))?.fact;
  return (newest as DeliveryFact | undefined) ?? null;
}

const KINDS: ReadonlySet<string> = new Set<DeliveryFact['kind']>([
  'delivery.started',
  'delivery.finished',
  'delivery.failed',
]);

async function printOne(driving: Driving, { root: run, began }: RunFiles, fact: DeliveryFact): Promise<number> {
  if (fact.kind === 'delivery.failed') return printFailed(driving, fact.failure);
  const outcome = fact.kind === 'delivery.finished' ? reportedOutcome(fact) : null;
  if (outcome === null) return EXIT.failed;
  const { terms } = await driving.host.snapshot(run);
  const isGit = began.source === 'git';
  const result = { run, workspace: fact.workspace, isGit, start: began.commit ?? null };
  await printMerge(driving, { result, outcome, verify: terms.delivery?.verify ?? null });
  const isCopied = outcome.copied === undefined || printCopied(driving, outcome.copied);
  return mergeExitCode(outcome, NOT_STOPPED) || (isCopied ? EXIT.ok : EXIT.failed);
}

/** False where a file was left. */
function printCopied({ terminal }: Driving, copied: CopiedFiles): boolean {
  for (const line of copiedLines(copied, terminal.folder)) terminal.stderr.write(`${line}\n`);
  return copied.refused.length === 0;
}

const NOT_STOPPED = new AbortController().signal;

function printFailed(
  { terminal }: Driving,
  { code, message, hint }: { code: string; message: string; hint?: string },
): number {
  const fault = new Fault(code, `The result was not delivered: ${message}`, hint === undefined ? {} : { hint });
  const { stderr } = terminal;
  stderr.write(`${terminal.mode.json ? JSON.stringify(describeError(fault)) : faultText(fault)}\n`);
  return needsDecision(code) ? EXIT.waits : EXIT.failed;
}

/** No file waits, but someone may have written what setup made. */
async function printSetupFiles(driving: Driving, files: RunFiles): Promise<void> {
  const { terminal, store } = driving;
  const left = await writtenSetupFiles(store.home, await runResult(driving, files, MAIN_WORKSPACE));
  for (const line of reportLines(left)) terminal.stderr.write(`${line}\n`);
}

const WORD: Readonly<Record<ResultDoubt['code'], string>> = {
  RESULT_IN_CONFLICT: ' --with-conflicts   (as a branch or a patch, with its markers)',
  RESULT_NOT_VERIFIED: ' --unverified   (marked as not verified)',
};

async function printWaiting(driving: Driving, files: RunFiles, workspaces: readonly string[]): Promise<void> {
  const { terminal, store } = driving;
  for (const name of workspaces) {
    const named = await namedResult(store.journal, files.root, name);
    const doubt = await resultDoubt(store.journal, await runResult(driving, files, name));
    const { stderr } = terminal;
    const mark = doubt === null ? ':' : `, ${plainText(resultDoubtText(doubt))}`;
    stderr.write(`Changed files wait in the workspace ${name}${mark}\n`);
    stderr.write(
      `  look:  troupe diff ${named}\n  take:  troupe deliver ${named}${doubt === null ? '' : WORD[doubt.code]}\n`,
    );
  }
}
