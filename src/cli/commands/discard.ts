import { discardRun, type DiscardedRun } from '../../app/results/discard-run.ts';
import { refuseOpen } from '../../app/results/refuse-open.ts';
import { resultText } from '../../core/result-state.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { confirm } from '../files/confirm.ts';
import { withNamedRun } from './with-run.ts';
import { flag } from '../invocation.ts';
import { printNote } from '../terminal/terminal.ts';

/** `troupe discard RUN [--undo]`: records that the result is not wanted, and removes the branch or the patch of it. */
export async function discardCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const isUndone = flag(invocation, 'undo');
  return await withNamedRun(invocation, async (driving, info) => {
    const { run, result } = info;
    refuseOpen(info);
    const isAsked = !isUndone && !flag(invocation, 'yes') && result !== undefined && result.state !== 'discarded';
    if (isAsked && !(await confirm(terminal, `Discard the result of ${run} (${resultText(result)})?`))) return EXIT.ok;
    const discarded = await discardRun(driving, info, { isUndone });
    if (flag(invocation, 'json')) terminal.stdout.write(`${JSON.stringify(discarded)}\n`);
    else printNote(terminal, discardLines(discarded).join('\n'));
    return EXIT.ok;
  });
}

function discardLines({ run, isUndone, removed, kept }: DiscardedRun): readonly string[] {
  if (isUndone === true)
    return [
      `Discard undone: the result of ${run} can be delivered again.`,
      ...kept.map((name) => `  kept:     ${name}`),
      `  deliver:  troupe deliver ${run}${kept.length === 0 ? '' : ' --apply'}`,
    ];
  return [
    `Discarded the result of ${run}. Its files are kept until troupe prune removes them.`,
    ...removed.map((name) => `  removed:  ${name}`),
    ...kept.map((name) => `  kept:     ${name} (it is not only Troupe's; remove it with git branch -D ${name})`),
    `  undo:     troupe discard ${run} --undo`,
  ];
}
