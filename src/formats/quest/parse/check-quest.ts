import { SIGNALS, type SignalName } from '../../../core/model/signal-name.ts';
import { nameHint } from '../../../source/closest-name.ts';
import type { ProblemReport } from '../../../source/problem-report.ts';
import type { SourcePath } from '../../../source/place.ts';
import { QUEST_STATES } from '../rules/quest-state.ts';
import { PLACES, type QuestTable, type RoleTable, type SignalRoute } from '../rules/quest-table.ts';
import { STEP_STATES } from '../rules/step-state.ts';
import type { QuestPart, QuestPlan } from './quest-plan.ts';

/** Problems that a schema cannot see: missing or repeated duties, and routes that lead nowhere. */
export function checkQuest({ table }: QuestPlan, base: SourcePath, report: ProblemReport): void {
  for (const [part, duties] of DUTIES) {
    for (const duty of duties) checkDuty(table, { part, base, report }, duty);
    for (const role of Object.keys(table[part])) checkRole(table, { part, base, report }, role);
  }
}

interface Checked {
  readonly part: QuestPart;
  readonly base: SourcePath;
  readonly report: ProblemReport;
}

interface Duty {
  readonly name: string;
  readonly isRequired: boolean;
}

const required = (name: string): Duty => ({ name, isRequired: true });
const optional = (name: string): Duty => ({ name, isRequired: false });

const DUTIES: readonly (readonly [QuestPart, readonly Duty[]])[] = [
  ['quest', ['requirements', 'plan', 'review'].map(required)],
  ['step', [...['implement', 'fix'].map(required), ...['test', 'split'].map(optional)]],
];

function checkDuty(table: QuestTable, { part, base, report }: Checked, { name, isRequired }: Duty): void {
  const roles: RoleTable = table[part];
  const found = Object.keys(roles).filter((role) => roles[role]?.does === name);
  if (found.length === 0 && isRequired) {
    report.error('DUTY_MISSING', `No role of "${part}" does "${name}".`, {
      path: [...base, part],
      part: 'key',
      hint: `Give one of them "does: ${name}".`,
    });
  }
  for (const role of found.slice(1)) {
    report.error('DUTY_DUPLICATE', `"${found[0] ?? ''}" and "${role}" both do "${name}".`, {
      path: [...base, part, role, 'does'],
      hint: 'One role does it; another one can be called in by it.',
    });
  }
}

const STATES: Readonly<Record<QuestPart, ReadonlySet<string>>> = {
  quest: new Set(['start', ...Object.values(QUEST_STATES)]),
  step: new Set(['start', ...Object.values(STEP_STATES)]),
};

function checkRole(table: QuestTable, checked: Checked, role: string): void {
  const { part, base, report } = checked;
  const path = [...base, part, role];
  if (STATES[part].has(role) || /^(?:after|clear)_/.test(role) || PLACES.some((place) => place === role)) {
    report.error('NAME_TAKEN', `The name "${role}" means something else in a quest already.`, { path, part: 'key' });
  }
  const routes = table[part][role]?.routes ?? {};
  if (routes.complete === undefined) {
    report.error('ROUTE_MISSING', `"${role}" has no route for "complete".`, {
      path: [...path, 'routes'],
      part: 'key',
      hint: 'Write "complete: next".',
    });
  }
  for (const signal of SIGNALS) {
    const route = routes[signal];
    if (route !== undefined) checkRoute(table, { ...checked, path: [...path, 'routes', signal], role, signal }, route);
  }
}

interface RoutePlace extends Checked {
  readonly path: SourcePath;
  readonly role: string;
  readonly signal: SignalName;
}

/** The places that each signal can lead to, besides a role of the step. */
const LEADS_TO: Readonly<Record<SignalName, readonly string[]>> = {
  complete: ['next'],
  'partially-complete': ['continue', 'give_up'],
  'needs-user-input': ['ask', 'give_up'],
  'needs-role-followup': ['followup', 'give_up'],
};

function checkRoute(table: QuestTable, { path, role, signal, report }: RoutePlace, route: SignalRoute): void {
  const roles = signal === 'complete' ? [] : Object.keys(table.step).filter((one) => one !== role);
  const allowed = [...LEADS_TO[signal], ...roles];
  if (!allowed.includes(route.to)) {
    const closest = nameHint(route.to, allowed);
    report.error('ROUTE_UNKNOWN', `"${signal}" of "${role}" cannot lead to "${route.to}".`, {
      path,
      hint: closest ?? `It can lead to ${allowed.join(', ')}.`,
    });
  }
  checkTries({ path, role, signal, report }, route);
}

function checkTries(
  { path, role, signal, report }: Pick<RoutePlace, 'path' | 'role' | 'signal' | 'report'>,
  { to, tries, failure, then }: SignalRoute,
): void {
  const isEnded = failure !== undefined || then !== undefined;
  const isBounded = tries !== undefined || to === 'give_up';
  if (isBounded === isEnded && !(failure !== undefined && then !== undefined)) return;
  const hint = 'Write how often and what follows then: {to, tries, failure}, or "then: next" in place of a failure.';
  const message = `"${signal}" of "${role}" needs both "tries" and one of "failure" and "then", or none of them.`;
  report.error('ROUTE_TRIES', message, { path, hint });
}
