import { answerElsewhere, answerRun, checkGiven, type GivenAnswer } from '../../app/runs/answer-run.ts';
import { chosenQuestion } from '../../app/runs/chosen-question.ts';
import { rootRun } from '../../app/runs/root-run.ts';
import { runPicture } from '../../app/runs/run-picture.ts';
import { isFault } from '../../core/fault.ts';
import { runId, type RunId } from '../../core/ids.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { withRunOrChild } from './with-run.ts';
import { flag, textOptions, words } from '../invocation.ts';
import { detach } from './detach.ts';
import { driveBegun, type Driving } from '../session/driving.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * `troupe answer RUN [QUESTION] TEXT`: to the process that drives the run; where none does, the run goes on here, or with
 * `--detach` in the background. The first answer counts; a later one is refused.
 */
export async function answerCommand(invocation: Invocation): Promise<number> {
  return await withRunOrChild(invocation, (driving, { run }) => answer(driving, run, invocation), 'drive');
}

async function answer(driving: Driving, run: RunId, invocation: Invocation): Promise<number> {
  const { store, terminal } = driving;
  const given = await givenAnswer(driving, run, invocation);
  await checkGiven(driving, given);
  const isDriven = (await store.journal.run(rootRun(run)))?.driven === true;
  if (flag(invocation, 'detach') && !isDriven) {
    const { question, text, files } = given;
    const order = { kind: 'answer', run, question: question.id, text } as const;
    await detach(invocation, { ...order, ...(files === undefined ? {} : { files }) });
    return tellTaken(terminal, given);
  }
  try {
    return await took(driving, given, await answerRun(driving, given));
  } catch (error) {
    // Another process took the run up in the same moment.
    if (!isFault(error) || error.code !== 'RUN_BUSY') throw error;
    return await took(driving, given, await answerElsewhere(driving, given));
  }
}

async function took(
  driving: Driving,
  given: GivenAnswer,
  taken: Awaited<ReturnType<typeof answerRun>>,
): Promise<number> {
  if (taken.kind === 'here') return await driveBegun(driving, taken);
  return tellTaken(driving.terminal, given);
}

async function givenAnswer({ store }: Driving, run: RunId, invocation: Invocation): Promise<GivenAnswer> {
  const view = await runPicture(store.journal, run, null);
  return {
    run,
    ...chosenQuestion(words(invocation, 1), view),
    ...textOptions(invocation, ['files']),
  };
}

function tellTaken(terminal: Terminal, { question }: GivenAnswer): number {
  const asking = runId(question.run);
  if (terminal.mode.json)
    terminal.stdout.write(`${JSON.stringify({ kind: 'answer.taken', run: asking, question: question.id })}\n`);
  else terminal.stderr.write(`Answered. Follow the run with: troupe watch ${rootRun(asking)}\n`);
  return EXIT.ok;
}
