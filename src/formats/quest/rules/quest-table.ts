import type { SignalName } from '../../../core/model/signal-name.ts';

/** The duty of a role in the quest as a whole. */
export const QUEST_DUTIES = ['requirements', 'plan', 'review'] as const;

/** The same within a step. `help`: it works only where another role asks for it. */
export const STEP_DUTIES = ['implement', 'test', 'fix', 'split', 'help'] as const;

export type QuestDuty = (typeof QUEST_DUTIES)[number];

export type StepDuty = (typeof STEP_DUTIES)[number];

/**
 * Targets of a signal besides the roles of the step. `next`: the step after the role; `continue`: a new session of the same role;
 * `ask`: a person; `followup`: the role that the signal names; `give_up`: the failure, at once.
 */
export const PLACES = ['next', 'continue', 'ask', 'followup', 'give_up'] as const;

export interface SignalRoute {
  /** One of `PLACES`, or a role of the step. */
  readonly to: string;
  /** How often; without it, always. */
  readonly tries?: number;
  /** The code of the failure after that many tries. */
  readonly failure?: string;
  /** The next step after that many tries, instead of a failure. */
  readonly then?: 'next';
}

export interface RoleRules<Duty extends string = string> {
  readonly does: Duty;
  /** Its instructions; may be empty. */
  readonly order: string;
  readonly routes: Readonly<Partial<Record<SignalName, SignalRoute>>>;
}

export type RoleTable<Duty extends string = string> = Readonly<Record<string, RoleRules<Duty>>>;

/** The author's settings of a quest: roles, routes of signals, and limits. */
export interface QuestTable {
  readonly quest: RoleTable<QuestDuty>;
  readonly step: RoleTable<StepDuty>;
  readonly limits: QuestLimits;
}

/** Numbers of the whole quest. */
export interface QuestLimits {
  /** Steps of a plan. */
  readonly steps: number;
  /** Parts of a step that is split. */
  readonly parts: number;
  /** How often a part can be split again. */
  readonly splits: number;
  /** How often a role may correct its reply. */
  readonly corrections: number;
  /** Followups of followups. */
  readonly followups: number;
  /** Steps that fix what Ward finds on the whole. */
  readonly whole_fixes: number;
  /** Fixes of what Ward finds on one step. */
  readonly fixes: number;
  /** How often the author of a step settles its conflicts with others. */
  readonly conflicts: number;
}

/** The first role with this duty; undefined where the author named none. */
export function roleFor<Duty extends string>(roles: RoleTable<Duty>, duty: NoInfer<Duty>): string | undefined {
  return Object.keys(roles).find((name) => roles[name]?.does === duty);
}

/** The same for duties without which a quest cannot be: the parser refuses such a file. */
export function requiredRole<Duty extends string>(roles: RoleTable<Duty>, duty: NoInfer<Duty>): string {
  const found = roleFor(roles, duty);
  if (found === undefined) throw new Error(`No role of the quest does "${duty}".`);
  return found;
}

export const orderOf = (roles: RoleTable, role: string): string => roles[role]?.order ?? '';
