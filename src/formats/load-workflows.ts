import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isFault, type Problem } from '../core/model/fault.ts';
import { isJsonObject, type Json } from '../core/model/json.ts';
import type { Workflow } from '../core/model/workflow.ts';
import { drafted, type Drafted, refusedSource } from '../source/checked.ts';
import { type FolderEntry, listFolder, readSourceFile } from '../source/read-source-file.ts';
import { readDocument } from '../source/read-document.ts';
import { documentsOf } from './families.ts';
import { type ModuleContent, readModuleHere, workflowsOf } from './registry/modules.ts';

const MODULE = /\.[cm]?[jt]s$/i;
const DOCUMENT = /\.(?:json|ya?ml)$/i;

export interface LoadOptions {
  /** The file's name in problems. */
  readonly file?: string;
  /** Names the code of a module, with all that it imports by a path: runs of stage workflows keep to it. */
  readonly hashOf?: (path: string) => string;
  /** Loads a module where it can be stopped; default: in this process. Its errors describe the module's problems. */
  readonly readModule?: (path: string, hash: string) => Promise<ModuleContent>;
}

/** The workflows of one file. */
export async function loadWorkflowFile(path: string, options: LoadOptions = {}): Promise<Drafted<readonly Workflow[]>> {
  const file = options.file ?? path;
  if (MODULE.test(path)) return loadModule(path, { ...options, file });
  const text = await readSourceFile(path, { file });
  if (!text.ok) return text;
  const read = readDocument(text.value, { file });
  if (!read.ok) return read;
  const { document, locate } = read.value;
  return withLabels(document, documentsOf(document).parse(document, { file, locate }));
}

/** Every family's documents have them; each workflow of a list has its own. */
function withLabels(document: Json, parsed: Drafted<readonly Workflow[]>): Drafted<readonly Workflow[]> {
  if (!parsed.ok) return parsed;
  const value = parsed.value.map((workflow, index) => {
    const written: Json | undefined = Array.isArray(document) ? (document as readonly Json[])[index] : document;
    const labels = isJsonObject(written) ? written['labels'] : undefined;
    return labels === undefined ? workflow : { ...workflow, labels: labels as readonly string[] };
  });
  return { ...parsed, value };
}

export interface FolderContent {
  readonly workflows: readonly Workflow[];
  /** A bad file does not keep the others from being used. */
  readonly problems: readonly Problem[];
}

/**
 * All workflows of a folder's JSON and YAML files, in the order of their names. Modules are left out: importing one runs
 * it, which only happens when a person names it. A folder that does not exist holds no workflows. `shown` is what files are called by.
 */
export async function loadWorkflowFolder(folder: string, shown = folder): Promise<FolderContent> {
  const entries = await listFolder(folder);
  if (!entries.ok) return { workflows: [], problems: entries.problems };
  const workflows: Workflow[] = [];
  const problems: Problem[] = [];
  for (const { name } of entries.value.filter(isDocument)) {
    const result = await loadWorkflowFile(join(folder, name), { file: join(shown, name) });
    if (result.ok) workflows.push(...result.value);
    problems.push(...(result.ok ? result.warnings : result.problems));
  }
  return { workflows, problems };
}

/** The files of a folder that contain workflows, or should. Loading reports a file that cannot be listed. */
export async function listDocuments(folder: string): Promise<readonly string[]> {
  const entries = await listFolder(folder);
  const names = entries.ok ? entries.value.filter(isDocument).map(({ name }) => name) : [];
  return names.map((name) => join(folder, name));
}

const isDocument = ({ name, isFolder }: FolderEntry): boolean => !isFolder && DOCUMENT.test(name);

async function loadModule(
  path: string,
  { file, hashOf, readModule = readModuleHere }: LoadOptions & { readonly file: string },
): Promise<Drafted<readonly Workflow[]>> {
  try {
    const hash = hashOf?.(path) ?? '';
    const content = await readModule(path, hash);
    const { workflows, problems } = await workflowsOf(content, { path: realpathSync(path), hash, file });
    if (workflows.length > 0 || problems.length > 0) return drafted(workflows, problems);
    return refusedSource([
      {
        code: 'WORKFLOW_MISSING',
        message: 'The module exports no workflow.',
        severity: 'error',
        file,
        hint: 'Export what defineWorkflow gives back, or the object of a stage workflow, by name or as the default.',
      },
    ]);
  } catch (error) {
    return refusedSource(loadProblems(error, { path, file }));
  }
}

/** A function of a workflow is named with the file it is in, which usually is the module itself. */
function loadProblems(error: unknown, { path, file }: Record<'path' | 'file', string>): readonly Problem[] {
  const shown = (of: string | undefined): string => (of === undefined || of === resolve(path) ? file : of);
  if (isFault(error) && error.problems.length > 0)
    return error.problems.map((one) => ({ ...one, file: shown(one.file) }));
  const message = `The module cannot be loaded: ${error instanceof Error ? error.message : String(error)}`;
  return [{ code: 'MODULE_FAILED', message, severity: 'error', file }];
}
