import { jsonEqual } from '../../core/model/json-equal.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/model/json.ts';
import { type ChangedPart, changesOr } from '../family.ts';

/** Changes in a file, and in the workflows of its phases. */
export function phaseChanges({ name }: JsonObject, parts: readonly ChangedPart[]): readonly string[] {
  const isPhase = typeof name === 'string' && name.includes('/');
  return isPhase ? changesOr(parts.flatMap(phaseKeys), 'the phase') : changesOr(parts.flatMap(fileWords), 'the file');
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
  if (key === 'plan') return loopKeys(old, now);
  if (key !== 'states' || name === null) return key === 'toolTries' ? ['errors.tool_tries changed'] : [];
  if (name === 'start') return ['condition, input, output or instructions changed'];
  const timeout = (state: Json | undefined): Json => (isJsonObject(state) ? (state['timeoutMs'] ?? null) : null);
  if (/^(?:work|fallback_\d+)$/.test(name) && !jsonEqual(timeout(old), timeout(now))) return ['timeout changed'];
  return [];
}

/** Changes in the plan that the phase decides by. */
function loopKeys(old: Json | undefined, now: Json | undefined): readonly string[] {
  const loopIn = (plan: Json | undefined): Json => (isJsonObject(plan) ? (plan['loop'] ?? null) : null);
  return jsonEqual(loopIn(old), loopIn(now)) ? [] : ['condition or max_iterations changed'];
}
