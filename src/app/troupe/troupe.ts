import type { RunId } from '../../core/model/ids.ts';
import type { Json } from '../../core/model/json.ts';
import type { GivenInput } from '../../formats/check-input.ts';
import type { NoKeys, TypedWorkflow } from '../../formats/registry/define.ts';
import type { ImmediateAct, Order } from '../../protocol/operations/acts.ts';
import type { ListRequest, PruneRequest, SearchRequest } from '../../protocol/operations/project.ts';
import type { Shown, View } from '../../protocol/operations/views.ts';
import type { LimitWishes } from '../../protocol/operations/wishes.ts';
import type { MetricsView } from '../../protocol/metrics/metrics-view.ts';
import type { SearchPage } from '../../protocol/web/search-page.ts';
import type { RunView } from '../../protocol/run-view.ts';
import type { Pruning } from '../results/prune-runs.ts';
import type { RunListPage } from '../views/listed-runs.ts';
import type { ProjectLibrary } from './project-library.ts';
import type { RunEnd, RunEvent, RunPosition } from './event-reader.ts';

/** A project, open: what `openTroupe` gives. Every verb is the operation that the command line, HTTP and MCP use as well. */
export interface Troupe extends AsyncDisposable {
  /** The project's folder. */
  readonly project: string;
  /** The workflows and roles that can be named here. */
  readonly library: ProjectLibrary;
  /** Starts a workflow that was defined here, and drives it in this process. */
  start<Input = GivenInput, Output = Json>(
    workflow: TypedWorkflow<Input, Output>,
    ...options: StartArguments<Input>
  ): Promise<RunHandle<Output>>;
  /** Starts a workflow of the project or of Troupe by its name, or one in a file. */
  start(workflow: string, options?: StartWishes<GivenInput>): Promise<RunHandle>;
  /** Opens a run, whichever process started it: by its id, a beginning of it, or `last`. */
  run(id: string): Promise<RunHandle>;
  /** The same, with the types of the workflow that it runs. */
  run<Output = Json>(id: string, workflow: TypedWorkflow<never, Output>): Promise<RunHandle<Output>>;
  /** The newest runs of the project, a page at a time. */
  list(options?: Undefinable<Omit<ListRequest, 'project'>>): Promise<RunListPage>;
  /** How long, how often, how well and for how much: of the project's runs, or of those since a moment. */
  metrics(options?: { readonly since?: number }): Promise<MetricsView>;
  /** Removes the files of old runs, of all projects. What the runs did stays in the journal. */
  prune(options?: PruneRequest): Promise<Pruning>;
  /** Where a text stands in the records of a run, or which runs of the project are about it. */
  search(options: SearchRequest): Promise<SearchPage>;
  /** Stops driving. No run ends by it: any process can resume those that are under way. */
  close(): Promise<void>;
}

/** A program may pass on what it was not given itself. */
type Undefinable<Options> = { readonly [Key in keyof Options]: Options[Key] | undefined };

/** The options may be left out where the workflow can be started without input. */
export type StartArguments<Input> = NoKeys extends Input
  ? [options?: StartWishes<Input>]
  : [options: StartWishes<Input>];

/** Who did it, for the journal. */
export interface ActedBy {
  readonly by?: string;
}

export interface Waiting {
  /** Ends the waiting; the run goes on. */
  readonly signal?: AbortSignal;
}

type Of<Act, Kind> = Extract<Act, { readonly kind: Kind }>;

/** A request without what the handle knows. */
type Wish<Act, Kind> = Omit<Of<Act, Kind>, 'kind' | 'run'> & ActedBy;

export type StartWishes<Input> = Omit<Wish<Order, 'start'>, 'workflow' | 'input'> &
  (NoKeys extends Input ? { readonly input?: Input } : { readonly input: Input }) & {
    /** Aborting it cancels the run. */
    readonly signal?: AbortSignal;
  };

/** One run. The process that holds the handle need not be the one that drives the run. */
export interface RunHandle<Output = Json> {
  readonly id: RunId;
  /**
   * The records of the run and of the runs below it, from its start, then as they are written. Ends when the run has ended or
   * only a person can let it go on. `from: 'last'` leaves out what this handle has given before.
   */
  events(options?: Waiting & { readonly from?: 'start' | 'last' }): AsyncGenerator<RunEvent>;
  /** Waits until the run has ended and its result is delivered, however long a person takes to answer. */
  result(options?: Waiting): Promise<RunEnd<Output>>;
  /** Waits until the run has ended or only a person can let it go on. */
  rest(options?: Waiting): Promise<RunPosition>;
  /** Answers the question that the run asks; where it asks several, `question` names one. */
  answer(text: string, options?: Partial<Omit<Wish<Order, 'answer'>, 'text'>>): Promise<void>;
  /** Lets a run go on that no process drives, that was paused, or that reached a limit. */
  resume(options?: Wish<Order, 'resume'>): Promise<void>;
  /** Raises limits of the run, and lets it go on. */
  raise(limits: LimitWishes, options?: ActedBy): Promise<void>;
  /** Starts a new run that goes on from a step of this one. */
  fork(options: Wish<Order, 'fork'>): Promise<RunHandle<Output>>;
  /** Sends a message to an agent of the run. */
  tell(agent: string, text: string, options?: ActedBy): Promise<void>;
  pause(options?: Wish<ImmediateAct, 'pause'>): Promise<void>;
  cancel(options?: Wish<ImmediateAct, 'cancel'>): Promise<void>;
  /** Brings the files of the run to the user. */
  deliver(options?: Wish<ImmediateAct, 'deliver'> & Waiting): Promise<Json>;
  /** Records that its result is not wanted; `isUndone` takes that back. */
  discard(options?: Wish<ImmediateAct, 'discard'>): Promise<Json>;
  /** Hides it from lists; `isUndone` shows it again. */
  archive(options?: Wish<ImmediateAct, 'archive'>): Promise<Json>;
  rollback(options: Wish<ImmediateAct, 'rollback'>): Promise<Json>;
  /** Everything that is known about where the run stands. */
  show(): Promise<RunView>;
  /** Any other view: its messages, metrics, artifacts, changes. */
  look<Kind extends View['kind']>(view: RunLook<Kind>): Promise<Shown<Kind>>;
}

export type RunLook<Kind extends View['kind'] = View['kind']> = { readonly kind: Kind } & Omit<
  Extract<View, { readonly kind: Kind }>,
  'run' | 'kind'
>;
