import { performAct } from '../../app/acts/perform-act.ts';
import { chosenQuestion } from '../../app/runs/chosen-question.ts';
import { findRun } from '../../app/runs/find-run.ts';
import { rootRun } from '../../app/runs/root-run.ts';
import { runPicture } from '../../app/runs/run-picture.ts';
import { storeHome, withStore } from '../../app/world/store.ts';
import { runId } from '../../core/ids.ts';
import type { Order } from '../../protocol/operations/acts.ts';
import { askingOf } from '../asking.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { flag, textOptions, word, words } from '../invocation.ts';
import { carryOut } from './carry-out.ts';
import { refuseWeb } from './detach.ts';

/**
 * `troupe answer RUN [QUESTION] TEXT`: to the process that drives the run; where none does, the run goes on here, or with
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
  const program = { entry: process.argv[1] ?? '', home: storeHome(terminal), signal: new AbortController().signal };
  const answer = await performAct(asking, { ...order, ...asking.wishes }, program);
  if (terminal.mode.json) terminal.stdout.write(`${JSON.stringify(answer)}\n`);
  else terminal.stderr.write(`Answered. Follow the run with: troupe watch ${rootRun(runId(order.run))}\n`);
  return EXIT.ok;
}
