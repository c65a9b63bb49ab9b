import { faultCodeOf } from '../../core/codes/codes.ts';
import type { Failure } from '../../core/model/outcome.ts';
import { appliedOf } from '../../core/history/applied-changes.ts';
import type { DeliveryFact } from '../../core/record/delivery-fact.ts';
import type { JournalRecord } from '../../core/record/fact.ts';
import { Fault } from '../../core/model/fault.ts';
import type { RunId } from '../../core/model/ids.ts';
import { needsDecision } from '../../core/look/result-state.ts';
import { MAIN_WORKSPACE } from '../../core/model/workspace-name.ts';
import type { CopiedFiles, MergeOutcome } from '../../host/deliver/merge-outcome.ts';
import { reportedOutcome } from '../../host/deliver/delivery-fact-of.ts';
import { changedWorkspaces, findFiles, type RunFiles, treeOf } from '../../host/deliver/find-files.ts';
import { namedResult } from '../../host/deliver/named-result.ts';
import { runResult, type RunResult } from '../../host/deliver/run-result.ts';
import { writtenSetupFiles } from '../../host/deliver/setup-files.ts';
import type { ResultDoubt } from '../../core/step/failed-check.ts';
import { resultDoubt, resultDoubtText } from '../../host/deliver/result-doubt.ts';
import type { SettledLine } from '../../protocol/run-line.ts';
import { EXIT } from '../exit-code.ts';
import type { DrivingSession } from '../session/driving-types.ts';
import { faultText } from '../terminal/fault-text.ts';
import { describeError } from '../../app/describe-error.ts';
import { plainText } from '../../protocol/plain-text.ts';
import { mergeLines, reportLines } from './merge-lines.ts';
import { foldRecords } from '../../core/fold/fold.ts';
import { unverifiedIn } from '../../core/look/unverified.ts';
import { paintFor } from '../terminal/colour.ts';
import { ownBranch } from '../../host/deliver/merge-target.ts';
import { relative } from 'node:path';
import { familyOf } from '../../formats/families.ts';

/** Lists the files copied to the folder of `--out`; `folder` is the current one. */
export function copiedLines({ to, written, refused }: CopiedFiles, folder: string): readonly string[] {
  const near = relative(folder, to);
  const shown = near === '' || near.startsWith('..') ? to : near;
  const left = refused.map(({ path, why }) => `left ${shown}/${path}: it ${withoutName(why, path)}`);
  return [
    ...written.map((path) => `wrote ${shown}/${path}`),
    ...left,
    ...(left.length === 0
      ? []
      : [`${count(left.length)} left; move away what is in ${shown}, or name another folder.`]),
    ...(written.length + left.length === 0 ? [`nothing to copy: ${shown} has the files of the run already`] : []),
  ].map((line) => plainText(line));
}

/** A refusal begins with the name of the file, which the line has said already. */
const withoutName = (why: string, path: string): string => (why.startsWith(path) ? why.slice(path.length).trim() : why);

const count = (files: number): string => (files === 1 ? '1 file was' : `${files} files were`);

/** Where a person has to decide, nothing of theirs was changed. Only a check can be interrupted: all else came to its end. */
export function mergeExitCode(outcome: MergeOutcome, stopped: AbortSignal): number {
  if (stopped.aborted && outcome.kind === 'result.not-verified') return EXIT.interrupted;
  const isOpen = 'conflicts' in outcome && outcome.conflicts.length > 0;
  return isOpen || outcome.kind === 'result.not-verified' ? EXIT.waits : EXIT.ok;
}

interface EndedMerge {
  readonly result: Pick<RunResult, 'run' | 'workspace' | 'isGit' | 'start'>;
  readonly outcome: MergeOutcome;
  /** The command that the merged files had to pass. */
  readonly verify: string | null;
}

/** How a merge ended: a line of JSON on standard output, or text on standard error. */
export async function printMerge(driving: DrivingSession, { result, outcome, verify }: EndedMerge): Promise<void> {
  const { terminal, store } = driving;
  const { stdout, stderr, environment } = terminal;
  if (terminal.mode.json) {
    stdout.write(`${JSON.stringify(outcome)}\n`);
    return;
  }
  const options = {
    paint: paintFor(stderr, environment),
    named: await namedResult(store.journal, result.run, result.workspace),
    hasBranch: result.isGit && result.start !== null,
    branch: ownBranch(result),
    verify,
  };
  const offer = outcome.kind === 'result.unchanged' ? await bestSoFar(driving, result) : [];
  const lines = [...mergeLines(outcome, options), ...offer];
  // The commands to continue with are indented below what happened.
  const shown = terminal.mode.quiet ? lines.filter((line) => !line.startsWith('  ')).slice(-1) : lines;
  stderr.write(`${shown.join('\n')}\n`);
}

/** Of a review from which nothing came home. */
async function bestSoFar({ store }: DrivingSession, { run }: Pick<RunResult, 'run'>): Promise<readonly string[]> {
  const unverified = unverifiedIn(foldRecords(await store.journal.read(run)));
  if (unverified === null) return [];
  const { implementation, why } = unverified;
  return [
    plainText(`The best so far, ${implementation}, is NOT VERIFIED: ${why}`),
    `  take it marked as not verified:  troupe deliver ${run} --agent ${implementation} --unverified`,
  ];
}

/** The printed report on a run's files at its end. */
export interface PrintedDelivery {
  /** An exit code. */
  readonly code: number;
  /** Whether commands were named that continue with the files. */
  readonly hasCommands: boolean;
}

/** Prints what became of a run's files at its end, as its journal has it. */
export async function printDelivery(driving: DrivingSession, line: SettledLine): Promise<PrintedDelivery> {
  const run = line.run as RunId;
  if (line.status !== 'settled' || (await driving.host.snapshot(run)).files === null) return NOTHING;
  const files = await findFiles(driving.store.journal, run);
  const records = await driving.store.journal.read(files.root);
  const delivery = newestDelivery(records);
  const code = delivery === null ? EXIT.ok : await printOne(driving, files, delivery);
  // What was applied before the run continued does not wait any more.
  const waiting = changedWorkspaces(files)
    .filter((name) => appliedOf(records, name) !== treeOf(files, name))
    .filter((name) => delivery === null || name !== delivery.workspace);
  const { terminal } = driving;
  if (terminal.mode.json || terminal.mode.quiet) return { code, hasCommands: true };
  if (waiting.length > 0) await printLeft(driving, files, { waiting, delivery });
  else if (delivery === null) await printSetupFiles(driving, files);
  return { code, hasCommands: delivery !== null || waiting.length > 0 };
}

interface LeftFiles {
  readonly waiting: readonly string[];
  readonly delivery: DeliveryFact | null;
}

async function printLeft(driving: DrivingSession, files: RunFiles, { waiting, delivery }: LeftFiles): Promise<void> {
  const { root: run } = files;
  if (!(await isDecided(driving, run, delivery))) return await printWaiting(driving, files, waiting);
  driving.terminal.stderr.write(`  other implementations:  troupe compare ${run}\n`);
}

/** A review has brought its best implementation home: the others are for those who ask for every step. */
async function isDecided(
  { host, terminal }: DrivingSession,
  run: RunId,
  delivery: DeliveryFact | null,
): Promise<boolean> {
  if (terminal.mode.verbose || delivery?.kind !== 'delivery.finished' || delivery.how === 'unchanged') return false;
  return familyOf((await host.definition(run)).workflow).takesBest === true;
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

async function printOne(driving: DrivingSession, { root: run, began }: RunFiles, fact: DeliveryFact): Promise<number> {
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
function printCopied({ terminal }: DrivingSession, copied: CopiedFiles): boolean {
  for (const line of copiedLines(copied, terminal.folder)) terminal.stderr.write(`${line}\n`);
  return copied.refused.length === 0;
}

const NOT_STOPPED = new AbortController().signal;

function printFailed(
  { terminal }: DrivingSession,
  { code, message, hint }: Pick<Failure, 'code' | 'message' | 'hint'>,
): number {
  const fault = new Fault(
    faultCodeOf(code),
    `The result was not delivered: ${message}`,
    hint === undefined ? {} : { hint },
  );
  const { stderr } = terminal;
  stderr.write(`${terminal.mode.json ? JSON.stringify(describeError(fault)) : faultText(fault)}\n`);
  return needsDecision(code) ? EXIT.waits : EXIT.failed;
}

/** No file waits, but someone may have written what setup made. */
async function printSetupFiles(driving: DrivingSession, files: RunFiles): Promise<void> {
  const { terminal, store } = driving;
  const left = await writtenSetupFiles(store.home, await runResult(driving, files, MAIN_WORKSPACE));
  for (const line of reportLines(left)) terminal.stderr.write(`${line}\n`);
}

const WORD: Readonly<Record<ResultDoubt['code'], string>> = {
  RESULT_IN_CONFLICT: ' --with-conflicts   (as a branch or a patch, with its markers)',
  RESULT_NOT_VERIFIED: ' --unverified   (marked as not verified)',
};

async function printWaiting(driving: DrivingSession, files: RunFiles, workspaces: readonly string[]): Promise<void> {
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
