import { readModuleCode } from '../../formats/registry/app.ts';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../../core/model/fault.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import {
  listDocuments,
  loadWorkflowFile,
  loadWorkflowFolder,
  type FolderContent,
} from '../../formats/load-workflows.ts';
import { findAssets } from '../../formats/load-assets.ts';
import type { Drafted } from '../../source/checked.ts';
import { codeHash } from '../../workspace/reached-files.ts';
import { pathInProject } from '../config/project.ts';
import { isTrusted, type ProjectView } from './project-trust.ts';
import { shippedWorkflows } from '../../formats/families.ts';
import { isFile } from './project-roles.ts';

/** Every workflow that can be named here. */
export interface WorkflowLibrary {
  /** The project's own; they win over shipped ones of the same name. */
  readonly own: readonly Workflow[];
  readonly shipped: readonly Workflow[];
  /** Errors of the project's workflow files. One bad file does not block the others. */
  readonly problems: readonly Problem[];
}

export async function loadLibrary(view: ProjectView): Promise<WorkflowLibrary> {
  const [own, written, shipped] = await Promise.all([
    ownWorkflows(view),
    loadWorkflowFolder(join(findAssets(), 'workflows')),
    shippedWorkflows(),
  ]);
  const supplied = view.project.supplied?.workflows ?? [];
  return {
    own: [...own.workflows, ...supplied],
    shipped: [...written.workflows, ...shipped],
    problems: own.problems,
  };
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
  const shown = pathInProject(path, view.caller.folder);
  const isOwnFolder = path === join(view.project.folder, 'workflows');
  if (!isOwnFolder) return isFile(path) ? await loadFiles([path], view) : await loadWorkflowFolder(path, shown);
  return joined(await Promise.all([loadWorkflowFolder(path, shown), loadTrustedModules(path, view)]));
}

const MODULE = /(?<!\.test|\.d)\.[cm]?[jt]s$/;

/** Importing a module runs it, so those found in the project count only once the person trusts it. */
async function loadTrustedModules(folder: string, view: ProjectView): Promise<FolderContent> {
  const files = modulesIn(folder);
  return files.length === 0 || !(await isTrusted(view)) ? joined([]) : await loadFiles(files, view);
}

function modulesIn(folder: string): readonly string[] {
  const names = isFolder(folder) ? readdirSync(folder) : [];
  const modules = names.filter((name) => MODULE.test(name) && !name.startsWith('.'));
  return modules.toSorted().map((name) => join(folder, name));
}

export interface OwnFiles {
  readonly files: readonly string[];
  /** Code, which is not loaded before the person trusts the project. */
  readonly withheld: readonly string[];
}

/** The project's own workflow files, good and bad. */
export async function ownWorkflowFiles(view: ProjectView): Promise<OwnFiles> {
  const { config, folder } = view.project;
  const own = join(folder, 'workflows');
  const documents = await Promise.all([...config.workflows, own].map(documentsAt));
  const modules = modulesIn(own);
  const isOpen = modules.length === 0 || (await isTrusted(view));
  return { files: [...documents.flat(), ...(isOpen ? modules : [])], withheld: isOpen ? [] : modules };
}

async function documentsAt(path: string): Promise<readonly string[]> {
  return isFile(path) ? [path] : await listDocuments(path);
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
export async function loadFile(path: string, view: ProjectView): Promise<Drafted<readonly Workflow[]>> {
  return await loadWorkflowFile(path, {
    file: pathInProject(path, view.caller.folder),
    hashOf: (module) => codeHash(module).hash,
    readModule: (module, hash) => readModuleCode(module, hash, view.caller.folder),
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
