import { jsonEqual } from '../../core/json-equal.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { DefinitionChange } from './definition-diff.ts';

/** A part of a workflow that is another one now, such as the state "work". */
export interface ChangedPart {
  readonly key: string;
  /** Null where the part has no parts of its own. */
  readonly name: string | null;
  readonly how: DefinitionChange['how'];
  readonly old: Json | undefined;
  readonly now: Json | undefined;
}

/**
 * What was changed in a file of phases or of stages, in the words of whoever wrote it: he knows phases, stages and their keys,
 * and nothing of the states these run as. Undefined for a workflow that is written in states.
 */
export function authorWords(workflow: JsonObject, parts: readonly ChangedPart[]): readonly string[] | undefined {
  const { dialect, name } = workflow;
  const isPart = typeof name === 'string' && name.includes('/');
  if (dialect === 'stages') return named(parts.flatMap(stageWords), 'its functions');
  if (dialect !== 'phases') return undefined;
  return isPart ? named(parts.flatMap(phaseKeys), 'the phase') : named(parts.flatMap(fileWords), 'the file');
}

const named = (words: readonly string[], other: string): readonly string[] =>
  words.length === 0 ? [`${other} changed`] : [...new Set(words)];

/** Lowered states of every stage workflow, besides those of its stages. */
const BESIDE = new Set(['asking', 'together', 'done', 'partial', 'failed']);

function stageWords({ key, name, how }: ChangedPart): readonly string[] {
  if (key === 'states' && name !== null) {
    if (name === 'route') return ['its functions or how it routes changed'];
    if (BESIDE.has(name)) return [];
    const [stage, player] = name.split('@');
    return player === undefined ? [`stage "${stage}" ${how}`] : [`stage "${stage}": fallback "${player}" ${how}`];
  }
  if (key === 'agents') return [`agent "${name}" ${how}`];
  return key === 'description' ? ['description changed'] : [];
}

function fileWords({ key, name, how, old, now }: ChangedPart): readonly string[] {
  if (key === 'inputs') return [`input "${name}" ${how}`];
  if (key === 'onFailure') return ['on_failure changed'];
  if (key !== 'states') return key === 'description' ? ['description changed'] : [];
  if (name === 'phases') return poolWords(old, now);
  if (name === 'route' || name === 'simple') return ['simple_execution changed'];
  return name === 'start' ? ['inputs changed'] : [];
}

function poolWords(old: Json | undefined, now: Json | undefined): readonly string[] {
  const [before, after] = [unitsOf(old), unitsOf(now)];
  const words = [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const [was, is] = [before.get(id), after.get(id)];
    if (was === undefined) return [`phase "${id}" added`];
    if (is === undefined) return [`phase "${id}" removed`];
    return jsonEqual(was['after'] ?? null, is['after'] ?? null) ? [] : [`phase "${id}": depends_on`];
  });
  return jsonEqual(slotsOf(old), slotsOf(now)) || words.length > 0 ? words : ['max_parallel changed'];
}

const workOf = (state: Json | undefined): JsonObject => {
  const work = isJsonObject(state) ? state['work'] : undefined;
  return isJsonObject(work) ? work : {};
};

const slotsOf = (state: Json | undefined): Json => workOf(state)['slots'] ?? null;

function unitsOf(state: Json | undefined): ReadonlyMap<string, JsonObject> {
  const { units } = workOf(state);
  const list: Json | undefined = isJsonObject(units) ? units['list'] : undefined;
  const all = Array.isArray(list) ? (list as readonly Json[]).filter(isJsonObject) : [];
  return new Map(all.flatMap((unit) => (typeof unit['id'] === 'string' ? [[unit['id'], unit] as const] : [])));
}

/** Which keys of a phase a changed part of what it runs as comes from. */
function phaseKeys({ key, name, old, now }: ChangedPart): readonly string[] {
  if (key === 'agents') return ['agent_type, mode, actor or fallback changed'];
  if (key === 'casts') return ['mode changed'];
  if (key !== 'states' || name === null) return key === 'toolTries' ? ['errors.tool_tries changed'] : [];
  if (name === 'start') return ['condition, input, output or instructions changed'];
  if (/^(?:look|again_\d+|used_up)$/.test(name)) return ['condition or max_iterations changed'];
  const timeout = (state: Json | undefined): Json => (isJsonObject(state) ? (state['timeoutMs'] ?? null) : null);
  if (/^(?:work|fallback_\d+)$/.test(name) && !jsonEqual(timeout(old), timeout(now))) return ['timeout changed'];
  return [];
}
