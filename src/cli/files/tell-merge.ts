import type { Driving } from '../session/driving.ts';
import { flag, textOption } from '../invocation.ts';
import { paintFor } from '../terminal/colour.ts';
import { mergeLines } from './merge-lines.ts';
import type { MergeOutcome } from './merge-outcome.ts';
import { ownBranch } from './merge-target.ts';
import { namedResult } from './named-result.ts';
import type { RunResult } from './run-result.ts';

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
  stderr.write(`${mergeLines(outcome, telling).join('\n')}\n`);
}
