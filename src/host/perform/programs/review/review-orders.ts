import type { Ledger } from '../../../../core/review/ledger.ts';
import { findingsFor } from '../../../../core/review/findings-for.ts';
import type { EngineProgram } from '../engine-program.ts';
import { programInput } from '../program-input.ts';
import { filesOf } from './agent-place.ts';
import { evidenceText } from './pack-text.ts';
import { ordersSchema, type EvidenceInput } from './review-input.ts';
import { withKept } from './with-kept.ts';

/** `review.orders`: what each implementer is told to revise, and what its files are before it does (PD6). */
export const reviewOrders: EngineProgram = async (performance, effect) => {
  const { ledger, chosen, evidence } = programInput(ordersSchema, withKept(performance, effect));
  const trees: Record<string, string> = {};
  const orders: Record<string, string> = {};
  for (const id of chosen) {
    trees[id] = (await filesOf(performance, effect, id)).tree;
    orders[id] = orderText(ledger, id, evidence[id] ?? null);
  }
  return { output: { orders, trees, units: chosen.map((id) => ({ id })) } };
};

function orderText(ledger: Ledger, id: string, evidence: EvidenceInput | null): string {
  const { text } = findingsFor(ledger, id);
  const findings =
    text === ''
      ? 'The reviewers hold nothing against your work in particular. Look it over once more and mend what you find.'
      : `The reviewers looked at your work. Revise it, in your own files; this stands against it, most urgent first:\n\n${text}`;
  const isRed = evidence !== null && evidence.isGreen !== true;
  const isTold = isRed || (evidence?.tampered ?? []).length > 0;
  return [
    findings,
    ...(isTold ? [evidenceText(evidence)] : []),
    'Change what these points name and leave the rest as it is. Where you think that a point is wrong, say why in your answer.',
  ].join('\n\n');
}
