import { isJsonObject, type Json } from '../../../src/core/model/json.ts';
import type { DeliveredLine, RolledBackLine } from '../../../src/protocol/operations/answers/delivered.ts';

/** A delivery that came to its end. */
export type MergeEnd = Exclude<DeliveredLine, { readonly kind: 'result.conflict' | 'result.not-verified' }>;

/** A file that steers the user's programs and was not written into the project. */
export type HeldFile = NonNullable<DeliveredLine['held']>[number];

export type ShownRollbackPlan = Extract<RolledBackLine, { readonly kind: 'rollback.plan' }>;
export type ShownRollback = Extract<RolledBackLine, { readonly kind: 'run.rolled-back' }>;

/** Of a `deliver` that was not refused: the operation has no other answers. */
export const asMerge = (answer: Json): DeliveredLine => answer as unknown as DeliveredLine;

/** Null: it is all as it was then already. */
export const asPlan = (answer: Json): ShownRollbackPlan | null =>
  kindOf(answer) === 'rollback.plan' ? (answer as unknown as ShownRollbackPlan) : null;

export const asRolledBack = (answer: Json): ShownRollback | null =>
  kindOf(answer) === 'run.rolled-back' ? (answer as unknown as ShownRollback) : null;

/** The run that a fork became. */
export const newRunIn = (answer: Json): string | null =>
  isJsonObject(answer) && typeof answer['run'] === 'string' ? answer['run'] : null;

const kindOf = (answer: Json): string =>
  isJsonObject(answer) && typeof answer['kind'] === 'string' ? answer['kind'] : '';
