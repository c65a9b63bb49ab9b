import { basename, dirname, resolve } from 'node:path';
import { isFault, type Problem } from '../../core/model/fault.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import { checkNamedRoles } from '../../formats/check-roles.ts';
import { buildDefinition, draftDefinition } from '../../formats/definition.ts';
import { type Checked, draftOf, hasErrors, problemsOf } from '../../source/checked.ts';
import { checkActors, checkModelNames, checkRoleActors, checkServerNames, knownServers } from './check-actors.ts';
import { checkResources } from './check-resources.ts';
import { definitionInFile, findWorkflow } from './find-workflow.ts';
import { type ProjectRoles, readProjectRoles } from './project-roles.ts';
import type { ProjectView } from './project-trust.ts';
import { loadFile } from './workflow-library.ts';
import { existsSync, readFileSync } from 'node:fs';
import { parseConfig } from '../config/parse-config.ts';
import { pathInProject, pathsBase } from '../config/project.ts';
import { lookAtServers } from '../world/look-at-servers.ts';
import type { Config } from '../config/config.ts';

export interface FileCheck {
  /** Of those that can be run. */
  readonly workflows: readonly string[];
  readonly problems: readonly Problem[];
}

/**
 * Finds all errors of a workflow file in one pass: its shape, the names within it, and the workflows, roles, actors, models
 * and resources that it names. A wrong shape in one place does not stop the other checks.
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
async function checkRoleFile(path: string, view: ProjectView): Promise<readonly Problem[] | null> {
  const { project, caller } = view;
  const isOfFolder = FOLDERS.some((name) => path.startsWith(`${project.folder}/${name}/`));
  if (!isOfFolder && !project.config.roles.includes(path)) return null;
  const all = checkProjectRoles(await readProjectRoles(view), view);
  return all.filter(({ file }) => file !== undefined && resolve(caller.folder, file) === path);
}

/** The folders that define roles: their own files, types of agents, and prompts of those. */
const FOLDERS = ['roles', 'agent-types', 'prompts'];

const unique = (problems: readonly Problem[]): readonly Problem[] => [
  ...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values(),
];

/** Errors of the scenarios that a configuration names. A missing one is reported with the setting itself. */
async function checkScenarios(config: Config, folder: string): Promise<readonly Problem[]> {
  const files = scenariosOf(config).filter((file) => existsSync(file));
  const { checkScenario } = await import('../world/scripted-model.ts');
  const results = await Promise.all(files.map((file) => checkScenario(file, pathInProject(file, folder))));
  return results.flatMap((result) => (result.ok ? result.warnings : result.problems));
}

const namesScenario = (config: Config, path: string): boolean => scenariosOf(config).includes(path);

function scenariosOf({ models }: Config): readonly string[] {
  const files = Object.values(models).flatMap((choice) => (choice.kind === 'scripted' ? [choice.scenario] : []));
  return [...new Set(files)];
}

export interface CheckedFile {
  readonly file: string;
  readonly ok: boolean;
  readonly workflows: readonly string[];
  readonly problems: readonly Problem[];
}

/** All that is wrong with a file of whatever kind: settings, a scenario, a role or what it is made of, workflows. */
export async function checkFile(file: string, view: ProjectView): Promise<CheckedFile> {
  const path = resolve(view.caller.folder, file);
  if (isConfig(path)) return resultOf(file, [], await checkConfig(path, file, view));
  if (namesScenario(view.project.config, path)) {
    const { checkScenario } = await import('../world/scripted-model.ts');
    return resultOf(file, [], problemsOf(await checkScenario(path, file)));
  }
  const ofRoles = await checkRoleFile(path, view);
  if (ofRoles !== null) return resultOf(file, [], ofRoles);
  if (/^[\w-]+$/.test(file) && !existsSync(path)) return await checkName(file, view);
  const { workflows, problems } = await checkWorkflowFile(path, view);
  return resultOf(file, workflows, problems);
}

/** A workflow by its name, wherever it comes from. */
async function checkName(name: string, view: ProjectView): Promise<CheckedFile> {
  try {
    const { workflow, warnings } = await findWorkflow(name, view);
    return resultOf(name, [workflow.name], warnings);
  } catch (error) {
    if (!isFault(error)) throw error;
    const { code, message, hint, problems } = error;
    const itself = { code, message, severity: 'error' as const, path: name, ...(hint === undefined ? {} : { hint }) };
    return resultOf(name, [], problems.length === 0 ? [itself] : problems);
  }
}

/** With the scenarios and the MCP servers it names. */
async function checkConfig(path: string, file: string, view: ProjectView): Promise<readonly Problem[]> {
  const parsed = parseConfig(readFileSync(path, 'utf8'), { file, folder: pathsBase(path) });
  const scenarios = parsed.ok ? await checkScenarios(parsed.value, view.caller.folder) : [];
  const servers = parsed.ok ? await checkServers(Object.keys(parsed.value.mcp), file, view) : [];
  return [...problemsOf(parsed), ...scenarios, ...servers];
}

/** A server that is down today may be up when a run begins, so it is a warning. Before trust none is started. */
async function checkServers(names: readonly string[], file: string, view: ProjectView): Promise<readonly Problem[]> {
  const { project, caller } = view;
  const mcp = Object.fromEntries(Object.entries(project.config.mcp).filter(([name]) => names.includes(name)));
  const { problems } = await lookAtServers({ ...project, config: { ...project.config, mcp } }, caller);
  const hint = 'Runs continue without it. Start it by hand, or see: troupe doctor';
  return problems.map((message) => ({ code: 'MCP_UNUSABLE', message, severity: 'warning', file, path: 'mcp', hint }));
}

const isConfig = (path: string): boolean =>
  /^config\.(ya?ml|json)$/.test(basename(path)) && basename(dirname(path)) === '.troupe';

function resultOf(file: string, workflows: readonly string[], problems: readonly Problem[]): CheckedFile {
  return { file, ok: !hasErrors(problems), workflows, problems };
}
