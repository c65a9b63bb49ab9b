import type { State, Workflow } from '../../core/model/workflow.ts';
import type { ChartSubject, ChartBox, Chart } from './chart.ts';
import { drawnSteps } from './drawn-steps.ts';
import { isPool, laneLinks, lanesOf, type Lane, type PoolState } from './pool-lanes.ts';
import { calledWorkflow, idPart, type ChildRun, type Opened, type Scene } from './scene.ts';
import { aboutStart, aboutState } from './state-box.ts';
import { markedLinks, stateLinks, type LooseLink } from './state-links.ts';

export interface Building {
  readonly opened: Opened;
  /** The scene of a child run, or of a workflow that is called; null where it cannot be read. */
  readonly below: (scene: Scene, child: ChildRun, prefix: string) => Promise<Scene | null>;
}

/** A workflow as boxes and links: its states, the units of its pools, and inside of them the runs that are open. */
export async function buildChart(scene: Scene, building: Building): Promise<Chart> {
  const steps = drawnSteps(scene.drawing.workflow);
  const states = drawnStates(scene, steps);
  const start = { about: aboutStart(scene), inner: null };
  const boxes: ChartBox[] = [start];
  for (const state of states) boxes.push(await stateBox(state, scene, building));
  return { arrange: 'flow', boxes, links: markedLinks(boxes, linksOf(scene, steps)) };
}

/** The start first and the ends last, whatever their author's order: the way between is read in it. */
function drawnStates({ run, workflow, drawing }: Scene, steps: Steps): readonly State[] {
  const all = Object.values(drawing.workflow.states).filter(({ name }) => stepOf(steps, name) === name);
  const start = stepOf(steps, drawing.workflow.start);
  const isStart = ({ name }: State): boolean => name === start;
  const places = run === null || drawing.workflow === workflow ? [] : besideStages(workflow);
  return [
    ...all.filter(isStart),
    ...all.filter((state) => state.kind === 'work' && !isStart(state)),
    ...places.filter(({ name }) => !all.some((state) => state.name === name)),
    ...all.filter((state) => state.kind === 'end' && !isStart(state)),
  ];
}

type Steps = ReadonlyMap<string, string>;

const stepOf = (steps: Steps, name: string): string => steps.get(name) ?? name;

/** States of a run of stages besides the stages: it asks a person, or does several at once. */
const besideStages = ({ states }: Workflow): readonly State[] =>
  ['asking', 'together'].flatMap((name) => states[name] ?? []);

function linksOf({ drawing, workflow, prefix }: Scene, steps: Steps): readonly LooseLink[] {
  const idOf = (name: string): string => `${prefix}${idPart(stepOf(steps, name))}`;
  const begin = { from: `${prefix}*`, to: idOf(drawing.workflow.start), label: '', condition: '', ways: [] };
  const states = Object.values(drawing.workflow.states).filter((state) => state.kind === 'work');
  const links = joinedLinks(
    states.flatMap((state) => stateLinks(state, idOf)),
    { drawing, steps, idOf },
  );
  if (drawing.workflow === workflow) return [begin, ...links];
  // These are not the transitions that are taken.
  return [begin, ...links.map((link, index) => ({ ...link, ways: [], sign: `${link.to}.${index}` }))];
}

interface Joining {
  readonly drawing: Scene['drawing'];
  readonly steps: Steps;
  readonly idOf: (name: string) => string;
}

/** Of a step that is several states, what happens inside is not drawn, and all that leads to the same place is one edge. */
function joinedLinks(links: readonly LooseLink[], { drawing, steps, idOf }: Joining): readonly LooseLink[] {
  const sizes = Map.groupBy(Object.keys(drawing.workflow.states), (name) => idOf(name));
  const isJoined = (id: string): boolean => (sizes.get(id)?.length ?? 0) > 1;
  if (steps.size === sizes.size) return links;
  const groups = Map.groupBy(links, ({ from, to }) => `${from}>${to}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || !isJoined(first.from)) return group;
    if (first.from === first.to) return [];
    return [{ ...first, label: '', condition: '', ways: group.flatMap(({ ways }) => ways) }];
  });
}

async function stateBox(state: State, scene: Scene, building: Building): Promise<ChartBox> {
  const about = aboutState(state, scene);
  if (isPool(state)) return await poolBox(state, about, { scene, building });
  if (state.kind === 'end' || state.work.kind !== 'call') return { about, inner: null };
  const written = { workflow: state.work.workflow, task: null };
  const child = scene.story?.child(state.name, null) ?? written;
  return await withChild(about, child, { scene, building, base: about.id });
}

interface Around {
  readonly scene: Scene;
  readonly building: Building;
}

async function poolBox(state: PoolState, about: ChartSubject, { scene, building }: Around): Promise<ChartBox> {
  const lanes = lanesOf(state, about, scene);
  if (lanes.length === 0) return { about, inner: null };
  if (!building.opened.pool(about.id)) return { about: { ...about, inside: 'folded' }, inner: null };
  const boxes: ChartBox[] = [];
  for (const lane of lanes) boxes.push(await laneBox(lane, about, { scene, building }));
  const links = markedLinks(boxes, laneLinks(state, about, scene));
  return { about: { ...about, inside: 'open' }, inner: { arrange: 'lanes', boxes, links } };
}

async function laneBox({ about, child }: Lane, pool: ChartSubject, around: Around): Promise<ChartBox> {
  if (child === null) return { about, inner: null };
  return await withChild(about, child, { ...around, base: child.task === null ? about.id : pool.id });
}

/** A run inside of a run is folded until somebody opens it. */
async function withChild(
  about: ChartSubject,
  child: ChildRun,
  around: Around & { readonly base: string },
): Promise<ChartBox> {
  const { scene, building, base } = around;
  if (calledWorkflow(scene, child.workflow) === null) return { about, inner: null };
  const folded = { about: { ...about, inside: 'folded' as const }, inner: null };
  if (!building.opened.child(about.id)) return folded;
  const below = await building.below(scene, child, `${base}/${child.task === null ? '~' : idPart(child.task)}/`);
  if (below === null) return folded;
  return { about: { ...about, inside: 'open' }, inner: await buildChart(below, building) };
}
