import type { Json, JsonObject } from '../../../core/model/json.ts';
import { convergence } from '../rules/convergence.ts';
import { dropReviewer } from '../rules/drop-reviewer.ts';
import { liveImplementations, type Ledger } from '../rules/ledger.ts';
import { hasKeyword, readKeywords } from '../rules/read-keywords.ts';
import { roundName } from '../rules/round-name.ts';
import { withFlaws } from '../rules/taken.ts';
import type { EngineProgram } from '../../../host/world.ts';
import { programInput } from '../../../host/perform/programs/program-input.ts';
import { storeOf } from './agent-place.ts';
import { nextTurn } from './next-turn.ts';
import { begunLedger, canBeCorrected, readReply } from './read-reply.ts';
import { REPLY_KINDS, takeSchema, type PackGiven, type TakeInput } from './review-input.ts';
import { runProposed } from './run-proposed.ts';
import { withKept } from './with-kept.ts';

/**
 * `review.take`: a reviewer's reply goes into the ledger. Its author heard what is wrong with it when it handed it in
 * (`judgementFault`); what is still wrong is left out and named, and findings whose place does not exist count as unverified.
 */
export const reviewTake: EngineProgram = async (performance, effect) => {
  const input = programInput(takeSchema, withKept(performance, effect));
  const { reviewer, pack, failed } = input;
  const ledger = begunLedger(input.ledger, pack);
  if (failed !== null) return { output: taken(dropReviewer(ledger, reviewer, failed).ledger, pack) };
  const given = replyGiven(ledger, input);
  const { test, problems, ...reply } = await readReply(await storeOf(performance), { ...input, ledger, given });
  // A finding whose place was not found counts, and is marked itself.
  const wrong = canBeCorrected(problems) ? problems.filter(({ code }) => code !== 'PLACE_UNKNOWN') : [];
  const flaws = wrong.map(({ message }) => message);
  const heard = withFlaws(reply.ledger, reviewer, flaws);
  const now = test === null ? heard : await runProposed(performance, { effect, ledger: heard, reviewer, test });
  const note = `${reviewer}, ${roundName(reply.ledger)}: what is wrong in it does not count. ${flaws.join(' ')}`;
  return { output: { ...taken(now, pack), ...(flaws.length === 0 ? {} : { note }) } };
};

/** What a reviewer handed in, or the document's keywords from a model that cannot call tools (PD4); null where it gave neither. */
function replyGiven(ledger: Ledger, { kind, calls, text }: TakeInput): Json {
  const call = calls.findLast(({ name }) => REPLY_KINDS.get(name) === kind);
  if (call !== undefined) return call.arguments;
  if (!hasKeyword(text)) return null;
  return readKeywords(text, { kind, implementations: liveImplementations(ledger) }) as unknown as Json;
}

const taken = (ledger: Ledger, pack: PackGiven): JsonObject => ({
  ledger: json(ledger),
  convergence: convergence(ledger) as unknown as Json,
  next: nextTurn(ledger, pack),
});

const json = (ledger: Ledger): Json => ledger as unknown as Json;
