import { isFault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import { MAIN_WORKSPACE } from '../../core/workspace-name.ts';
import type { SettledLine } from '../../protocol/run-line.ts';
import { EXIT } from '../exit-code.ts';
import { flag, textOption } from '../invocation.ts';
import type { Driving } from '../session/driving.ts';
import { onInterrupt } from '../session/interrupt.ts';
import { describeError, faultText } from '../terminal/fault-text.ts';
import { plainText } from '../terminal/plain-text.ts';
import { NO_CHOICE } from '../../host/deliver/chosen-sides.ts';
import { changedWorkspaces, findFiles, treeOf, type RunFiles } from '../../host/deliver/find-files.ts';
import type { MergeTarget } from '../../host/deliver/merge-outcome.ts';
import { mergeExitCode } from './merge-exit-code.ts';
import { toldLines } from './merge-lines.ts';
import { mergeResult } from '../../host/deliver/merge-result.ts';
import { defaultTarget } from '../../host/deliver/merge-target.ts';
import { namedResult } from '../../host/deliver/named-result.ts';
import { deliveryContext } from './delivery-context-of.ts';
import { noteHanded } from './note-handed.ts';
import { appliedOf } from '../../core/applied-changes.ts';
import { runResult } from '../../host/deliver/run-result.ts';
import { writtenSetupFiles } from '../../host/deliver/setup-files.ts';
import { tellMerge } from './tell-merge.ts';
import { doubtText, resultDoubt, type ResultDoubt } from '../../host/deliver/result-doubt.ts';

/**
 * What happens to a run's files when it has come to its end: with `--apply` they go to the user's, else they wait as a
 * branch or a patch. After a bad end they only stay where they are. The result is an exit code.
 */
export async function handOver(driving: Driving, line: SettledLine): Promise<number> {
  if (line.status !== 'settled') return EXIT.ok;
  try {
    return await handOverFiles(driving, line);
  } catch (error) {
    // The run is over and its files are kept: what is wrong outside of it is told beside its result.
    if (!isFault(error)) throw error;
    const { stderr } = driving.invocation.terminal;
    stderr.write(`${flag(driving.invocation, 'json') ? JSON.stringify(describeError(error)) : faultText(error)}\n`);
    return flag(driving.invocation, 'apply') ? EXIT.failed : EXIT.ok;
  }
}

async function handOverFiles(driving: Driving, line: SettledLine): Promise<number> {
  const { host, store } = driving;
  const run = line.run as RunId;
  if ((await host.snapshot(run)).files === null) return EXIT.ok;
  const files = await findFiles(store.journal, run);
  const records = await store.journal.read(files.root);
  // What was applied before the run went on does not wait any more.
  const changed = changedWorkspaces(files).filter((name) => appliedOf(records, name) !== treeOf(files, name));
  if (changed.length === 0) return await tellSetupFiles(driving, files);
  if (!isGood(driving, line)) return await tellWaiting(driving, files, changed);
  const [main, ...others] = changed;
  if (main !== MAIN_WORKSPACE) return await tellWaiting(driving, files, changed);
  const code = await host.handOver(run, () => merge(driving, files));
  if (others.length > 0) await tellWaiting(driving, files, others);
  return code;
}

const isGood = ({ invocation }: Driving, { outcome }: SettledLine): boolean =>
  outcome === 'ok' || (outcome === 'partial' && flag(invocation, 'allowPartial'));

async function merge(driving: Driving, files: RunFiles): Promise<number> {
  const { invocation, store } = driving;
  const result = await runResult(driving, files, MAIN_WORKSPACE);
  const target: MergeTarget = flag(invocation, 'apply') ? { kind: 'apply' } : defaultTarget(result, store.home);
  const verify = textOption(invocation, 'verify') ?? null;
  const { signal, stop } = stoppable();
  const outcome = await mergeResult(deliveryContext(driving), result, {
    target,
    verify,
    sides: NO_CHOICE,
    signal,
  }).finally(stop);
  await noteHanded(driving, result, outcome);
  await tellMerge(driving, result, outcome);
  return mergeExitCode(outcome, signal);
}

/** Whoever drove the run to its end listens for Ctrl-C no more; a check may still take long. */
function stoppable(): { readonly signal: AbortSignal; readonly stop: () => void } {
  const stopped = new AbortController();
  const interrupt = onInterrupt();
  void interrupt.asked.then(() => stopped.abort());
  return { signal: stopped.signal, stop: () => interrupt.stop() };
}

/** Nothing waits, and yet somebody may have written what setup made. */
async function tellSetupFiles(driving: Driving, files: RunFiles): Promise<number> {
  const { invocation, store } = driving;
  if (flag(invocation, 'json')) return EXIT.ok;
  const told = await writtenSetupFiles(store.home, await runResult(driving, files, MAIN_WORKSPACE));
  for (const line of toldLines(told)) invocation.terminal.stderr.write(`${line}\n`);
  return EXIT.ok;
}

const WORD: Readonly<Record<ResultDoubt['code'], string>> = {
  RESULT_IN_CONFLICT: ' --with-conflicts   (as a branch or a patch, with its markers)',
  RESULT_NOT_VERIFIED: ' --unverified   (marked as not verified)',
};

async function tellWaiting(driving: Driving, files: RunFiles, workspaces: readonly string[]): Promise<number> {
  const { invocation, store } = driving;
  const { root: run } = files;
  if (flag(invocation, 'json')) return EXIT.ok;
  for (const name of workspaces) {
    const named = await namedResult(store.journal, run, name);
    const doubt = await resultDoubt(store.journal, await runResult(driving, files, name));
    const { stderr } = invocation.terminal;
    const mark = doubt === null ? ':' : `, ${plainText(doubtText(doubt))}`;
    stderr.write(`Changed files wait in the workspace ${name}${mark}\n`);
    stderr.write(
      `  look:  troupe diff ${named}\n  take:  troupe merge ${named}${doubt === null ? '' : WORD[doubt.code]}\n`,
    );
  }
  return EXIT.ok;
}
