import type { Workflow } from '../../core/model/workflow.ts';
import { drawingOf } from '../../source/drawing.ts';
import { openProject } from '../config/project.ts';
import { checkFile, type CheckedFile } from '../library/check-file.ts';
import { findWorkflow } from '../library/find-workflow.ts';
import { mermaid } from '../library/graph/mermaid.ts';
import { xstate } from '../library/graph/xstate.ts';
import { listedWorkflows, type ListedWorkflow } from '../library/workflow-place.ts';
import { type ListedPrompt, listPrompts, type ShownPrompt, showPrompt } from '../library/shown-prompt.ts';
import type { ProjectView } from '../library/project-trust.ts';
import { loadLibrary } from '../library/workflow-library.ts';
import { withSupplied } from '../world/supplied.ts';
import { PROJECT } from '../../protocol/operations/project.ts';
import { libraryRequest } from './checked-values.ts';
import type { OpenProject } from './open-project.ts';

/** The workflows and roles that can be named in a project. Its files are read again each time. */
export class ProjectLibrary {
  readonly #opened: OpenProject;

  constructor(opened: OpenProject) {
    this.#opened = opened;
  }

  /** Those of the project, of the program, and of Troupe. */
  async workflows(): Promise<readonly ListedWorkflow[]> {
    return listedWorkflows(await loadLibrary(await this.#view()));
  }

  /** Types of agents, and plain roles. */
  async roles(): Promise<readonly ListedPrompt[]> {
    return (await listPrompts(await this.#view())).prompts;
  }

  /** The prompt and the tools of a role. */
  async prompt(name: string, { mode }: { readonly mode?: string } = {}): Promise<ShownPrompt> {
    return await showPrompt(libraryRequest(PROJECT.prompt.request, { name, mode }), await this.#view());
  }

  /** Everything that is wrong with a file: a workflow, a role, settings, a scenario. */
  async check(file: string): Promise<CheckedFile> {
    libraryRequest(PROJECT.check.request, { file });
    return await checkFile(file, await this.#view());
  }

  /** A workflow as a picture in text. */
  async graph(workflow: string | Workflow, format: 'mermaid' | 'xstate' = 'mermaid'): Promise<string> {
    const name = typeof workflow === 'string' ? workflow : workflow.name;
    libraryRequest(PROJECT.graph.request, { workflow: name, format });
    const found = typeof workflow === 'string' ? (await findWorkflow(workflow, await this.#view())).workflow : workflow;
    const drawing = drawingOf(found);
    if (format === 'mermaid') return mermaid(drawing.workflow, drawing.units);
    return JSON.stringify(xstate(drawing.workflow, drawing.units), null, 2);
  }

  async #view(): Promise<ProjectView> {
    const { caller, supplied } = this.#opened.asking();
    return { project: withSupplied(await openProject(caller), supplied), caller };
  }
}
