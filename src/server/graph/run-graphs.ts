import type { Drawing } from '../../core/model/drawing.ts';
import { childRunId, runId, taskId, type RunId } from '../../core/model/ids.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Journal } from '../../journal/port.ts';
import type { GraphView } from '../../protocol/web/graph-view.ts';
import type { Operations } from '../operations.ts';
import { readPieces } from '../../app/views/read-pieces.ts';
import type { Direction } from './chart.ts';
import { drawScene } from './draw-scene.ts';
import { FlowLayout } from './lay-flow.ts';
import { LeastRecent } from './least-recent.ts';
import { StoryBook } from './run-story.ts';
import { calledWorkflow, type ChildRun, type Opened, type Scene } from './scene.ts';

export interface GraphWish {
  /** The nodes whose inside is shown; pools alone where it is not said. */
  readonly open?: readonly string[];
  readonly direction?: Direction;
}

export interface GraphStage extends Pick<Operations, 'definition' | 'drawing'> {
  readonly journal: Pick<Journal, 'read' | 'run'>;
}

/** Pictures of runs and of workflow files. What was read of a journal is kept, so that a long run is read only once. */
export class RunGraphs {
  readonly #stage: GraphStage;
  readonly #layout: FlowLayout;
  readonly #books = new LeastRecent<KnownRun>(200);

  constructor(stage: GraphStage, layout = new FlowLayout()) {
    this.#stage = stage;
    this.#layout = layout;
  }

  async ofRun(run: RunId, wish: GraphWish): Promise<GraphView> {
    const known = await this.#read(run);
    const { definition, project, drawing } = await this.#defined(run, known);
    const scene = {
      run,
      workflow: definition.workflow,
      drawing,
      library: definition.library,
      story: known.book.story,
      prefix: '',
    };
    return await this.#draw(scene, wish, { definition, project });
  }

  /** A workflow that does not run. */
  async ofDefinition(definition: Definition, project: string, wish: GraphWish): Promise<GraphView> {
    const { workflow, library } = definition;
    const drawing = await this.#stage.drawing(workflow, definition, project);
    const scene = { run: null, workflow, drawing, library, story: null, prefix: '' };
    return await this.#draw(scene, wish, { definition, project });
  }

  async #draw(scene: Scene, { open, direction }: GraphWish, from: Defined): Promise<GraphView> {
    const below = async (above: Scene, child: ChildRun, prefix: string): Promise<Scene | null> =>
      await this.#below({ above, child, prefix }, from);
    const building = { opened: openedBy(open), below };
    return await drawScene(scene, {
      building,
      layout: this.#layout,
      ...(direction === undefined ? {} : { direction }),
    });
  }

  async #below({ above, child, prefix }: Below, { definition, project }: Defined): Promise<Scene | null> {
    const workflow = calledWorkflow(above, child.workflow);
    if (workflow === null || prefix.length > LONGEST) return null;
    const drawing = await this.#stage.drawing(workflow, definition, project);
    const plain = { ...above, workflow, drawing, story: null, run: null, prefix };
    if (above.run === null || child.task === null) return plain;
    const run = childRunId(runId(above.run), taskId(child.task));
    // It is announced before it begins.
    if ((await this.#stage.journal.run(run)) === undefined) return plain;
    return { ...plain, run, story: (await this.#read(run)).book.story };
  }

  async #read(run: RunId): Promise<KnownRun> {
    const known = this.#books.get(run, () => ({ book: new StoryBook(), defined: null, reading: Promise.resolve() }));
    const reading = known.reading.catch(() => undefined).then(() => this.#readOn(run, known.book));
    known.reading = reading;
    await reading;
    return known;
  }

  async #readOn(run: RunId, book: StoryBook): Promise<void> {
    for await (const records of readPieces(this.#stage.journal, { run, after: book.seq })) book.take(records);
  }

  /** Read again only when it may be another one. */
  async #defined(run: RunId, known: KnownRun): Promise<DefinedRun> {
    const at = known.book.definitions;
    if (known.defined?.at !== at) known.defined = { at, value: this.#define(run, at === 1) };
    const { defined } = known;
    try {
      return await defined.value;
    } catch (error) {
      if (known.defined === defined) known.defined = null;
      throw error;
    }
  }

  /** A run that was never given another definition says in its first record which it has. */
  async #define(run: RunId, isFirst: boolean): Promise<DefinedRun> {
    const { journal } = this.#stage;
    const [info, records] = await Promise.all([
      journal.run(run),
      isFirst ? journal.read(run, 0, 1) : journal.read(run),
    ]);
    const definition = await this.#stage.definition(records);
    const project = info?.project ?? '';
    return { definition, project, drawing: await this.#stage.drawing(definition.workflow, definition, project) };
  }
}

interface KnownRun {
  readonly book: StoryBook;
  defined: { readonly at: number; readonly value: Promise<DefinedRun> } | null;
  /** One reads at a time. */
  reading: Promise<void>;
}

interface Defined {
  readonly definition: Definition;
  readonly project: string;
}

interface DefinedRun extends Defined {
  readonly drawing: Drawing;
}

interface Below {
  readonly above: Scene;
  readonly child: ChildRun;
  readonly prefix: string;
}

/** A workflow may call itself: somewhere it is enough. */
const LONGEST = 1_000;

function openedBy(open: readonly string[] | undefined): Opened {
  if (open === undefined) return { pool: () => true, child: () => false };
  const ids = new Set(open);
  const has = (id: string): boolean => ids.has(id);
  return { pool: has, child: has };
}
