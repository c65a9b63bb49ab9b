import type { Position } from '../../../core/model/fault.ts';
import { SIGNALS } from '../../../core/model/signal-name.ts';
import { defined } from '../../../source/defined.ts';
import type { QuestLimits, QuestTable, RoleRules, RoleTable, SignalRoute } from '../rules/quest-table.ts';
import type { QuestDocument } from './quest-schema.ts';

/** A quest with everything filled in that its author left out. */
export interface QuestPlan {
  readonly name: string;
  readonly description: string;
  readonly file?: string;
  /** Null where the project's own are taken. */
  readonly ward: readonly string[] | null;
  readonly slots: number;
  /** The roles of a step learn which of their files other steps have changed. */
  readonly reportsOverlap: boolean;
  readonly table: QuestTable;
  /** The name of a role's conversation. */
  readonly contextOf: (part: QuestPart, role: string) => string;
  readonly placeOf: (part: QuestPart, role: string) => Position | undefined;
}

/** The two tables of a quest file. */
export type QuestPart = 'quest' | 'step';

const DEFAULT_SLOTS = 3;

const DEFAULTS: QuestLimits = {
  steps: 100,
  parts: 20,
  splits: 3,
  corrections: 3,
  followups: 4,
  fixes: 3,
  whole_fixes: 2,
  conflicts: 3,
};

export function questPlan(
  document: QuestDocument,
  { file, placeOf }: Pick<QuestPlan, 'placeOf'> & { readonly file: string },
): QuestPlan {
  const { name, description = '', ward = null, limits = {} } = document;
  const { slots = DEFAULT_SLOTS, ...rest } = limits;
  return {
    name,
    description,
    file,
    ward,
    slots,
    reportsOverlap: document.report_overlap === true,
    table: {
      quest: tableOf(document.quest),
      step: tableOf(document.step),
      limits: { ...DEFAULTS, ...defined(rest) },
    },
    contextOf: (part, role) => document[part][role]?.context ?? role,
    placeOf,
  };
}

interface WrittenRole<Duty extends string> {
  readonly does: Duty;
  readonly order?: string | undefined;
  readonly routes: QuestDocument['step'][string]['routes'];
}

const tableOf = <Duty extends string>(roles: Readonly<Record<string, WrittenRole<Duty>>>): RoleTable<Duty> =>
  Object.fromEntries(Object.entries(roles).map(([name, role]) => [name, rulesOf(role)]));

function rulesOf<Duty extends string>({ does, order = '', routes }: WrittenRole<Duty>): RoleRules<Duty> {
  const written = SIGNALS.flatMap((signal): readonly (readonly [string, SignalRoute])[] => {
    const route = routes[signal];
    if (route === undefined) return [];
    return [[signal, typeof route === 'string' ? { to: route } : defined(route)]];
  });
  return { does, order, routes: Object.fromEntries(written) };
}
