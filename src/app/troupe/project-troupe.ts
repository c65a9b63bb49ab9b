import { z } from 'zod';
import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import type { Json } from '../../core/json.ts';
import type { Workflow } from '../../core/workflow.ts';
import type { RunInfo } from '../../journal/port.ts';
import { schemasOf, type WorkflowSchemas } from '../../dialects/source/workflow-module.ts';
import { ORDERS } from '../../protocol/operations/acts.ts';
import { withStart, wishesIn } from '../acts/with-order.ts';
import { foundWorkflow, type FoundWorkflow } from '../library/find-workflow.ts';
import { refusePart } from '../library/refuse-part.ts';
import { findRun } from '../runs/find-run.ts';
import { refuseChild } from '../runs/root-run.ts';
import type { Preparation } from '../runs/session.ts';
import { workflowToStart } from '../runs/start-run.ts';
import { createWorkspaces } from '../../workspace/workspaces.ts';
import { DEFAULT_RETENTION } from '../results/prune-plan.ts';
import { pruneRuns, type Pruning } from '../results/prune-runs.ts';
import type { MetricsView } from '../../protocol/metrics/metrics-view.ts';
import { listedRuns, type RunListPage } from '../views/listed-runs.ts';
import { metricsOf } from '../views/metrics-of.ts';
import { ProjectLibrary } from './project-library.ts';
import { checkedRequest } from './checked-request.ts';
import type { OpenOrder } from './driven-runs.ts';
import type { OpenProject } from './open-project.ts';
import { inputBySchema, outputBySchema } from './schema-values.ts';
import { RunOfTroupe } from './run-of-troupe.ts';
import type { RunHandle, StartWishes, Troupe } from './troupe.ts';

const LIST = z.strictObject({
  status: z.string().min(1).optional(),
  isArchived: z.boolean().optional(),
  after: z.string().min(1).optional(),
  limit: z.int().positive().optional(),
});
const METRICS = z.strictObject({ since: z.number().nonnegative().optional() });
const PRUNE = z.strictObject({
  olderThanMs: z.number().nonnegative().optional(),
  keep: z.int().nonnegative().optional(),
  isDry: z.boolean().optional(),
});

/** A project that a program opened. */
export class ProjectTroupe implements Troupe {
  readonly project: string;
  readonly library: ProjectLibrary;
  readonly #opened: OpenProject;
  readonly #closeStore: () => Promise<void>;

  constructor(opened: OpenProject, project: string, closeStore: () => Promise<void>) {
    this.project = project;
    this.#opened = opened;
    this.library = new ProjectLibrary(opened);
    this.#closeStore = closeStore;
  }

  async start<Output>(
    workflow: Workflow | string,
    { by, signal, ...wishes }: StartWishes<unknown> = {},
  ): Promise<RunHandle<Output>> {
    signal?.throwIfAborted();
    const name = typeof workflow === 'string' ? workflow : workflow.name;
    const schemas = typeof workflow === 'string' ? {} : schemasOf(workflow);
    const wished = 'input' in wishes || schemas.input !== undefined;
    const given = wished ? { input: await inputBySchema(schemas.input, wishes.input) } : {};
    const { input, ...request } = checkedRequest(ORDERS.start.request, { workflow: name, ...wishes, ...given });
    const asking = { ...this.#opened.asking(by), wishes: wishesIn({ kind: 'start', ...request }) };
    const find = (prepared: Preparation): Promise<FoundWorkflow> =>
      typeof workflow === 'string' ? workflowToStart(prepared, workflow) : definedHere(workflow, prepared);
    const open: OpenOrder = (work) => withStart(asking, { find, input }, { purpose: 'drive', work });
    const { run } = await this.#opened.driven.carryOut(open, signal);
    return this.#handle(run, schemas);
  }

  async run<Output>(id: string, workflow?: Workflow): Promise<RunHandle<Output>> {
    const info = await findRun(this.#opened.journal(), id, this.project);
    refuseChild(info.run);
    this.#refuseElsewhere(info);
    if (workflow === undefined) return this.#handle(info.run, {});
    refuseDifferent(info, workflow);
    return this.#handle(info.run, schemasOf(workflow));
  }

  async list(options: Parameters<Troupe['list']>[0] = {}): Promise<RunListPage> {
    const request = { ...checkedRequest(LIST, options), project: this.project };
    return await this.#opened.finish(({ store }) => listedRuns(store.journal, request));
  }

  async metrics(options: Parameters<Troupe['metrics']>[0] = {}): Promise<MetricsView> {
    const { since = null } = checkedRequest(METRICS, options);
    return await this.#opened.finish((asking) => metricsOf(asking, { run: null, isAll: false, since }));
  }

  async prune(options: Parameters<Troupe['prune']>[0] = {}): Promise<Pruning> {
    const {
      isDry = false,
      olderThanMs = DEFAULT_RETENTION.olderThanMs,
      keep = DEFAULT_RETENTION.keep,
    } = checkedRequest(PRUNE, options);
    const retention = { olderThanMs, keep };
    return await this.#opened.finish(async ({ store }) => {
      const workspaces = createWorkspaces({ home: store.home });
      try {
        return await pruneRuns({ store, workspaces, retention, isDry, now: Date.now() });
      } finally {
        await workspaces.close();
      }
    });
  }

  async close(): Promise<void> {
    if (await this.#opened.close()) await this.#closeStore();
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

async function definedHere(workflow: Workflow, prepared: Preparation): Promise<FoundWorkflow> {
  const found = await foundWorkflow(workflow, prepared);
  await refusePart(found.workflow, prepared);
  return found;
}
