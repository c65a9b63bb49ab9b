import { liveImplementations } from '../rules/ledger.ts';
import { synthesisProblems } from '../rules/read-choice.ts';
import type { ToolCall } from '../../../core/model/message.ts';
import type { ReplyProblem } from '../rules/taken.ts';
import type { Performance } from '../../../host/world.ts';
import { programInput } from '../../../host/perform/programs/program-input.ts';
import { storeOf } from './agent-place.ts';
import { begunLedger, canBeCorrected, readReply } from './read-reply.ts';
import { judgedSchema, REPLY_KINDS } from './review-input.ts';

/**
 * What is wrong with a review, a position or a synthesis that was just handed in, a line for each point; null where nothing
 * is. It is compared with the ledger as it is now and with the files that the reviewer was given (PD3).
 */
export async function judgementFault(
  performance: Performance,
  reviewer: string,
  call: ToolCall,
): Promise<string | null> {
  const { ledger: known = null, pack = null } = performance.snapshot.data;
  const judged = programInput(judgedSchema, { program: 'review', input: { ledger: known, pack } });
  const ledger = begunLedger(judged.ledger, judged.pack);
  const kind = REPLY_KINDS.get(call.name);
  const problems: readonly ReplyProblem[] =
    kind === undefined
      ? synthesisProblems(call.arguments, liveImplementations(ledger))
      : (await readReply(await storeOf(performance), { ...judged, ledger, reviewer, kind, given: call.arguments }))
          .problems;
  if (problems.length === 0 || !canBeCorrected(problems)) return null;
  return problems.map(({ message }) => `- ${message}`).join('\n');
}
