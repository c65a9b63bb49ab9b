import type { ToolCall } from '../../../core/model/message.ts';
import type { EffectContext } from '../../../host/world.ts';
import { liveImplementations } from '../rules/ledger.ts';
import { synthesisProblems } from '../rules/read-choice.ts';
import type { ReviewState } from '../rules/review-state.ts';
import { canBeCorrected, readReply } from '../rules/take-reply.ts';
import type { ReplyProblem } from '../rules/taken.ts';
import { storeOf } from './agent-place.ts';
import { cite } from './cite.ts';
import { reviewStateOf } from './keep-review.ts';
import { REPLY_KINDS } from './review-take.ts';

/**
 * The errors of a review, a position or a synthesis that was just handed in, one per line; null if there are none. Compares it with the
 * current ledger and with the files that the reviewer was given (PD3).
 */
export async function judgementFault(context: EffectContext, reviewer: string, call: ToolCall): Promise<string | null> {
  const problems = await problemsOf(context, reviewer, call);
  if (problems.length === 0 || !canBeCorrected(problems)) return null;
  return problems.map(({ message }) => `- ${message}`).join('\n');
}

async function problemsOf(
  context: EffectContext,
  reviewer: string,
  { name, arguments: given }: ToolCall,
): Promise<readonly ReplyProblem[]> {
  const { ledger, pack }: ReviewState = reviewStateOf(context);
  const kind = REPLY_KINDS.get(name);
  if (kind === undefined) return synthesisProblems(given, liveImplementations(ledger));
  const read = readReply(ledger, { reviewer, kind, given });
  const added = read.ledger.findings.filter(({ id }) => read.added.includes(id));
  const cited = await cite(await storeOf(context), pack, added);
  const wrong = cited.flatMap(({ problem }) => (problem === null ? [] : [problem]));
  return [...read.problems, ...wrong.map((message) => ({ code: 'PLACE_UNKNOWN' as const, message }))];
}
