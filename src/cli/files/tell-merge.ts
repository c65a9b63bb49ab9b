import { foldRecords } from '../../core/fold.ts';
import { unverifiedIn } from '../../core/unverified.ts';
import type { Driving } from '../session/driving.ts';
import { flag, textOption } from '../invocation.ts';
import { paintFor } from '../terminal/colour.ts';
import { plainText } from '../terminal/plain-text.ts';
import { mergeLines } from './merge-lines.ts';
import type { MergeOutcome } from '../../host/deliver/merge-outcome.ts';
import { ownBranch } from '../../host/deliver/merge-target.ts';
import { namedResult } from '../../host/deliver/named-result.ts';
import type { RunResult } from '../../host/deliver/run-result.ts';

/** What became of a merge: a line of JSON on standard output, or words beside it. */
export async function tellMerge(driving: Driving, result: RunResult, outcome: MergeOutcome): Promise<void> {
  const { invocation, store } = driving;
  const { stdout, stderr, environment } = invocation.terminal;
  if (flag(invocation, 'json')) {
    stdout.write(`${JSON.stringify(outcome)}\n`);
    return;
  }
  const telling = {
    paint: paintFor(stderr, environment),
    named: await namedResult(store.journal, result.run, result.workspace),
    hasBranch: result.isGit && result.start !== null,
    branch: ownBranch(result),
    verify: textOption(invocation, 'verify') ?? null,
  };
  const offer = outcome.kind === 'merge.unchanged' ? await bestSoFar(driving, result) : [];
  stderr.write(`${[...mergeLines(outcome, telling), ...offer].join('\n')}\n`);
}

/** Of a review from which nothing came home. */
async function bestSoFar({ store }: Driving, { run }: RunResult): Promise<readonly string[]> {
  const unverified = unverifiedIn(foldRecords(await store.journal.read(run)).data);
  if (unverified === null) return [];
  const { implementation, why } = unverified;
  return [
    plainText(`The best so far, ${implementation}, is NOT VERIFIED: ${why}`),
    `  take it marked as not verified:  troupe merge ${run} --agent ${implementation} --unverified`,
  ];
}
