import type { Json } from '../../../core/model/json.ts';
import { reopen } from '../rules/reopen.ts';
import type { EngineProgram } from '../../../host/world.ts';
import { programInput } from '../../../host/perform/programs/program-input.ts';
import { withEngineFindings } from './engine-findings.ts';
import { nextTurn } from './next-turn.ts';
import { reopenSchema } from './review-input.ts';
import { withKept } from './with-kept.ts';

/** `review.reopen`: the shorter review after a revision, on what changed and what became of the findings (PD6). */
export const reviewReopen: EngineProgram = async (performance, effect) => {
  const { ledger, chosen, maxRounds, touched, pack } = programInput(reopenSchema, withKept(performance, effect));
  const all: Record<string, boolean> = {};
  for (const one of Object.values(touched))
    // A finding about all of them is touched when one of them touched it.
    for (const [finding, isTouched] of Object.entries(one.touched)) all[finding] = all[finding] === true || isTouched;
  const { ledger: opened } = reopen(ledger, { maxRounds, touched: all, chosen });
  const now = withEngineFindings(opened, pack);
  return { output: { ledger: now as unknown as Json, next: nextTurn(now, pack) } };
};
