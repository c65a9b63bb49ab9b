import { runId, type RunId } from '../../core/ids.ts';
import type { Invocation } from '../command-spec.ts';
import { refuseUnknownLevels } from '../config/choose-model.ts';
import { EXIT } from '../exit-code.ts';
import { withRunOrChild } from '../files/with-run.ts';
import { flag, words } from '../invocation.ts';
import { checkModels } from '../session/check-models.ts';
import { chosenQuestion, type ChosenQuestion } from '../session/chosen-question.ts';
import { printAndDrive, type Driving } from '../session/driving.ts';
import { personName } from '../session/drive.ts';
import { untilConsumed } from '../session/inbox-wait.ts';
import { rootRun } from '../session/root-run.ts';
import { runPicture } from '../session/run-picture.ts';

/** `troupe answer RUN [QUESTION] TEXT`: to whoever drives the run; where nobody does, the run goes on here. */
export async function answerCommand(invocation: Invocation): Promise<number> {
  return await withRunOrChild(invocation, async (driving, named) => {
    const { journal } = driving.store;
    const view = await runPicture(journal, named.run, null);
    const { question, text } = chosenQuestion(words(invocation, 1), view);
    const root = rootRun(named.run);
    if ((await journal.run(root))?.driven === true) return await tellDriver(driving, named.run, { question, text });
    const { host, actors } = driving;
    const definition = await host.definition(root);
    refuseUnknownLevels(definition.roles, actors.config, actors.overrides);
    await checkModels(definition, actors, (await host.snapshot(root)).limits);
    return await printAndDrive(driving, root, async () => {
      await driving.host.resume(root);
      const asking = runId(question.run);
      await driving.host.answer(named.run, { question: question.id, answer: text, by: personName() });
      // A child is taken up a little later than its root; till then its answer lies in the inbox.
      await untilConsumed(journal, [asking]);
      return root;
    });
  });
}

async function tellDriver(driving: Driving, run: RunId, { question, text }: ChosenQuestion): Promise<number> {
  const { host, store, invocation } = driving;
  const asking = runId(question.run);
  await host.answer(run, { question: question.id, answer: text, by: personName() });
  await untilConsumed(store.journal, [asking]);
  const { terminal } = invocation;
  if (flag(invocation, 'json'))
    terminal.stdout.write(`${JSON.stringify({ kind: 'answer.taken', run: asking, question: question.id })}\n`);
  else terminal.stderr.write(`Answered. Follow the run with: troupe watch ${rootRun(asking)}\n`);
  return EXIT.ok;
}
