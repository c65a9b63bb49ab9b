import type { Problem } from '../core/fault.ts';
import { repliesRead } from '../core/owed-reply.ts';
import type { Role } from '../core/role.ts';
import type { Transition, TurnWork, Work, Workflow, WorkState } from '../core/workflow.ts';
import { nameHint } from './source/closest-name.ts';

type Roles = Readonly<Record<string, Role>>;

/** Replies that a state declares and its agent cannot give, and ways out for text that the author may not have meant (A4). */
export function checkOwed(workflow: Workflow, roles: Roles): readonly Problem[] {
  return Object.values(workflow.states).flatMap((state): readonly Problem[] => {
    if (state.kind === 'end') return [];
    const place: Place = { workflow, state };
    return [...turnsIn(state.work).flatMap((turn) => checkDeclared(place, turn, roles)), ...checkTextWay(place, roles)];
  });
}

interface Place {
  readonly workflow: Workflow;
  readonly state: WorkState;
}

function turnsIn(work: Work): readonly TurnWork[] {
  switch (work.kind) {
    case 'turn':
      return [work];
    case 'choice':
      return Object.values(work.cases).flatMap(turnsIn);
    case 'pool':
      return work.units.kind === 'items'
        ? turnsIn(work.units.work)
        : work.units.list.flatMap((unit) => turnsIn(unit.work));
    default:
      return [];
  }
}

function checkDeclared(place: Place, { agent, reply = [] }: TurnWork, roles: Roles): readonly Problem[] {
  const role = roleOf(place.workflow, agent, roles);
  if (role === undefined) return [];
  const names = role.parsingTools.map(({ name }) => name);
  return reply
    .filter((name) => !names.includes(name))
    .map((name) => {
      const hint = nameHint(name, names) ?? `Give the role of "${agent}" a parsing tool "${name}".`;
      const message = `"${place.state.name}" ends with "${name}", but "${agent}" has no parsing tool of that name.`;
      return problem(place, { code: 'REPLY_UNKNOWN', message, severity: 'error', hint });
    });
}

/** All other ways out wait for a reply: then the one without a condition is also that of plain text. */
function checkTextWay(place: Place, roles: Roles): readonly Problem[] {
  const { work, transitions } = place.state;
  if (work.kind !== 'turn' || work.mode !== 'ask' || work.reply !== undefined) return [];
  const role = roleOf(place.workflow, work.agent, roles);
  const open = transitions.find(isCatchAll);
  const { tools, isOnlyWay } = repliesRead({ transitions: transitions.filter((one) => !isCatchAll(one)) });
  const owed = tools.find((tool) => role?.parsingTools.some(({ name }) => name === tool));
  if (open === undefined || !isOnlyWay || owed === undefined || (role?.signals ?? []).length > 0) return [];
  const message = `Text alone leads from "${place.state.name}" to "${open.target}", because nothing there demands "${owed}".`;
  const hint = `Write reply: ${owed} to demand it, or reply: [] if text may lead there.`;
  return [problem(place, { code: 'REPLY_OPTIONAL', message, severity: 'warning', hint })];
}

const isCatchAll = ({ when }: Transition): boolean => when === null || (when.kind === 'literal' && when.value === true);

function roleOf({ agents }: Workflow, name: string, roles: Roles): Role | undefined {
  const role = agents.find((agent) => agent.name === name)?.role ?? '';
  return Object.hasOwn(roles, role) ? roles[role] : undefined;
}

function problem({ workflow, state }: Place, found: Problem): Problem {
  const { at } = state;
  const { file } = workflow;
  return {
    ...found,
    ...(file === undefined ? {} : { file }),
    ...(at === undefined ? {} : { at }),
    path: `states.${state.name}`,
  };
}
