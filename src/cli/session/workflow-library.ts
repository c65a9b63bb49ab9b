import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault, type Problem } from '../../core/fault.ts';
import type { Role } from '../../core/role.ts';
import type { Workflow } from '../../core/workflow.ts';
import { loadWorkflowFile, loadWorkflowFolder, type FolderContent } from '../../dialects/load-workflows.ts';
import { loadRoles, loadRolesFile } from '../../dialects/roles/load-roles.ts';
import { mergeRoles } from '../../dialects/roles/merge-roles.ts';
import type { RoleParts } from '../../dialects/roles/role-part.ts';
import { findAssets } from '../../dialects/shipped.ts';
import { valueOrFault, type Checked } from '../../dialects/source/checked.ts';
import { enclosingProject, shownPath } from '../config/project.ts';
import { isTrusted, type ProjectView } from './project-trust.ts';

/** Every workflow that can be named here. */
export interface WorkflowLibrary {
  /** The project's own; they win over shipped ones of the same name. */
  readonly own: readonly Workflow[];
  readonly shipped: readonly Workflow[];
  /** What is wrong with the project's workflow files. One bad file does not keep the others from being used. */
  readonly problems: readonly Problem[];
}

export async function loadLibrary(view: ProjectView): Promise<WorkflowLibrary> {
  const [own, shipped] = await Promise.all([ownWorkflows(view), loadWorkflowFolder(join(findAssets(), 'workflows'))]);
  return { own: own.workflows, shipped: shipped.workflows, problems: own.problems };
}

async function ownWorkflows(view: ProjectView): Promise<FolderContent> {
  const { config, folder } = view.project;
  const places = [...config.workflows, join(folder, 'workflows')];
  return joined(await Promise.all(places.map((path) => workflowsAt(path, view))));
}

/** Most files are named after their workflow; then no other has to be read. */
export async function loadByFileName(name: string, view: ProjectView): Promise<readonly Workflow[]> {
  if (!/^[\w-]+$/.test(name)) return [];
  const folders = [join(view.project.folder, 'workflows'), join(findAssets(), 'workflows')];
  const files = folders.flatMap((folder) => ['json', 'yaml', 'yml'].map((ending) => join(folder, `${name}.${ending}`)));
  const file = files.find((candidate) => existsSync(candidate));
  if (file === undefined) return [];
  const loaded = await loadFile(file, view);
  return loaded.ok && loaded.value.some((workflow) => workflow.name === name) ? loaded.value : [];
}

async function workflowsAt(path: string, view: ProjectView): Promise<FolderContent> {
  const shown = shownPath(path, view.terminal.folder);
  const isOwnFolder = path === join(view.project.folder, 'workflows');
  if (!isOwnFolder) return isFile(path) ? await loadFiles([path], view) : await loadWorkflowFolder(shown);
  return joined(await Promise.all([loadWorkflowFolder(shown), loadTrustedModules(path, view)]));
}

const MODULE = /(?<!\.test|\.d)\.[cm]?[jt]s$/;

/** Importing a module runs it, so those found in the project count only once the person trusts it. */
async function loadTrustedModules(folder: string, view: ProjectView): Promise<FolderContent> {
  const names = isFolder(folder) ? readdirSync(folder) : [];
  const files = names.filter((name) => MODULE.test(name) && !name.startsWith('.')).toSorted();
  if (files.length === 0 || !(await isTrusted(view))) return joined([]);
  return await loadFiles(
    files.map((name) => join(folder, name)),
    view,
  );
}

async function loadFiles(files: readonly string[], view: ProjectView): Promise<FolderContent> {
  const results = await Promise.all(files.map((file) => loadFile(file, view)));
  return {
    workflows: results.flatMap((result) => (result.ok ? result.value : [])),
    problems: results.flatMap((result) => (result.ok ? result.warnings : result.problems)),
  };
}

function joined(contents: readonly FolderContent[]): FolderContent {
  return {
    workflows: contents.flatMap((content) => content.workflows),
    problems: contents.flatMap((content) => content.problems),
  };
}

/** One file that a person named; a module among them may import `troupe` wherever it lies. */
export async function loadFile(path: string, view: ProjectView): Promise<Checked<readonly Workflow[]>> {
  if (MODULE.test(path)) {
    const { offerOwnPackage } = await import('./own-package.ts');
    offerOwnPackage();
  }
  return await loadWorkflowFile(path, { file: shownPath(path, view.terminal.folder) });
}

/**
 * The roles that can be named here: shipped ones, and over them what the configuration and the project say. A workflow file of
 * another project brings that one's along: its author wrote it for them.
 */
export async function loadProjectRoles({ project }: ProjectView, file?: string): Promise<Roles> {
  const other = file === undefined ? null : enclosingProject(dirname(file));
  const places = [...project.config.roles.toReversed(), join(project.folder, 'roles')];
  if (other !== null && other !== project.root) places.push(join(other, '.troupe', 'roles'));
  return await rolesAt(places);
}

/** With those in a folder `roles` beside the file, for what is not known otherwise. */
export async function withRolesBeside(file: string, roles: Roles): Promise<Roles> {
  const beside = await loadRoles(join(dirname(file), 'roles'));
  // Other programs have folders of that name: what cannot be read as roles was not meant as such.
  return beside.ok ? { ...mergeRoles({}, beside.value), ...roles } : roles;
}

type Roles = Readonly<Record<string, Role>>;

async function rolesAt(places: readonly string[]): Promise<Roles> {
  const shipped = loadRoles(join(findAssets(), 'roles'));
  const results = await Promise.all(places.map((path) => (isFile(path) ? rolesOfFile(path) : loadRoles(path))));
  const problems = results.flatMap((result) => (result.ok ? [] : result.problems));
  if (problems.length > 0) throw new Fault('ROLES_INVALID', 'The roles of the project have errors.', { problems });
  const layers = results.flatMap((result) => (result.ok ? [result.value] : []));
  return mergeRoles(valueOrFault(await shipped, 'ASSETS_DAMAGED'), ...layers);
}

async function rolesOfFile(path: string): Promise<Checked<RoleParts>> {
  const found = await loadRolesFile(path);
  if (!found.ok) return found;
  return { ...found, value: Object.fromEntries(found.value.map(({ name, part }) => [name, part])) };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
