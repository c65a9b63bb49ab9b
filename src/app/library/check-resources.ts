import type { Position, FaultProblem } from '../../core/model/fault.ts';
import type { AgentSpec, CommandWork, Work, Workflow } from '../../core/model/workflow.ts';
import { closestName } from '../../source/closest-name.ts';
import { candidateCount, type ResourceSettings } from '../../workspace/resources/resources.ts';

/** Reports, before a run begins, resources that workflows need and the configuration does not declare. */
export function checkResources(workflows: readonly Workflow[], settings: ResourceSettings): readonly FaultProblem[] {
  return [
    ...workflows.flatMap((workflow) => usesIn(workflow).flatMap((use) => problemOf(use, settings))),
    ...tooFew(workflows, settings),
  ];
}

interface Use {
  readonly name: string;
  readonly how: 'held' | 'filled in';
  readonly who: string;
  readonly where: Pick<FaultProblem, 'file' | 'at' | 'path'>;
}

function usesIn(workflow: Workflow): readonly Use[] {
  const file = workflow.file === undefined ? {} : { file: workflow.file };
  const whereOf = (at: Position | undefined, path: string) => ({ ...file, ...(at === undefined ? {} : { at }), path });
  const ofAgents = workflow.agents.flatMap((agent: AgentSpec & { readonly at?: Position }) =>
    (agent.holds ?? []).map((name): Use => {
      const where = whereOf(agent.at, `agents.${agent.name}.holds`);
      return { name, how: 'held', who: `The agent "${agent.name}"`, where };
    }),
  );
  const ofStates = Object.values(workflow.states).flatMap((state) => {
    const commands = state.kind === 'end' ? [] : commandsIn(state.work);
    const where = whereOf(state.at, `states.${state.name}`);
    return commands.flatMap((command) => usesOf(command, { who: `The command of "${state.name}"`, where }));
  });
  return [...ofAgents, ...ofStates];
}

function commandsIn(work: Work): readonly CommandWork[] {
  if (work.kind === 'command') return [work];
  if (work.kind !== 'pool') return [];
  const works = work.units.kind === 'items' ? [work.units.work] : work.units.list.map((unit) => unit.work);
  return works.filter((one) => one.kind === 'command');
}

/** The names in a command's text are fixed, wherever in its expression the text stands. */
function usesOf({ holds = [], command }: CommandWork, place: Pick<Use, 'who' | 'where'>): readonly Use[] {
  const filled = [...JSON.stringify(command).matchAll(/\$\{resources\.([\w-]+)\}/g)].map(([, name = '']) => name);
  return [
    ...holds.map((name) => ({ name, how: 'held' as const, ...place })),
    ...[...new Set(filled)].map((name) => ({ name, how: 'filled in' as const, ...place })),
  ];
}

function problemOf({ name, how, who, where }: Use, settings: ResourceSettings): readonly FaultProblem[] {
  const isHeld = how === 'held';
  const verb = isHeld ? 'holds' : 'names';
  const fitting = Object.keys(settings).filter((each) => (settings[each]?.kind === 'mutex') === isHeld);
  if (fitting.includes(name)) return [];
  const declared = Object.hasOwn(settings, name) ? settings[name] : undefined;
  if (declared === undefined) {
    const message = `${who} ${verb} the resource "${name}", which the configuration does not declare.`;
    return [{ code: 'RESOURCE_UNKNOWN', severity: 'error', message, ...where, hint: hintFor(name, fitting, isHeld) }];
  }
  const why = isHeld ? 'which every workspace has for itself; only a mutex is held' : 'which has no value; it is held';
  const message = `${who} ${verb} "${name}", a resource of the kind ${declared.kind}, ${why}.`;
  return [{ code: 'RESOURCE_KIND', severity: 'error', message, ...where, hint: hintFor(name, fitting, isHeld) }];
}

function hintFor(name: string, fitting: readonly string[], isHeld: boolean): string {
  const closest = closestName(name, fitting);
  const declare = `resources: { ${name}: { kind: ${isHeld ? 'mutex' : 'port'} } }`;
  return [
    ...(closest === undefined ? [] : [`Did you mean "${closest}"?`]),
    ...(fitting.length === 0 ? [] : [`Declared: ${fitting.join(', ')}.`]),
    ...(closest === undefined ? [`Declare it in .troupe/config.yaml: ${declare}`] : []),
  ].join(' ');
}

/** Each workspace of a run keeps what it was leased, so a run with more of them than there are stops in the middle. */
function tooFew(workflows: readonly Workflow[], settings: ResourceSettings): readonly FaultProblem[] {
  const names = workflows.flatMap(({ agents }) =>
    agents.map(({ name, workspace = 'shared' }) => (workspace === 'own' ? name : workspace)),
  );
  const needed = new Set(['shared', ...names]).size;
  const [first] = workflows;
  return Object.entries(settings).flatMap(([name, setting]): readonly FaultProblem[] => {
    const count = setting.kind === 'port' || setting.kind === 'name' ? candidateCount(setting) : Infinity;
    if (count >= needed) return [];
    return [
      {
        code: 'RESOURCE_FEW',
        severity: 'warning',
        message: `A run may have ${needed} workspaces at once, but there are only ${count} of the resource "${name}".`,
        ...(first?.file === undefined ? {} : { file: first.file }),
        hint: `Each needs its own: configure more under resources.${name}.`,
      },
    ];
  });
}
