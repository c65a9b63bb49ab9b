import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Fault, type Problem } from '../../core/fault.ts';
import type { Definition } from '../../core/role.ts';
import type { Workflow } from '../../core/workflow.ts';
import { buildDefinition, type Build } from '../../dialects/definition.ts';
import { loadWorkflowFolder } from '../../dialects/load-workflows.ts';
import type { PlacedRole } from '../../dialects/roles/placed-role.ts';
import { refusedSource, valueOrFault, type Checked } from '../../dialects/source/checked.ts';
import { nameHint } from '../../dialects/source/closest-name.ts';
import { workflowsOfModule } from '../../dialects/source/workflow-module.ts';
import { pathInProject } from '../config/project.ts';
import { checkResources } from './check-resources.ts';
import { loadProjectRoles, withRolesBeside } from './project-roles.ts';
import type { ProjectView } from './project-trust.ts';
import { brokenHint, refuseBroken, refuseUntrusted } from './refuse-broken.ts';
import { loadByFileName, loadFile, loadLibrary } from './workflow-library.ts';

type Roles = Readonly<Record<string, PlacedRole>>;

export interface FoundWorkflow {
  readonly workflow: Workflow;
  readonly definition: Definition;
  /** All roles that can be named, with where they were written. */
  readonly roles: Roles;
  readonly warnings: readonly Problem[];
}

/** What a person means by `NAME`, `FILE` or `FILE#NAME`, with all that a run of it needs. */
export async function findWorkflow(text: string, view: ProjectView): Promise<FoundWorkflow> {
  const named = namedFile(text, view.caller.folder);
  const roles = await loadProjectRoles(view, named?.path);
  const built = await (named === null ? byName(text, view, roles) : byFile(named, view, roles));
  return found(built, view, roles);
}

/** The same for a workflow that a program defined. What it calls is looked for in what it brings along, then in the project. */
export async function foundWorkflow(workflow: Workflow, view: ProjectView): Promise<FoundWorkflow> {
  const roles = await loadProjectRoles(view);
  const own = [...workflowsOfModule({ default: workflow }), workflow];
  const alone = buildDefinition(workflow.name, own, roles);
  if (!lacksWorkflow(alone)) return found(alone, view, roles);
  const library = await loadLibrary(view);
  return found(buildDefinition(workflow.name, [...library.shipped, ...library.own, ...own], roles), view, roles);
}

function found(built: Checked<Definition>, view: ProjectView, roles: Roles): FoundWorkflow {
  const definition = valueOrFault(built, 'WORKFLOW_INVALID');
  const all = [definition.workflow, ...Object.values(definition.library)];
  const few = checkResources(all, view.project.config.workspaces.resources ?? {}).filter(isWarning);
  return { workflow: definition.workflow, definition, roles, warnings: [...(built.ok ? built.warnings : []), ...few] };
}

const isWarning = ({ severity }: Problem): boolean => severity === 'warning';

interface NamedFile {
  readonly path: string;
  readonly name: string | null;
}

function namedFile(text: string, folder: string): NamedFile | null {
  const cut = text.lastIndexOf('#');
  const file = cut === -1 ? text : text.slice(0, cut);
  const path = resolve(folder, file);
  const looksLikeFile = /[/\\]|\.(json|ya?ml|[cm]?[jt]s)$/i.test(file) || (cut !== -1 && existsSync(path));
  return looksLikeFile ? { path, name: cut === -1 ? null : text.slice(cut + 1) } : null;
}

async function byName(name: string, view: ProjectView, roles: Roles): Promise<Checked<Definition>> {
  const isSupplied = view.project.supplied?.workflows?.some((workflow) => workflow.name === name) === true;
  const likely = isSupplied ? [] : await loadByFileName(name, view);
  const built = likely.length === 0 ? null : buildDefinition(name, likely, roles);
  if (built !== null && !lacksWorkflow(built)) return built;
  const library = await loadLibrary(view);
  const all = [...library.shipped, ...library.own];
  const known = all.map((workflow) => workflow.name);
  refuseBroken(name, library, view.caller.folder);
  if (known.includes(name)) return buildDefinition(name, all, roles);
  await refuseUntrusted(name, view);
  throw new Fault('WORKFLOW_UNKNOWN', `There is no workflow named "${name}".`, {
    problems: library.problems.filter((problem) => problem.severity === 'error'),
    hint: `${nameHint(name, known) ?? 'See them with: troupe workflows'}${brokenHint(library.problems)}`,
  });
}

async function byFile(named: NamedFile, view: ProjectView, roles: Roles): Promise<Checked<Definition>> {
  const inFile = valueOrFault(await loadFile(named.path, view), 'WORKFLOW_INVALID');
  const main = named.name ?? inFile[0]?.name ?? '';
  const names = inFile.map((workflow) => workflow.name);
  if (!names.includes(main)) {
    throw new Fault('WORKFLOW_UNKNOWN', `The file has no workflow named "${main}".`, {
      hint: nameHint(main, names) ?? '',
    });
  }
  return await definitionInFile(main, inFile, { path: named.path, view, roles });
}

export interface FileSurroundings {
  readonly path: string;
  readonly view: ProjectView;
  readonly roles: Roles;
  /** How a definition is made: a whole one unless given. */
  readonly build?: Build;
}

/** What the file calls is looked for in the file, then in the project, then beside the file; roles likewise. */
export async function definitionInFile(
  main: string,
  inFile: readonly Workflow[],
  surroundings: FileSurroundings,
): Promise<Checked<Definition>> {
  const built = await definitionWith(main, inFile, surroundings);
  if (!lacks(built, 'ROLE_UNKNOWN')) return built;
  const roles = await withRolesBeside(surroundings.path, surroundings.roles);
  const again = await definitionWith(main, inFile, { ...surroundings, roles });
  return again.ok ? again : refusedSource(again.problems.map((problem) => withPlaces(problem, surroundings)));
}

/** Who runs a file of somewhere else learns where its roles would be found. */
function withPlaces(problem: Problem, { path, view }: FileSurroundings): Problem {
  if (problem.code !== 'ROLE_UNKNOWN') return problem;
  const beside = dirname(path);
  const places = [join(view.project.folder, 'roles'), join(beside, '.troupe', 'roles'), join(beside, 'roles')];
  const shown = [...new Set(places)].map((place) => pathInProject(place, view.caller.folder)).join(', ');
  const where = `Roles are looked for in ${shown}.`;
  return { ...problem, hint: problem.hint === undefined ? where : `${problem.hint} ${where}` };
}

async function definitionWith(
  main: string,
  inFile: readonly Workflow[],
  { path, view, roles, build = buildDefinition }: FileSurroundings,
): Promise<Checked<Definition>> {
  const alone = build(main, inFile, roles);
  if (!lacksWorkflow(alone)) return alone;
  const { shipped, own } = await loadLibrary(view);
  const built = build(main, [...shipped, ...own, ...inFile], roles);
  if (!lacksWorkflow(built)) return built;
  const beside = await loadWorkflowFolder(dirname(path));
  return build(main, [...shipped, ...beside.workflows, ...own, ...inFile], roles);
}

const lacksWorkflow = (built: Checked<Definition>): boolean => lacks(built, 'WORKFLOW_UNKNOWN');

function lacks(built: Checked<Definition>, code: string): boolean {
  return !built.ok && built.problems.some((problem) => problem.code === code);
}
