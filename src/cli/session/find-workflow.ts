import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Fault, type Problem } from '../../core/fault.ts';
import type { Definition } from '../../core/role.ts';
import type { Workflow } from '../../core/workflow.ts';
import { buildDefinition } from '../../dialects/definition.ts';
import { loadWorkflowFolder } from '../../dialects/load-workflows.ts';
import { valueOrFault, type Checked } from '../../dialects/source/checked.ts';
import { nameHint } from '../../dialects/source/closest-name.ts';
import type { ProjectView } from './project-trust.ts';
import { loadFile, loadLibrary, type WorkflowLibrary } from './workflow-library.ts';

export interface FoundWorkflow {
  readonly workflow: Workflow;
  readonly definition: Definition;
  readonly warnings: readonly Problem[];
}

/** What a person means by `NAME`, `FILE` or `FILE#NAME`, with all that a run of it needs. */
export async function findWorkflow(text: string, view: ProjectView): Promise<FoundWorkflow> {
  const library = await loadLibrary(view);
  const named = nameOfFile(text, view.terminal.folder);
  return named === null ? byName(text, library) : await byFile(named, view, library);
}

interface NamedFile {
  readonly path: string;
  readonly name: string | null;
}

function nameOfFile(text: string, folder: string): NamedFile | null {
  const cut = text.lastIndexOf('#');
  const file = cut === -1 ? text : text.slice(0, cut);
  const path = resolve(folder, file);
  const looksLikeFile = /[/\\]|\.(json|ya?ml|[cm]?[jt]s)$/i.test(file) || (cut !== -1 && existsSync(path));
  return looksLikeFile ? { path, name: cut === -1 ? null : text.slice(cut + 1) } : null;
}

function byName(name: string, library: WorkflowLibrary): FoundWorkflow {
  const all = [...library.shipped, ...library.own];
  const known = all.map((workflow) => workflow.name);
  if (!known.includes(name)) {
    throw new Fault('WORKFLOW_UNKNOWN', `There is no workflow named "${name}".`, {
      problems: library.problems.filter((problem) => problem.severity === 'error'),
      hint: nameHint(name, known) ?? 'See them with: troupe workflows',
    });
  }
  return found(buildDefinition(name, all, library.roles));
}

async function byFile(named: NamedFile, view: ProjectView, library: WorkflowLibrary): Promise<FoundWorkflow> {
  const inFile = valueOrFault(await loadFile(named.path, view), 'WORKFLOW_INVALID');
  const main = named.name === null ? inFile[0]?.name : named.name;
  if (main === undefined || !inFile.some((workflow) => workflow.name === main)) {
    const names = inFile.map((workflow) => workflow.name);
    throw new Fault('WORKFLOW_UNKNOWN', `The file has no workflow named "${main ?? ''}".`, {
      hint: nameHint(main ?? '', names) ?? '',
    });
  }
  return found(await definitionInFile(main, inFile, { path: named.path, library }));
}

/** What the file calls is looked for in the file, then in the project, then beside the file. */
export async function definitionInFile(
  main: string,
  inFile: readonly Workflow[],
  around: { readonly path: string; readonly library: WorkflowLibrary },
): Promise<Checked<Definition>> {
  const { shipped, own, roles } = around.library;
  const built = buildDefinition(main, [...shipped, ...own, ...inFile], roles);
  const isIncomplete = !built.ok && built.problems.some((problem) => problem.code === 'WORKFLOW_UNKNOWN');
  if (!isIncomplete) return built;
  const beside = await loadWorkflowFolder(dirname(around.path));
  return buildDefinition(main, [...shipped, ...beside.workflows, ...own, ...inFile], roles);
}

function found(built: Checked<Definition>): FoundWorkflow {
  const definition = valueOrFault(built, 'WORKFLOW_INVALID');
  return { workflow: definition.workflow, definition, warnings: built.ok ? built.warnings : [] };
}
