import type { ForkedRun, ForkRequest } from '../../app/runs/fork-run.ts';
import { movedStepText } from '../../app/runs/find-run.ts';
import { Fault } from '../../core/model/fault.ts';
import { flag, type Invocation, listOption, textOption, textOptions, word } from '../invocation.ts';
import { EXIT } from '../exit-code.ts';
import { carryOut, detachAndPrint, follow } from './carry-out.ts';
import { fieldOf } from '../session/read-input.ts';

/** `troupe fork RUN --at STEP`: a new run that continues from a record of another, with its conversations and files. */
export async function forkCommand(invocation: Invocation): Promise<number> {
  const run = word(invocation, 0) ?? 'last';
  const request = requestOf(invocation, run);
  if (flag(invocation, 'detach') && invocation.options['run'] !== false)
    return await detachAndPrint(invocation, { kind: 'fork', run, ...request });
  return await carryOut(invocation, { kind: 'fork', run, ...request }, async (ordered) => {
    if (ordered.forked !== undefined) printForked(invocation, ordered.forked);
    return invocation.options['run'] === false ? EXIT.ok : await follow(invocation, ordered);
  });
}

function requestOf(invocation: Invocation, run: string): ForkRequest {
  const at = textOption(invocation, 'at');
  if (at !== undefined)
    return {
      at,
      input: Object.fromEntries(listOption(invocation, 'input').map(fieldOf)),
      ...textOptions(invocation, ['title']),
      tell: listOption(invocation, 'tell').map(wordsFor),
    };
  throw new Fault('USAGE', 'Say at which step the fork leaves the run: --at STEP', {
    hint: `A record's number, a state, stage or phase, with its visit such as coder#2, or start. See: troupe show ${run}`,
  });
}

/** `AGENT=TEXT`. */
function wordsFor(given: string): { readonly agent: string; readonly text: string } {
  const cut = given.indexOf('=');
  const [agent, text] = [given.slice(0, cut).trim(), given.slice(cut + 1)];
  if (cut > 0 && agent !== '' && text.trim() !== '') return { agent, text };
  throw new Fault('USAGE', `--tell needs an agent and a text, as in --tell coder="Use tabs"; it is "${given}".`);
}

function printForked({ terminal, options }: Invocation, { run, from, asked }: ForkedRun): void {
  const isOver = options['run'] === false;
  if (options['json'] === true) terminal.stdout.write(`${JSON.stringify({ kind: 'run.forked', run, from })}\n`);
  else if (isOver) terminal.stdout.write(`${run}\n`);
  if (options['json'] !== true) {
    const goOn = isOver ? ` Continue with: troupe resume ${run}` : '';
    // The start is not a record that a person named.
    const why = options['at'] === 'start' ? '' : movedStepText(asked, from.seq);
    terminal.stderr.write(`Forked run ${from.run} at record ${from.seq} as ${run}.${why}${goOn}\n`);
  }
}
