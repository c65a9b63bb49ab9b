/** Every branded identifier, in one place. A brand keeps a task's id from being used as a run's. */
declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** A run. A child run's id is its parent's, a slash, and the task that started it. */
export type RunId = Branded<'RunId'>;
/** One unit of work inside a run: chosen by the interpreter, the same on every replay. */
export type TaskId = Branded<'TaskId'>;
/** Content hash of a body kept beside the journal. */
export type BodyHash = Branded<'BodyHash'>;
/** The files of a folder at one moment: bytes, modes, links and empty folders under one hash. */
export type TreeId = Branded<'TreeId'>;

export const runId = (text: string): RunId => text as RunId;
export const taskId = (text: string): TaskId => text as TaskId;
export const bodyHash = (text: string): BodyHash => text as BodyHash;
export const treeId = (text: string): TreeId => text as TreeId;

export const childRunId = (parent: RunId, task: TaskId): RunId => runId(`${parent}/${task}`);

/** The run at the top of the tree that this one belongs to; of a root it is itself. */
export const rootRunId = (run: RunId): RunId => runId(run.split('/', 1)[0] ?? run);

/** The run itself, or one below it. */
export const isRunWithin = (run: string, above: string): boolean => run === above || run.startsWith(`${above}/`);
