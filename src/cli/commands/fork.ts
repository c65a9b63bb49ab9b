import { forkRun, type ForkedRun, type ForkRequest } from '../../app/runs/fork-run.ts';
import { movedText } from '../../app/results/step-option.ts';
import { storeHome } from '../../app/world/store.ts';
import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { withRun } from '../files/with-run.ts';
import { flag, listOption, textOption, textOptions } from '../invocation.ts';
import { reportRefused, reportStarted, startDetached } from '../session/detach.ts';
import { driveBegun, type Driving } from '../session/driving.ts';
import { fieldOf } from '../session/read-input.ts';

/** `troupe fork RUN --at STEP`: a new run that goes on from a record of another, with its conversations and files. */
export async function forkCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  if (flag(invocation, 'detach')) {
    const run = await startDetached(invocation, storeHome(terminal));
    terminal.stdout.write(flag(invocation, 'json') ? `${JSON.stringify({ kind: 'run.forked', run })}\n` : `${run}\n`);
    return EXIT.ok;
  }
  try {
    return await withRun(invocation, (driving, { run }) => forkHere(driving, run), 'drive');
  } catch (error) {
    reportRefused(terminal, error);
    throw error;
  }
}

async function forkHere(driving: Driving, from: RunId): Promise<number> {
  const { invocation } = driving;
  const forked = await forkRun(driving, from, requestOf(invocation, from));
  tellForked(invocation, forked);
  if (invocation.options['run'] !== false) return await driveBegun(driving, forked);
  reportStarted(invocation.terminal, forked.run);
  return EXIT.ok;
}

function requestOf(invocation: Invocation, run: RunId): ForkRequest {
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
  throw new Fault(
    'USAGE',
    `--tell needs an agent and what it is told, as in --tell coder="Use tabs"; it is "${given}".`,
  );
}

function tellForked({ terminal, options }: Invocation, { run, from, asked }: ForkedRun): void {
  const isOver = options['run'] === false;
  if (options['json'] === true) terminal.stdout.write(`${JSON.stringify({ kind: 'run.forked', run, from })}\n`);
  else if (isOver) terminal.stdout.write(`${run}\n`);
  if (options['json'] !== true) {
    const goOn = isOver ? ` Go on with: troupe resume ${run}` : '';
    const why = movedText(asked, from.seq);
    terminal.stderr.write(`Forked run ${from.run} at record ${from.seq} as ${run}.${why}${goOn}\n`);
  }
}
