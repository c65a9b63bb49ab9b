import { z } from 'zod';
import { Fault } from '../../core/model/fault.ts';
import { isRunWithin, type RunId } from '../../core/model/ids.ts';
import type { Json } from '../../core/model/json.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import type { RunInfo } from '../../journal/port.ts';
import { schemasOf, type WorkflowSchemas } from '../../source/workflow-module.ts';
import { ORDERS } from '../../protocol/operations/acts.ts';
import { PROJECT } from '../../protocol/operations/project.ts';
import type { SearchPage } from '../../protocol/web/search-page.ts';
import { withStart, wishesIn } from '../acts/with-order.ts';
import { foundWorkflow, type FoundWorkflow, refusePart } from '../library/find-workflow.ts';
import { findRun } from '../runs/find-run.ts';
import { refuseChild } from '../runs/refuse-child.ts';
import type { SessionRequest } from '../runs/session.ts';
import { workflowToStart } from '../runs/start-run.ts';
import { pruneRuns, type Pruning } from '../results/prune-runs.ts';
import type { MetricsView } from '../../protocol/metrics/metrics-view.ts';
import { listedRuns, type RunListPage } from '../views/listed-runs.ts';
import { metricsOf } from '../views/metrics-of.ts';
import { searchRuns } from '../views/search-runs.ts';
import { ProjectLibrary } from './project-library.ts';
import { libraryRequest, inputBySchema, optionsOf, outputBySchema } from './checked-values.ts';
import type { OpenOrder, OpenProject } from './open-project.ts';
import { RunOfTroupe } from './run-of-troupe.ts';
import type { RunHandle, StartWishes, Troupe } from './troupe.ts';

const RUN = z.string('the id of a run is needed');
const WORKFLOW = z.string('a workflow is needed: one that was defined, or the name of one');
const STARTING = z.looseObject({ signal: z.instanceof(AbortSignal).optional() });
const LIST = PROJECT.list.request.omit({ project: true });
const METRICS = z.strictObject({ since: z.number().nonnegative().exactOptional() });

/** A project that a program opened. */
export class ProjectTroupe implements Troupe {
  readonly project: string;
  readonly library: ProjectLibrary;
  readonly #opened: OpenProject;
  readonly #closeStore: () => Promise<void>;
  #closed: Promise<void> | undefined;

  constructor(opened: OpenProject, project: string, closeStore: () => Promise<void>) {
    this.project = project;
    this.#opened = opened;
    this.library = new ProjectLibrary(opened);
    this.#closeStore = closeStore;
  }

  async start<Output>(workflow: Workflow | string, options: StartWishes<unknown> = {}): Promise<RunHandle<Output>> {
    const { by, wishes } = optionsOf(options);
    const { signal, input: wanted, ...wished } = libraryRequest(STARTING, wishes);
    signal?.throwIfAborted();
    const name = libraryRequest(WORKFLOW, typeof workflow === 'string' ? workflow : workflow?.name);
    const schemas = typeof workflow === 'string' ? {} : schemasOf(workflow);
    const { input: _default, ...request } = libraryRequest(ORDERS.start.request, { ...wished, workflow: name });
    const given = await inputBySchema(schemas.input, wanted);
    const { input } = libraryRequest(ORDERS.start.request, { workflow: name, input: given });
    const asking = { ...this.#opened.asking(by), wishes: wishesIn({ kind: 'start', ...request }) };
    const find = (prepared: SessionRequest): Promise<FoundWorkflow> =>
      typeof workflow === 'string' ? workflowToStart(prepared, workflow) : definedHere(workflow, prepared);
    const open: OpenOrder = (work) => withStart(asking, { find, input }, { purpose: 'drive', work });
    const { run } = await this.#opened.driven.carryOut(open, signal);
    return this.#handle(run, schemas);
  }

  async run<Output>(id: string, workflow?: Workflow): Promise<RunHandle<Output>> {
    const info = await findRun(this.#opened.journal(), libraryRequest(RUN, id), this.project);
    refuseChild(info.run);
    this.#refuseElsewhere(info);
    if (workflow === undefined) return this.#handle(info.run, {});
    refuseDifferent(info, workflow);
    return this.#handle(info.run, schemasOf(workflow));
  }

  async list(options: Parameters<Troupe['list']>[0] = {}): Promise<RunListPage> {
    const request = { ...libraryRequest(LIST, options), project: this.project };
    return await this.#opened.finish(({ store }) => listedRuns(store, request));
  }

  async metrics(options: Parameters<Troupe['metrics']>[0] = {}): Promise<MetricsView> {
    const { since = null } = libraryRequest(METRICS, options);
    return await this.#opened.finish((asking) => metricsOf(asking, { run: null, isAll: false, since }));
  }

  async prune(options: Parameters<Troupe['prune']>[0] = {}): Promise<Pruning> {
    const request = libraryRequest(PROJECT.prune.request, options);
    return await this.#opened.finish(({ store }) => pruneRuns(store, request));
  }

  async search(options: Parameters<Troupe['search']>[0]): Promise<SearchPage> {
    const request = libraryRequest(PROJECT.search.request, options);
    return await this.#opened.finish(async ({ store: { journal } }) => {
      const own = (await journal.runs()).filter(({ project }) => project === this.project);
      const tree = (top: RunId) => own.filter(({ run }) => isRunWithin(run, top)).toReversed();
      return await searchRuns({ journal, roots: () => own.filter(({ parent }) => parent === null), tree }, request);
    });
  }

  /** Each caller waits until everything is closed. */
  async close(): Promise<void> {
    this.#closed ??= this.#opened.close().then(this.#closeStore);
    await this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #handle<Output>(run: RunId, { output: schema }: WorkflowSchemas): RunHandle<Output> {
    // The type comes from the same schema.
    const read = async (output: Json): Promise<Output> => (await outputBySchema(schema, output)) as Output;
    return new RunOfTroupe(this.#opened, run, read);
  }

  /** The roles, tools and models that this Troupe was opened with belong to its own project. */
  #refuseElsewhere({ run, project }: RunInfo): void {
    if (project === this.project) return;
    throw new Fault('RUN_ELSEWHERE', `Run ${run} belongs to the project ${project}; this one is ${this.project}.`, {
      hint: `Open that project: openTroupe({ project: ${JSON.stringify(project)} })`,
      facts: { project },
    });
  }
}

/** Its types would be wrong. */
function refuseDifferent({ run, workflow: runs }: RunInfo, { name }: Workflow): void {
  if (runs !== name)
    throw new Fault('WORKFLOW_DIFFERS', `Run ${run} runs the workflow "${runs}", not "${name}".`, {
      hint: 'Pass the workflow that it was started with, or none.',
    });
}

async function definedHere(workflow: Workflow, prepared: SessionRequest): Promise<FoundWorkflow> {
  const found = await foundWorkflow(workflow, prepared);
  await refusePart(found.workflow, prepared);
  return found;
}
