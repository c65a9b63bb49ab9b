import { foldRecords } from '../../core/fold.ts';
import { unverifiedIn } from '../../core/unverified.ts';
import type { Driving } from '../session/driving.ts';
import { paintFor } from '../terminal/colour.ts';
import { plainText } from '../../protocol/plain-text.ts';
import { mergeLines } from './merge-lines.ts';
import type { MergeOutcome } from '../../host/deliver/merge-outcome.ts';
import { ownBranch } from '../../host/deliver/merge-target.ts';
import { namedResult } from '../../host/deliver/named-result.ts';
import type { RunResult } from '../../host/deliver/run-result.ts';

interface EndedMerge {
  readonly result: Pick<RunResult, 'run' | 'workspace' | 'isGit' | 'start'>;
  readonly outcome: MergeOutcome;
  /** The command that the merged files had to pass. */
  readonly verify: string | null;
}

/** How a merge ended: a line of JSON on standard output, or text beside it. */
export async function printMerge(driving: Driving, { result, outcome, verify }: EndedMerge): Promise<void> {
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
  // The commands to go on with are indented below what happened.
  const shown = terminal.mode.quiet ? lines.filter((line) => !line.startsWith('  ')).slice(-1) : lines;
  stderr.write(`${shown.join('\n')}\n`);
}

/** Of a review from which nothing came home. */
async function bestSoFar({ store }: Driving, { run }: Pick<RunResult, 'run'>): Promise<readonly string[]> {
  const unverified = unverifiedIn(foldRecords(await store.journal.read(run)).data);
  if (unverified === null) return [];
  const { implementation, why } = unverified;
  return [
    plainText(`The best so far, ${implementation}, is NOT VERIFIED: ${why}`),
    `  take it marked as not verified:  troupe deliver ${run} --agent ${implementation} --unverified`,
  ];
}
