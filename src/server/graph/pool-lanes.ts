import type { ResolvedWork } from '../../core/record/task-fact.ts';
import type { Json } from '../../core/model/json.ts';
import { isJsonObject } from '../../core/model/json.ts';
import type { PoolWork, UnitWork, WorkState } from '../../core/model/workflow.ts';
import { fixedUnits, unitEdges } from '../../protocol/graph/edges.ts';
import type { ChartSubject } from './chart.ts';
import { idPart, type ChildRun, type Scene, type StoryUnit } from './scene.ts';
import { workDetail } from './state-box.ts';
import type { LooseLink } from './state-links.ts';

/** A unit of a pool as it is drawn: a lane, and the run inside of it, where it is one. */
export interface Lane {
  readonly about: ChartSubject;
  readonly child: ChildRun | null;
}

/** More than these are counted, not drawn. */
const MOST = 30;

export interface PoolState extends WorkState {
  readonly work: PoolWork;
}

export const isPool = (state: { readonly kind: string }): state is PoolState =>
  state.kind === 'work' && (state as WorkState).work.kind === 'pool';

/** One lane a unit that is known now, in order; of a pool that makes its units when it runs, one that stands for each. */
export function lanesOf(state: PoolState, pool: ChartSubject, scene: Scene): readonly Lane[] {
  const units = unitsOf(state, scene);
  if (units.length === 0) return state.work.units.kind === 'items' ? [eachLane(state.work.units.work, pool)] : [];
  const shown = units.length > MOST + 1 ? units.slice(0, MOST) : units;
  const lanes = shown.map((unit) => laneOf(unit, { state, pool, scene }));
  const left = units.length - shown.length;
  const more = lane(pool, { id: '*more', label: `… ${left} more`, detail: '', unit: null });
  return left === 0 ? lanes : [...lanes, { about: more, child: null }];
}

/** Links for dependencies and repetitions between units. */
export function laneLinks(state: PoolState, pool: ChartSubject, scene: Scene): readonly LooseLink[] {
  const idOf = (unit: string): string => `${pool.id}/${idPart(unit)}`;
  return unitEdges(unitsOf(state, scene), scene.drawing.units).map(({ from, to, label }, index) => ({
    from: idOf(from),
    to: idOf(to),
    label,
    condition: '',
    ways: [],
    sign: `${idPart(to)}.${index}`,
  }));
}

function unitsOf(state: PoolState, { story }: Scene): readonly StoryUnit[] {
  const units = story?.units(state.name) ?? [];
  if (units.length > 0) return units;
  return fixedUnits(state).map(({ id, after }) => ({ id, after, item: null, work: null }));
}

interface Around {
  readonly state: PoolState;
  readonly pool: ChartSubject;
  readonly scene: Scene;
}

function laneOf(unit: StoryUnit, { state, pool, scene }: Around): Lane {
  const work = writtenWork(unit.id, state.work);
  const detail = [withoutName(doingOf(unit, work, scene), unit.id), itemText(unit.item), whenOf(unit, scene)];
  const text = detail.filter((part) => part !== '').join(' · ');
  const about = lane(pool, { id: idPart(unit.id), label: unit.id, detail: text, unit: unit.id });
  return { about, child: scene.story?.child(state.name, unit.id) ?? unstarted(work) };
}

/** A unit mostly has the name of the agent that does it: once is enough. */
const withoutName = (text: string, name: string): string =>
  text === name ? '' : text.startsWith(`${name} `) ? text.slice(name.length + 1) : text;

/** The text of a unit's work; a choice is known only once it has begun. */
function doingOf({ id, work: begun }: StoryUnit, work: UnitWork | null, scene: Scene): string {
  const text = scene.drawing.units[id]?.what;
  if (text !== undefined) return text;
  const isOpen = work === null || work.kind === 'choice';
  return begun !== null && isOpen ? resolvedText(begun) : written(work, scene);
}

/** A unit without dependencies has no edge to carry its condition. */
function whenOf({ id, after }: StoryUnit, { drawing }: Scene): string {
  const when = drawing.units[id]?.when ?? null;
  return when === null || after.length > 0 ? '' : `if ${when}`;
}

function writtenWork(id: string, { units }: PoolWork): UnitWork | null {
  return units.kind === 'items' ? units.work : (units.list.find((unit) => unit.id === id)?.work ?? null);
}

const written = (work: UnitWork | null, { drawing }: Scene): string =>
  work === null ? '' : workDetail(work, drawing.workflow.agents);

const unstarted = (work: UnitWork | null): ChildRun | null =>
  work?.kind === 'call' ? { workflow: work.workflow, task: null } : null;

function resolvedText(work: ResolvedWork): string {
  switch (work.kind) {
    case 'turn':
      return work.agent;
    case 'tell':
    case 'clear':
      return `${work.kind} ${work.agent}`;
    case 'call':
      return `call ${work.workflow}`;
    case 'command':
      return work.builtin ?? work.command;
    case 'compute':
      return work.program;
    case 'ask':
      return 'asks a person';
    default:
      return work.kind;
  }
}

/** A readable name of an item. */
function itemText(item: Json): string {
  if (typeof item === 'string' || typeof item === 'number') return String(item).slice(0, LONGEST);
  if (!isJsonObject(item)) return '';
  const named = ['title', 'name', 'id', 'path', 'file']
    .map((key) => item[key])
    .find((value) => typeof value === 'string');
  return typeof named === 'string' ? named.slice(0, LONGEST) : '';
}

const LONGEST = 120;

function eachLane(work: UnitWork, pool: ChartSubject): Lane {
  const about = lane(pool, { id: '*each', label: 'for each item', detail: workDetail(work), unit: null });
  return { about, child: unstarted(work) };
}

type LaneParts = Pick<ChartSubject, 'id' | 'label' | 'detail' | 'unit'>;

const lane = (pool: ChartSubject, { id, ...parts }: LaneParts): ChartSubject => ({
  ...pool,
  ...parts,
  id: `${pool.id}/${id}`,
  kind: 'lane',
  state: null,
  states: [],
  counted: [],
  inside: 'none',
});
