import { performAct } from '../../app/acts/perform-act.ts';
import { chosenQuestion } from '../../app/runs/answer-run.ts';
import { findRun } from '../../app/runs/find-run.ts';
import { runPicture } from '../../app/runs/run-picture.ts';
import { withStore } from '../../app/world/store.ts';
import { rootRunId, runId } from '../../core/model/ids.ts';
import type { Order } from '../../protocol/operations/acts.ts';
import { askingOf } from '../asking.ts';
import { flag, type Invocation, textOptions, word, words } from '../invocation.ts';
import { EXIT } from '../exit-code.ts';
import { carryOut, refuseWeb } from './carry-out.ts';
import { printDone } from '../terminal/terminal.ts';

/**
 * `troupe answer RUN [QUESTION] TEXT`: to the process that drives the run; where none does, the run continues here, or with
 * `--detach` in the background. The first answer counts; a later one is refused.
 */
export async function answerCommand(invocation: Invocation): Promise<number> {
  const order = await orderOf(invocation);
  return flag(invocation, 'detach') ? await pass(invocation, order) : await carryOut(invocation, order);
}

type AnswerOrder = Extract<Order, { readonly kind: 'answer' }>;

async function orderOf(invocation: Invocation): Promise<AnswerOrder> {
  const { terminal } = invocation;
  return await withStore(terminal, async ({ journal }) => {
    const { run } = await findRun(journal, word(invocation, 0) ?? 'last', terminal.folder);
    const { question, text } = chosenQuestion(words(invocation, 1), await runPicture(journal, run, null));
    return { kind: 'answer', run, question: question.id, text, ...textOptions(invocation, ['files']) };
  });
}

async function pass(invocation: Invocation, order: AnswerOrder): Promise<number> {
  const { terminal } = invocation;
  refuseWeb(invocation);
  const asking = askingOf(invocation);
  const answer = await withStore(terminal, async (store) => {
    const driven: Promise<unknown>[] = [];
    const later = (work: Promise<unknown>): void => {
      // It may fail before it is waited for.
      work.catch(() => undefined);
      driven.push(work);
    };
    const program = { entry: process.argv[1] ?? '', home: store.home, signal: new AbortController().signal, later };
    const taken = await performAct({ ...asking, store }, { ...order, ...asking.wishes }, program);
    await Promise.all(driven);
    return taken;
  });
  printDone(terminal, answer as object, `Answered. Follow the run with: troupe watch ${rootRunId(runId(order.run))}`);
  return EXIT.ok;
}
