import type { Json, JsonObject } from '../../../../core/json.ts';
import { convergence } from '../../../../core/review/convergence.ts';
import { dropImplementation, dropReviewer } from '../../../../core/review/drop-reviewer.ts';
import type { Ledger } from '../../../../core/review/ledger.ts';
import { markVerified } from '../../../../core/review/take-evidence.ts';
import { takePosition } from '../../../../core/review/take-position.ts';
import { takeReview } from '../../../../core/review/take-review.ts';
import { roundName } from '../../../../core/review/round-name.ts';
import { problemsText, withFlaws, type ReplyProblemCode, type Taken } from '../../../../core/review/taken.ts';
import type { TreeStore } from '../../../../workspace/store/port.ts';
import type { EngineProgram } from '../engine-program.ts';
import { programInput } from '../program-input.ts';
import { storeOf } from './agent-place.ts';
import { cite } from './cite.ts';
import { withEngineFindings } from './engine-findings.ts';
import { nextTurn } from './next-turn.ts';
import { replyGiven, replyTool } from './reply-given.ts';
import { takeSchema, type PackGiven, type TakeInput } from './review-input.ts';
import { runProposed } from './run-proposed.ts';
import { withKept } from './with-kept.ts';

/**
 * `review.take`: what a reviewer said goes into the ledger. Whatever is wrong with it, places that do not exist among that, is
 * given back once; the second time all of it is taken that has a meaning, and those findings count as unverified.
 */
export const reviewTake: EngineProgram = async (performance, effect) => {
  const input = programInput(takeSchema, withKept(performance, effect));
  const { reviewer, pack, failed } = input;
  const ledger = begun(input);
  if (failed !== null && !hasSpoken(input))
    return { output: taken(dropReviewer(ledger, reviewer, failed).ledger, pack) };
  const reply = await understood(await storeOf(performance), ledger, input);
  if (reply.problems.length > 0 && !input.isSecond && isMendable(reply)) {
    const came = convergence(ledger) as unknown as Json;
    return {
      output: {
        isTaken: false,
        say: problemsText(reply.problems, replyTool(input.kind)),
        note: `${reviewer}, ${roundName(reply.ledger)}: refused. ${messagesOf(reply).join(' ')}`,
        ledger: json(ledger),
        convergence: came,
        next: null,
      },
    };
  }
  const { test } = reply;
  const flaws = isMendable(reply) ? messagesOf(reply, 'PLACE_UNKNOWN') : [];
  const heard = withFlaws(reply.ledger, reviewer, flaws);
  const now = test === null ? heard : await runProposed(performance, { effect, ledger: heard, reviewer, test });
  const note = `${reviewer}, ${roundName(reply.ledger)}: refused once, and still wrong; it counts without that part. ${flaws.join(' ')}`;
  return { output: { ...taken(now, pack), ...(flaws.length === 0 ? {} : { note }) } };
};

/** A finding whose place was not found counts, and is marked itself. */
const messagesOf = ({ problems }: Taken, without?: ReplyProblemCode): readonly string[] =>
  problems.filter(({ code }) => code !== without).map(({ message }) => message);

/** It answered, and failed only when it was to mend that: what it said counts. */
const hasSpoken = ({ isSecond, calls, text }: TakeInput): boolean =>
  isSecond && (calls.length > 0 || text.trim() !== '');

/** The ledger with what the engine knows by itself: who did not come to anything, and what it holds against the others. */
function begun({ ledger, pack }: TakeInput): Ledger {
  const isFirst = ledger.debate === 1 && ledger.round === 0;
  const lost = isFirst ? ledger.implementations.filter((id) => !Object.hasOwn(pack.trees, id)) : [];
  const live = lost.reduce((now, id) => dropImplementation(now, id, 'It did not come out well.').ledger, ledger);
  return withEngineFindings(live, pack);
}

async function understood(store: TreeStore, ledger: Ledger, input: TakeInput): Promise<Taken> {
  const { reviewer, kind, pack } = input;
  const given = replyGiven(ledger, input);
  const reply = kind === 'review' ? takeReview(ledger, reviewer, given) : takePosition(ledger, reviewer, given);
  const added = reply.ledger.findings.filter(({ id }) => reply.added.includes(id));
  const cited = await cite(store, pack, added);
  const wrong = cited.flatMap(({ problem }) => (problem === null ? [] : [problem]));
  return {
    ...reply,
    ledger: markVerified(
      reply.ledger,
      Object.fromEntries(cited.map(({ draft, isVerified }) => [draft.id, isVerified])),
    ),
    problems: [...reply.problems, ...wrong.map((message) => ({ code: 'PLACE_UNKNOWN' as const, message }))],
  };
}

/** Words change nothing about these. */
const FINAL: ReadonlySet<ReplyProblemCode> = new Set([
  'REVIEWER_UNKNOWN',
  'REVIEWER_OUT',
  'SPOKEN_ALREADY',
  'REVIEWS_OVER',
  'REVIEWS_MISSING',
  'DEBATE_OVER',
]);

const isMendable = ({ problems }: Taken): boolean => problems.every(({ code }) => !FINAL.has(code));

const taken = (ledger: Ledger, pack: PackGiven): JsonObject => ({
  isTaken: true,
  say: '',
  ledger: json(ledger),
  convergence: convergence(ledger) as unknown as Json,
  next: nextTurn(ledger, pack),
});

const json = (ledger: Ledger): Json => ledger as unknown as Json;
