import type { Drawing } from '../core/drawing.ts';
import type { JournalRecord } from '../core/fact.ts';
import type { Json } from '../core/json.ts';
import type { Definition } from '../core/role.ts';
import type { Workflow } from '../core/workflow.ts';
import type { Journal } from '../journal/port.ts';
import type { PlacedProblem, WorkflowLine, WorkflowPage } from '../protocol/web/workflow-page.ts';

/**
 * What the server needs of the world around it; the command line gives it. Whatever a person can do is a command: `look` and
 * `act` take the same words as the command line, so that a page and a terminal can never disagree.
 */
export interface Backstage {
  readonly version: string;
  /** Where the engine keeps its own files. */
  readonly home: string;
  /** The project's folder the server was started in. */
  readonly project: string;
  readonly journal: Journal;
  /** A command that changes nothing: what it prints with `--json`. Rejects with its Fault. */
  look(words: readonly string[], options?: LookOptions): Promise<Json>;
  /** A command that changes something, in a process of its own, so that a run outlives the server. Rejects with its Fault. */
  act(words: readonly string[], options?: LookOptions): Promise<Json>;
  /** The bytes that a looking command writes, as they come, from a process of its own: more than should ever lie in this one. */
  pour(words: readonly string[]): AsyncIterable<Uint8Array>;
  /** The definition a run had at its newest record. */
  definition(records: readonly JournalRecord[]): Promise<Definition>;
  workflows(project: string): Promise<readonly WorkflowLine[]>;
  /** By name, or by a file in the project. WORKFLOW_UNKNOWN where there is none; a broken one comes with its problems. */
  workflow(name: string, project: string): Promise<FoundWorkflowPage>;
  /** How the author of a workflow of this definition thinks of it, as far as that can be known now. */
  drawing(workflow: Workflow, definition: Definition, project: string): Promise<Drawing>;
  /** All that is wrong with a file of the project, or with a text as if it were one. */
  check(source: CheckSource, project: string): Promise<CheckedSource>;
  /** What a file was in a tree of a run's workspace; null where it is none. */
  file(run: string, place: FilePlace): Promise<Uint8Array | null>;
}

export interface FilePlace {
  readonly workspace: string;
  /** As it is written or, where it can be printed nowhere, as it is shown. */
  readonly path: string;
  /** As it was at this record of the run. */
  readonly at?: number;
  /** In this tree, whatever the workspace holds. */
  readonly tree?: string;
}

export interface FoundWorkflowPage {
  readonly page: Omit<WorkflowPage, 'graph'>;
  /** What can be drawn, also where the file has errors; null where nothing can. */
  readonly definition: Definition | null;
}

export type CheckSource =
  | { readonly path: string }
  /** `name` says by its ending which format it is: YAML unless it does. */
  | { readonly text: string; readonly name?: string };

export interface CheckedSource {
  readonly ok: boolean;
  readonly workflows: readonly string[];
  readonly problems: readonly PlacedProblem[];
}

export interface LookOptions {
  /** The folder the command is given in; the server's project where it is not said. */
  readonly folder?: string;
  readonly signal?: AbortSignal;
}
