import { isJsonObject, type Json } from '../../../core/model/json.ts';
import { textList, textOrEmpty } from './read-text.ts';

/** A step as a planning role hands it in, with everything filled in that it left out. */
export interface PlannedStep {
  readonly id: string;
  readonly title: string;
  readonly files: readonly string[];
  readonly after: readonly string[];
  readonly acceptance: readonly string[];
  readonly checks: readonly string[];
  readonly context: string;
}

/** The steps of a `plan_steps` call. Fields beyond its schema are dropped. */
export function plannedSteps(plan: Json): readonly PlannedStep[] {
  const steps = isJsonObject(plan) && Array.isArray(plan['steps']) ? (plan['steps'] as readonly Json[]) : [];
  return steps.filter(isJsonObject).map((step) => ({
    id: textOrEmpty(step['id']),
    title: textOrEmpty(step['title']),
    files: textList(step['files']),
    after: textList(step['after']),
    acceptance: textList(step['acceptance']),
    checks: textList(step['checks']),
    context: textOrEmpty(step['context']),
  }));
}

/** The problems of a quest's plan, for the role that made it. */
export function planProblems(steps: readonly PlannedStep[], most: number): readonly string[] {
  const ids = new Set(steps.map(({ id }) => id));
  const twice = [...ids].filter((id) => steps.filter((step) => step.id === id).length > 1);
  return [
    ...(steps.length === 0 ? ['It has no steps. Even a small quest has one.'] : []),
    ...(steps.length > most
      ? [
          `It has ${steps.length} steps; ${most} are the most. Plan larger steps: one that turns out too large can still be split.`,
        ]
      : []),
    ...idProblems(ids),
    ...twice.map((id) => `"${id.slice(0, 60)}" is the id of several steps; each needs its own.`),
    ...unknownAfter(steps, ids, 'which is no step'),
    ...circleProblems(steps, 'steps', 20),
  ];
}

export interface SplitStep {
  readonly id: string;
  /** Ids of the parts it was split into before. */
  readonly taken: readonly string[];
  readonly mostParts: number;
  readonly mostSplits: number;
}

/** The same for the parts of a step. */
export function partProblems(parts: readonly PlannedStep[], step: SplitStep): readonly string[] {
  const ids = new Set(parts.map(({ id }) => id));
  const isTwice = ids.size < parts.length || parts.some(({ id }) => step.taken.includes(`${step.id}.${id}`));
  return [
    ...(parts.length > step.mostParts ? [`It has ${parts.length} parts; ${step.mostParts} are the most.`] : []),
    ...(step.id.split('.').length > step.mostSplits
      ? [`The step is ${nested(step.mostSplits)}; it cannot be split again.`]
      : []),
    ...idProblems(ids),
    ...(isTwice ? ['Some id stands twice, here or among the parts of before; each part needs its own.'] : []),
    ...unknownAfter(parts, ids, 'which is none of the parts'),
    ...circleProblems(parts, 'parts', Infinity),
  ];
}

const nested = (depth: number): string => Array.from({ length: depth }, () => 'a part').join(' of ');

const idProblems = (ids: ReadonlySet<string>): readonly string[] =>
  [...ids]
    .filter((id) => !/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/.test(id))
    .map((id) => `"${id.slice(0, 60)}" cannot be an id: letters, digits, dashes and underscores, at most 40.`);

const unknownAfter = (steps: readonly PlannedStep[], ids: ReadonlySet<string>, why: string): readonly string[] =>
  steps.flatMap(({ id, after }) =>
    after.filter((other) => !ids.has(other)).map((other) => `"${id}" comes after "${other}", ${why}.`),
  );

function circleProblems(steps: readonly PlannedStep[], called: string, most: number): readonly string[] {
  const ids = new Set(steps.map(({ id }) => id));
  const open = new Map(steps.map(({ id, after }) => [id, after.filter((other) => ids.has(other))]));
  for (let size = -1; size !== open.size;) {
    size = open.size;
    for (const [id, after] of open) if (!after.some((other) => open.has(other))) open.delete(id);
  }
  if (open.size === 0) return [];
  const names = [...open.keys()].slice(0, most).join(', ');
  return [`These ${called} wait for each other in a circle: ${names}.`];
}
