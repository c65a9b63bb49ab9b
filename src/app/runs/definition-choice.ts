import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import { definitionMisfit } from '../../host/embedded/redefine-run.ts';
import type { RunInfo } from '../../journal/port.ts';
import { definitionNow, type DefinitionNow } from '../library/definition-change.ts';
import { changeSentence } from '../library/definition-text.ts';
import type { Session } from './session.ts';

/** A run keeps the definition it began with; its files give a different one now. */
export interface DefinitionChoice {
  readonly run: RunId;
  readonly now: DefinitionNow;
  /** Why the run cannot take the new one. */
  readonly misfits: readonly string[];
}

export type WantedDefinition = 'started' | 'new';

/** Null where there is nothing to choose. A new definition that cannot be had is refused: DEFINITION_UNUSABLE, DEFINITION_MISFIT. */
export async function definitionChoice(
  { host, project, caller }: Session,
  { run, driven }: RunInfo,
  wanted: WantedDefinition | undefined,
): Promise<DefinitionChoice | null> {
  if (driven) return refuseNew(run, wanted);
  const loads = wanted === 'new' ? 'any' : 'known';
  const now = await definitionNow(await host.definition(run), { project, caller }, loads);
  if (now.state === 'same') return null;
  const misfits = now.definition === undefined ? [] : await host.misfits(run, now.definition);
  const choice = { run, now, misfits };
  if (wanted === 'new') refuseUnusable(choice, caller.folder);
  return choice;
}

/** The process that drives a run has its definition. */
function refuseNew(run: RunId, wanted: WantedDefinition | undefined): null {
  if (wanted !== 'new') return null;
  throw new Fault('RUN_BUSY', `Run ${run} is being driven, and keeps its definition while it is.`, {
    hint: `Pause it first: troupe pause ${run}`,
  });
}

function refuseUnusable({ run, now, misfits }: DefinitionChoice, folder: string): void {
  if (misfits.length > 0) throw definitionMisfit(run, misfits);
  if (now.definition !== undefined) return;
  const { fault } = now;
  const what = changeSentence(now, folder);
  throw new Fault('DEFINITION_UNUSABLE', `There is no new definition for run ${run}: ${what}.`, {
    problems: fault?.problems ?? [],
    hint: `Correct it, or go on as it began: troupe resume ${run} --definition started`,
    ...(fault === undefined ? {} : { cause: fault }),
  });
}
