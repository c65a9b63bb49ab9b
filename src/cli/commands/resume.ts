import type { WantedDefinition } from '../../app/runs/resume-run.ts';
import { flag, type Invocation, textOption, word } from '../invocation.ts';
import { carryOut, detachAndPrint } from './carry-out.ts';

/**
 * `troupe resume RUN [--max-usd …] [--definition started|new]`: continues from the journal, after raising the limits that were
 * given, and with the definition that was chosen where its files have changed.
 */
export async function resumeCommand(invocation: Invocation): Promise<number> {
  const definition = definitionOption(invocation);
  const named = { kind: 'resume', run: word(invocation, 0) ?? 'last' } as const;
  const order = { ...named, ...(definition === undefined ? {} : { definition }) };
  return flag(invocation, 'detach') ? await detachAndPrint(invocation, order) : await carryOut(invocation, order);
}

/** One of the two: the parser takes no third. */
function definitionOption(invocation: Invocation): WantedDefinition | undefined {
  const given = textOption(invocation, 'definition');
  return given === undefined ? undefined : given === 'new' ? 'new' : 'started';
}
