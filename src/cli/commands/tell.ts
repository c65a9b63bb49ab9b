import { rootRun } from '../../app/runs/root-run.ts';
import { tellAgent } from '../../app/runs/tell-agent.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { withRunOrChild } from './with-run.ts';
import { flag, word, words } from '../invocation.ts';

/** `troupe tell RUN AGENT TEXT`: a person's words to an agent. It hears them with its next call, or with its next turn. */
export async function tellCommand(invocation: Invocation): Promise<number> {
  const { stdout, stderr } = invocation.terminal;
  const said = { agent: word(invocation, 1) ?? '', text: words(invocation, 2).join(' ') };
  return await withRunOrChild(invocation, async (driving, { run }) => {
    const heard = await tellAgent(driving, run, said);
    const { agent, isDriven } = heard;
    const root = rootRun(run);
    if (flag(invocation, 'json')) stdout.write(`${JSON.stringify({ kind: 'agent.told', ...heard })}\n`);
    else if (isDriven) stderr.write(`Sent to ${agent}, who reads it with the next call. See: troupe logs ${root}\n`);
    else stderr.write(`Kept for ${agent}: no process drives the run now. Go on with: troupe resume ${root}\n`);
    return EXIT.ok;
  });
}
