import { checkResumable, deliverOwed, resumeRun } from '../../app/runs/resume-run.ts';
import { unreachableRun } from '../../app/runs/send-terms.ts';
import type { RunId } from '../../core/ids.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { withRun } from './with-run.ts';
import { flag, textOption, word } from '../invocation.ts';
import type { WantedDefinition } from '../../app/runs/definition-choice.ts';
import { chooseDefinition } from '../session/choose-definition.ts';
import { detachAndPrint } from './detach.ts';
import { driveBegun, type Driving } from '../session/driving.ts';
import { stillWaiting } from '../session/still-waiting.ts';

/**
 * `troupe resume RUN [--max-usd …] [--definition started|new]`: goes on from the journal, after raising the limits that were
 * given, and with the definition that was chosen where its files have changed.
 */
export async function resumeCommand(invocation: Invocation): Promise<number> {
  const definition = definitionOption(invocation);
  if (!flag(invocation, 'detach'))
    return await withRun(invocation, (driving, info) => goOn(driving, info, definition), 'drive');
  const order = { kind: 'resume', run: word(invocation, 0) ?? 'last' } as const;
  return await detachAndPrint(invocation, { ...order, ...(definition === undefined ? {} : { definition }) });
}

/** One of the two: the parser takes no third. */
function definitionOption(invocation: Invocation): WantedDefinition | undefined {
  const given = textOption(invocation, 'definition');
  return given === undefined ? undefined : given === 'new' ? 'new' : 'started';
}

async function goOn(driving: Driving, info: RunInfo, definition: WantedDefinition | undefined): Promise<number> {
  const { wishes } = driving;
  const { run } = info;
  if (info.status === 'settled') return await driveBegun(driving, await deliverOwed(driving, info));
  const chosen = await chooseDefinition(driving, info, definition);
  if (chosen.kind === 'interrupted') return EXIT.interrupted;
  const changed = chosen.kind === 'new' ? chosen.definition : null;
  await checkResumable(driving, run, changed);
  const isUnchanged = Object.keys(wishes.limits ?? {}).length === 0 && changed === null;
  const waiting = isUnchanged ? await stillWaiting(driving, info) : null;
  if (waiting !== null) return waiting;
  refuseWeb(driving, info);
  const taken = await resumeRun(driving, info, changed);
  return taken.kind === 'here' ? await driveBegun(driving, taken) : tellElsewhere(driving, run, isUnchanged);
}

/** The page would show a run that this process does not drive, and end with it. */
function refuseWeb({ opensPage }: Driving, { run, driven }: RunInfo): void {
  if (driven && opensPage) throw unreachableRun(run, ['--web']);
}

function tellElsewhere({ terminal }: Driving, run: RunId, isUnchanged: boolean): number {
  const what = isUnchanged ? 'The run goes on where it is driven' : 'The process that drives the run has the new limit';
  terminal.stderr.write(`${what}. Follow it with: troupe watch ${run}\n`);
  return EXIT.ok;
}
