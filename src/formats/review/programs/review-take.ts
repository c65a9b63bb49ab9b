import type { Json } from '../../../core/model/json.ts';
import type { EngineProgram } from '../../../host/world.ts';
import { liveImplementations, type Ledger } from '../rules/ledger.ts';
import { hasKeyword, readKeywords } from '../rules/read-keywords.ts';
import { readReply, takeReply, type GatheredReply, type ReviewerReply } from '../rules/take-reply.ts';
import { storeOf } from './agent-place.ts';
import { cite } from './cite.ts';
import { keepReview, type Gathering } from './keep-review.ts';
import { unitsIn } from './review-next.ts';
import { runProposed } from './run-proposed.ts';

/** `review.take`: puts the reviewers' replies into the ledger, with the evidence of files and proposed tests. */
export const reviewTake: EngineProgram = keepReview(async (gathering) => {
  const replies: GatheredReply[] = [];
  let { ledger } = gathering.state;
  for (const reply of repliesIn(gathering)) {
    const gathered = await withEvidence(gathering, ledger, reply);
    replies.push(gathered);
    ({ ledger } = takeReply(ledger, gathered));
  }
  return { kind: 'replied', replies };
});

/** First reviews come from all at once, a position from the speaker. */
function repliesIn(gathering: Gathering): readonly ReviewerReply[] {
  const { speaker } = gathering.state;
  const { last } = gathering.context.snapshot;
  if (speaker !== null) {
    const failed = last === null || last.outcome === 'ok' ? null : (last.failure?.message ?? last.outcome);
    return [replyOf(gathering, { reviewer: speaker, kind: 'position', failed })];
  }
  return unitsIn(last?.output ?? null).map(({ id, outcome, reason }) =>
    replyOf(gathering, { reviewer: id, kind: 'review', failed: outcome === 'ok' ? null : (reason ?? outcome) }),
  );
}

function replyOf(
  { context: { snapshot }, state: { ledger } }: Gathering,
  ended: Omit<ReviewerReply, 'given'>,
): ReviewerReply {
  const said = snapshot.agents[ended.reviewer];
  if (ended.failed !== null || said === undefined) return { ...ended, given: null };
  const call = said.parsingCalls.findLast(({ name }) => REPLY_KINDS.get(name) === ended.kind);
  return { ...ended, given: call?.arguments ?? givenInWords(ledger, ended.kind, said.lastResponse) };
}

/** By the tools of the role `peer_reviewer`. */
export const REPLY_KINDS: ReadonlyMap<string, ReviewerReply['kind']> = new Map([
  ['hand_in_review', 'review'],
  ['hand_in_position', 'position'],
]);

/** The document's keywords, from a model that cannot call tools (PD4); null where it gave none. */
function givenInWords(ledger: Ledger, kind: ReviewerReply['kind'], text: string): Json {
  if (!hasKeyword(text)) return null;
  return readKeywords(text, { kind, implementations: liveImplementations(ledger) }) as unknown as Json;
}

async function withEvidence(
  { context, effect, state }: Gathering,
  ledger: Ledger,
  reply: ReviewerReply,
): Promise<GatheredReply> {
  if (reply.failed !== null) return { ...reply, places: {}, test: null };
  const read = readReply(ledger, reply);
  const added = read.ledger.findings.filter(({ id }) => read.added.includes(id));
  const cited = await cite(await storeOf(context), state.pack, added);
  const places = Object.fromEntries(cited.map(({ draft, isVerified }) => [draft.id, isVerified]));
  const test = read.test === null ? null : await runProposed(context, { effect, ledger: read.ledger, test: read.test });
  return { ...reply, places, test };
}
