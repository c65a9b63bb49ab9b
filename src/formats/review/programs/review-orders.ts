import type { EngineProgram } from '../../../host/world.ts';
import { findingsFor } from '../rules/findings-for.ts';
import type { ReviewState } from '../rules/review-state.ts';
import { filesOfAgent } from './agent-place.ts';
import { keepReview } from './keep-review.ts';
import { evidenceText } from './pack-text.ts';

/** `review.orders`: the findings for each implementer to fix, and its files before that (PD6). */
export const reviewOrders: EngineProgram = keepReview(async ({ context, effect, state }) => {
  const trees: Record<string, string> = {};
  const orders: Record<string, string> = {};
  for (const id of state.decision?.chosen ?? []) {
    trees[id] = (await filesOfAgent(context, effect, id)).tree;
    orders[id] = orderText(state, id);
  }
  return { kind: 'ordered', orders, trees };
});

const NO_FINDINGS = `# Revision

The reviewers ask for a revision of the whole and reported no finding about your implementation.`;
const CHECK_AGAIN =
  'Compare your files with the task once more. Fix a defect only if you can show it. If you find none, change nothing and say so.';
const FIX_COMMAND = 'Find out why the command fails and fix that. Change nothing else.';
const FINDINGS = `# Revision

The reviewers read your implementation. These findings have to be resolved in your files, the most urgent first:`;
const FIX_FINDINGS =
  'Fix the places that these findings name and leave the rest as it is. If a finding is wrong, state why, with evidence. End with one line for each finding id: what you changed, or why not.';

function orderText({ ledger, evidence }: Pick<ReviewState, 'ledger' | 'evidence'>, id: string): string {
  const { text } = findingsFor(ledger, id);
  const seen = evidence[id];
  const isRed = seen?.isGreen === false;
  const proof = seen !== undefined && (isRed || seen.tampered.length > 0) ? [evidenceText(seen)] : [];
  if (text === '') return [NO_FINDINGS, ...proof, isRed ? FIX_COMMAND : CHECK_AGAIN].join('\n\n');
  return [`${FINDINGS}\n\n${text}`, ...proof, FIX_FINDINGS].join('\n\n');
}
