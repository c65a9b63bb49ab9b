import { Fault } from '../../core/fault.ts';
import type { Invocation } from '../command-spec.ts';
import { flag } from '../invocation.ts';
import { canAsk } from '../terminal/terminal.ts';

/** `--yes`, or a person's yes. Where nobody can be asked, nothing is done. */
export async function confirmed(invocation: Invocation, question: string): Promise<boolean> {
  const { terminal } = invocation;
  if (flag(invocation, 'yes')) return true;
  const interactive = invocation.options['interactive'] !== false;
  if (!canAsk(terminal, { interactive, json: flag(invocation, 'json') })) {
    throw new Fault('CONFIRM_NEEDED', 'Nothing was done: nobody is there to say yes.', {
      hint: 'Say it on the command line: --yes',
    });
  }
  const prompts = await import('@clack/prompts');
  const answer = await prompts.confirm({
    message: question,
    initialValue: false,
    input: terminal.stdin,
    output: terminal.stderr,
  });
  return answer === true;
}
