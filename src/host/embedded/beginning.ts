import type { ProjectFiles } from '../../core/record/files-fact.ts';
import type { BodyHash } from '../../core/model/ids.ts';
import { CHECKS_INPUT, takesList } from '../../core/model/checks-input.ts';
import type { JsonObject } from '../../core/model/json.ts';
import type { ProjectBrief } from '../../core/model/project-brief.ts';
import type { Definition } from '../../core/model/definition.ts';
import { GIT_TOOLS } from '../../core/model/tool-names.ts';
import type { Work, Workflow } from '../../core/model/workflow.ts';
import type { Tool } from '../../tools/port.ts';
import { toolsFor } from '../../tools/tools-for.ts';
import type { StartOptions } from '../port.ts';
import type { World } from '../world.ts';
import { briefProject } from './brief-project.ts';
import { notedSkipped } from './noted-skipped.ts';
import { recordTools } from './run-tools.ts';

/** A workflow that takes the project's checks and got none gets the commands that test the project, if known. */
export async function withTests(world: World, options: StartOptions): Promise<StartOptions> {
  const { definition, input, project } = options;
  if (!takesList(definition.workflow, CHECKS_INPUT) || input[CHECKS_INPUT] !== undefined) return options;
  return { ...options, input: { ...input, [CHECKS_INPUT]: (await world.testCommands?.(project)) ?? [] } };
}

/** What a run finds around it: the project's files (SM11) and the sandbox of its commands, as far as it uses them. */
export async function surroundings(
  world: World,
  definition: Definition,
  { project, terms, input, sendAway }: Pick<StartOptions, 'project' | 'terms' | 'input' | 'sendAway'>,
): Promise<BeginningContext> {
  const uses = usesOf(definition, world.tools);
  const tools = await recordTools(world);
  // First, to avoid reading files for a run that is then refused.
  if (uses.size === 0 && sendAway === undefined) return { ...NOTHING, tools };
  const needsSandbox = uses.has('command') || terms?.delivery?.verify !== undefined;
  // The machine that drives the run finds out which sandbox works there.
  const findSandbox = (): Promise<string> | string | undefined =>
    sendAway === undefined ? world.sandbox?.() : terms?.sandbox;
  const sandbox = needsSandbox ? await findSandbox() : undefined;
  const { tree, source, skipped, commit } = await world.workspaces.begin(project);
  const files = { tree, source, ...(commit === undefined ? {} : { commit }), ...notedSkipped(skipped) };
  // An approval is compared with files, and the machine that drives the run has no project to read.
  if (uses.size === 0) return { ...NOTHING, tools, files };
  const brief = await briefProject(world, { project, tree, definition, input });
  const unusable = source === 'git' ? undefined : GIT_TOOLS;
  return { files, sandbox, brief, tools, unusable };
}

export interface BeginningContext {
  readonly files: ProjectFiles | undefined;
  readonly sandbox: string | undefined;
  readonly brief: ProjectBrief | undefined;
  /** Recorded. */
  readonly tools: BodyHash | undefined;
  /** Built-in tools that cannot work here. */
  readonly unusable: readonly string[] | undefined;
}

export const NOTHING: BeginningContext = {
  files: undefined,
  sandbox: undefined,
  brief: undefined,
  tools: undefined,
  unusable: undefined,
};

/** Whether a run of it can use files, so that it has to know the project's from its beginning. */
export const usesFiles = (definition: Definition, tools: readonly Tool[]): boolean =>
  usesOf(definition, tools).size > 0;

type Uses = ReadonlySet<Tool['access']>;

/** Definitions and lists of tools never change, and many runs begin with the same. */
const known = new WeakMap<Definition, { readonly tools: readonly Tool[]; readonly uses: Uses }>();

function usesOf(definition: Definition, tools: readonly Tool[]): Uses {
  const last = known.get(definition);
  if (last?.tools === tools) return last.uses;
  const uses = findUses(definition, tools);
  known.set(definition, { tools, uses });
  return uses;
}

/** How the agents and the workflow itself may use files; `talk` alone touches nothing. */
function findUses({ workflow, library, roles }: Definition, tools: readonly Tool[]): Uses {
  const all = [workflow, ...Object.values(library)];
  const ofAgents = all.flatMap(({ agents }) => agents.flatMap(({ role }) => accessesOf(roles[role], tools)));
  const uses = new Set(ofAgents.filter((access) => access !== 'talk'));
  if (all.some(hasOwnWork)) uses.add('command');
  return uses;
}

function accessesOf(role: Definition['roles'][string] | undefined, tools: readonly Tool[]): readonly Tool['access'][] {
  return role === undefined ? [] : toolsFor(role, tools).tools.map(({ access }) => access);
}

/** Commands and merges that the workflow itself orders. */
function hasOwnWork(workflow: Workflow): boolean {
  return Object.values(workflow.states).some((state) => state.kind === 'work' && isFileWork(state.work));
}

function isFileWork(work: Work): boolean {
  if (work.kind !== 'pool') return work.kind === 'command' || work.kind === 'merge';
  const { units } = work;
  return units.kind === 'items' ? isFileWork(units.work) : units.list.some((unit) => isFileWork(unit.work));
}

/** One line for lists: the first text of the input. */
export const beginningTitle = (input: JsonObject): string =>
  (Object.values(input).find((value) => typeof value === 'string') ?? '').replace(/\n[^]*/, '').slice(0, 120);
