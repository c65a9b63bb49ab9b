import { Fault } from '../../core/fault.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { withNamedRun } from '../files/with-run.ts';
import { flag, textOption, word, words } from '../invocation.ts';
import { personName } from '../../app/runs/person-name.ts';
import { untilConsumed } from '../../app/runs/inbox-wait.ts';
import { rootRun } from '../../app/runs/root-run.ts';

/** `troupe tell RUN AGENT TEXT`: a person's words to an agent. It hears them with its next call, or with its next turn. */
export async function tellCommand(invocation: Invocation): Promise<number> {
  const { stdout, stderr } = invocation.terminal;
  const text = words(invocation, 2).join(' ');
  if (text.trim() === '') throw new Fault('USAGE', 'There is nothing to tell: the text is empty.');
  return await withNamedRun(invocation, async ({ host, store }, { run }) => {
    const by = textOption(invocation, 'by') ?? personName();
    const { run: of, agent } = await host.tell(run, { agent: word(invocation, 1) ?? '', text, by });
    const root = rootRun(run);
    const isDriven = (await store.journal.run(root))?.driven === true && (await untilConsumed(store.journal, [of]));
    if (flag(invocation, 'json')) stdout.write(`${JSON.stringify({ kind: 'agent.told', run: of, agent, isDriven })}\n`);
    else if (isDriven) stderr.write(`Told ${agent}, who hears it with the next call. See: troupe logs ${root}\n`);
    else stderr.write(`Kept for ${agent}: nobody drives the run now. Go on with: troupe resume ${root}\n`);
    return EXIT.ok;
  });
}
