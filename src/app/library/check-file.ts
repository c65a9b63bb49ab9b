import { resolve } from 'node:path';
import type { Problem } from '../../core/fault.ts';
import type { Definition } from '../../core/role.ts';
import type { Workflow } from '../../core/workflow.ts';
import { checkNamedRoles } from '../../dialects/check-roles.ts';
import { buildDefinition, draftDefinition } from '../../dialects/definition.ts';
import { draftOf, problemsOf, type Checked } from '../../dialects/source/checked.ts';
import { checkActors, checkRoleActors } from './check-actors.ts';
import { checkModelNames } from './check-model-names.ts';
import { checkResources } from './check-resources.ts';
import { checkServerNames, knownServers } from './check-server-names.ts';
import { definitionInFile } from './find-workflow.ts';
import { readProjectRoles, type ProjectRoles } from './project-roles.ts';
import type { ProjectView } from './project-trust.ts';
import { loadFile } from './workflow-library.ts';

export interface FileCheck {
  /** Of those that can be run. */
  readonly workflows: readonly string[];
  readonly problems: readonly Problem[];
}

/**
 * All that is wrong with a workflow file in one pass: its shape, the names within it, and what it names beyond itself, which are
 * workflows, roles, actors, models and resources. Of a file whose shape is wrong somewhere the rest is looked at all the same.
 */
export async function checkWorkflowFile(path: string, view: ProjectView): Promise<FileCheck> {
  const loaded = await loadFile(path, view);
  const workflows = draftOf(loaded) ?? [];
  const roles = await readProjectRoles(view, path);
  const build = loaded.ok ? buildDefinition : draftDefinition;
  const definitions = await Promise.all(
    workflows.map(({ name }) => definitionInFile(name, workflows, { path, view, roles: roles.roles, build })),
  );
  const named = definitions.flatMap(problemsOf).filter(({ code }) => roles.isWhole || code !== 'ROLE_UNKNOWN');
  const { config } = view.project;
  return {
    workflows: loaded.ok ? loaded.value.map(({ name }) => name) : [],
    problems: unique([
      ...problemsOf(loaded),
      ...named,
      ...checkActors(reached(workflows, definitions), roles.roles, config),
      ...checkServerNames(rolesOf(definitions), roles.roles, knownServers(view.project)),
      ...checkModelNames(workflows, config),
      ...checkResources(workflows, config.workspaces.resources ?? {}),
      // With these no workflow of the project can be run.
      ...(workflows.length === 0 ? [] : roles.problems.filter(({ severity }) => severity === 'error')),
    ]),
  };
}

/** Those of the file, and of those that can be run all that they call. */
function reached(inFile: readonly Workflow[], definitions: readonly Checked<Definition>[]): readonly Workflow[] {
  const called = definitions.flatMap((one) => (one.ok ? Object.values(one.value.library) : []));
  return [...new Map([...called, ...inFile].map((workflow) => [workflow.name, workflow])).values()];
}

const rolesOf = (definitions: readonly Checked<Definition>[]): ReadonlySet<string> =>
  new Set(definitions.flatMap((one) => (one.ok ? Object.keys(one.value.roles) : [])));

/** All that is wrong with the roles of the project: their shape, and whom they name. */
export function checkProjectRoles(
  { roles, own, problems, isWhole }: ProjectRoles,
  view: ProjectView,
): readonly Problem[] {
  const named = isWhole ? checkNamedRoles(own, roles) : [];
  const servers = checkServerNames(own, roles, knownServers(view.project));
  return unique([...problems, ...named, ...checkRoleActors(own, roles, view.project.config), ...servers]);
}

/** The same of one file; null for a file that is none of the project's roles. */
export async function checkRoleFile(path: string, view: ProjectView): Promise<readonly Problem[] | null> {
  const { project, caller } = view;
  const isOfFolder = FOLDERS.some((name) => path.startsWith(`${project.folder}/${name}/`));
  if (!isOfFolder && !project.config.roles.includes(path)) return null;
  const all = checkProjectRoles(await readProjectRoles(view), view);
  return all.filter(({ file }) => file !== undefined && resolve(caller.folder, file) === path);
}

/** What roles are made of: their own files, types of agents, and the words of those. */
const FOLDERS = ['roles', 'agent-types', 'prompts'];

const unique = (problems: readonly Problem[]): readonly Problem[] => [
  ...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values(),
];
