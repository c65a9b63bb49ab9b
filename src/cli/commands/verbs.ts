import { discardRun, archiveRun, refuseOpen, type DiscardedRun } from '../../app/results/discard-run.ts';
import { cancelledLine, cancelRun, pauseRun } from '../../app/runs/pause-run.ts';
import { tellAgent, type MessageReceipt } from '../../app/runs/tell-agent.ts';
import { rootRunId, type RunId } from '../../core/model/ids.ts';
import { willBeTaken } from '../../protocol/status-word.ts';
import { resultText } from '../../core/look/result-state.ts';
import { confirm } from '../files/confirm.ts';
import { flag, textOption, word, words, type Invocation } from '../invocation.ts';
import { printDone } from '../terminal/terminal.ts';
import { withNamedRun } from './carry-out.ts';

/** `troupe pause RUN`: what is under way comes to its end, nothing new starts, until somebody resumes the run. */
export async function pauseCommand(invocation: Invocation): Promise<void> {
  await withNamedRun(invocation, async (driving, info) => {
    const { run } = info;
    const isNew = await pauseRun(driving, info, textOption(invocation, 'reason') ?? 'paused on the command line');
    const what = isNew ? 'Paused' : 'It is paused already';
    printDone(invocation.terminal, { kind: 'run.paused', run }, `${what}. Continue with: troupe resume ${run}`);
  });
}

/** `troupe cancel RUN`: ends a run for good, wherever it is driven. */
export async function cancelCommand(invocation: Invocation): Promise<void> {
  await withNamedRun(invocation, async (driving, info) => {
    const { run } = info;
    const reason = textOption(invocation, 'reason') ?? 'cancelled on the command line';
    const cancelled = await cancelRun(driving, info, reason);
    const asked = `Asked to cancel ${run}: it ends when a worker takes it. See: troupe show ${run}`;
    const text = cancelled === 'asked' ? asked : `Cancelled ${run}.`;
    printDone(invocation.terminal, cancelledLine(run, cancelled), text);
  });
}

/** `troupe tell RUN AGENT TEXT`: a person's words to an agent. It hears them with its next call, or with its next turn. */
export async function tellCommand(invocation: Invocation): Promise<void> {
  const said = { agent: word(invocation, 1) ?? '', text: words(invocation, 2).join(' ') };
  await withNamedRun(
    invocation,
    async (driving, { run }) => {
      const heard = await tellAgent(driving, run, said);
      printDone(invocation.terminal, { kind: 'agent.told', ...heard }, sentText(heard, rootRunId(run)));
    },
    { allowsChild: true },
  );
}

function sentText({ agent, isDriven, queued }: MessageReceipt, root: RunId): string {
  if (isDriven) return `Sent to ${agent}, who reads it with the next call. See: troupe logs ${root}`;
  if (queued === undefined)
    return `Kept for ${agent}: no process drives the run now. Go on with: troupe resume ${root}`;
  if (!willBeTaken(queued)) return `Kept for ${agent} until a worker takes the run: ${queued.text}.`;
  return `Sent to ${agent}, who reads it when a worker has taken the run. See: troupe logs ${root}`;
}

/** `troupe archive RUN [--undo]`: hides a run from lists and the board, or shows it there again. */
export async function archiveCommand(invocation: Invocation): Promise<void> {
  const isUndone = flag(invocation, 'undo');
  await withNamedRun(invocation, async (driving, info) => {
    const { run } = info;
    const archived = await archiveRun(driving, info, { isUndone });
    const text = `Archived ${run}. See it with: troupe list --archived\n  undo:  troupe archive ${run} --undo`;
    printDone(invocation.terminal, archived, { note: isUndone ? `Lists show ${run} again.` : text });
  });
}

/** `troupe discard RUN [--undo]`: records that the result is not wanted, and removes the branch or the patch of it. */
export async function discardCommand(invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  const isUndone = flag(invocation, 'undo');
  await withNamedRun(invocation, async (driving, info) => {
    const { run, result } = info;
    refuseOpen(info);
    const isAsked = !isUndone && !flag(invocation, 'yes') && result !== undefined && result.state !== 'discarded';
    if (isAsked && !(await confirm(terminal, `Discard the result of ${run} (${resultText(result)})?`))) return;
    const discarded = await discardRun(driving, info, { isUndone });
    printDone(terminal, discarded, { note: discardLines(discarded).join('\n') });
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
