import type { Ledger } from '../rules/ledger.ts';
import { findingsFor } from '../rules/findings-for.ts';
import type { EngineProgram } from '../../../host/world.ts';
import { programInput } from '../../../host/perform/programs/program-input.ts';
import { filesOfAgent } from './agent-place.ts';
import { evidenceText } from './pack-text.ts';
import { ordersSchema, type EvidenceInput } from './review-input.ts';
import { withKept } from './with-kept.ts';

/** `review.orders`: what each implementer has to revise, and what its files are before it does (PD6). */
export const reviewOrders: EngineProgram = async (performance, effect) => {
  const { ledger, chosen, evidence } = programInput(ordersSchema, withKept(performance, effect));
  const trees: Record<string, string> = {};
  const orders: Record<string, string> = {};
  for (const id of chosen) {
    trees[id] = (await filesOfAgent(performance, effect, id)).tree;
    orders[id] = orderText(ledger, id, evidence[id] ?? null);
  }
  return { output: { orders, trees, units: chosen.map((id) => ({ id })) } };
};

const NO_FINDINGS = `# Revision

The reviewers ask for a revision of the whole and reported no finding about your implementation.`;
const CHECK_AGAIN =
  'Compare your files with the task once more. Fix a defect only if you can show it. If you find none, change nothing and say so.';
const FIX_COMMAND = 'Find out why the command fails and fix that. Change nothing else.';
const FINDINGS = `# Revision

The reviewers read your implementation. These findings have to be resolved in your files, the most urgent first:`;
const FIX_FINDINGS =
  'Fix the places that these findings name and leave the rest as it is. If a finding is wrong, state why, with evidence. End with one line for each finding id: what you changed, or why not.';

function orderText(ledger: Ledger, id: string, evidence: EvidenceInput | null): string {
  const { text } = findingsFor(ledger, id);
  const isRed = evidence !== null && evidence.isGreen !== true;
  const isTold = isRed || (evidence?.tampered ?? []).length > 0;
  const proof = isTold ? [evidenceText(evidence)] : [];
  if (text === '') return [NO_FINDINGS, ...proof, isRed ? FIX_COMMAND : CHECK_AGAIN].join('\n\n');
  return [`${FINDINGS}\n\n${text}`, ...proof, FIX_FINDINGS].join('\n\n');
}
