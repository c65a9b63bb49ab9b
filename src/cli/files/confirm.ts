import { Fault } from '../../core/model/fault.ts';
import { canAsk, type Terminal } from '../terminal/terminal.ts';

/** Asks for a yes. Where no person can be asked: CONFIRM_NEEDED, with the flag to give instead. */
export async function confirm(terminal: Terminal, question: string): Promise<boolean> {
  if (!canAsk(terminal)) {
    throw new Fault(
      'CONFIRM_NEEDED',
      `Nothing was done: "${question}" needs confirmation, and this command cannot ask here.`,
      {
        hint: 'Say yes on the command line: --yes',
      },
    );
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
