import { isJsonObject, type Json, type JsonObject } from '../../../core/model/json.ts';
import type { SourcePath } from '../../../source/place.ts';
import type { CriterionDocument, HeadDocument, PhaseDocument } from './phases-schema.ts';

/** A phase file in one form, whichever of the four it was written in. */
export interface PhaseFile {
  readonly head: HeadDocument;
  readonly phases: readonly PhaseSpec[];
  /** Set if it is decided first whether one agent alone is enough (PH2). */
  readonly route: { readonly input: JsonObject; readonly agent: string; readonly path: SourcePath } | null;
  /** The phase that may fail without making the others useless. */
  readonly optional: ReadonlySet<string>;
}

export interface PhaseSpec {
  readonly id: string;
  readonly agentType: string;
  readonly mode: PhaseDocument['mode'];
  readonly dependsOn: readonly string[];
  readonly timeoutMs: number | null;
  readonly condition: string | null;
  readonly maxIterations: number | null;
  /** By name; a text alone is what the agent is asked for. */
  readonly input: JsonObject;
  readonly output: JsonObject;
  readonly instructions: string;
  readonly criteria: readonly CriterionDocument[];
  readonly context: JsonObject;
  readonly actor: string | undefined;
  readonly fallback: readonly string[];
  /** Its place in the file. */
  readonly path: SourcePath;
  /** The place of its agent's type. */
  readonly typePath: SourcePath;
  /** Refused keys, reported already: a missing value may be there. */
  readonly lacks: ReadonlySet<string>;
}

type Fields = Omit<PhaseDocument, 'id' | 'depends_on'>;

interface Place extends Pick<PhaseSpec, 'id' | 'dependsOn' | 'path'> {
  readonly typePath?: SourcePath;
  readonly lacks?: ReadonlySet<string>;
}

export function phaseOf(fields: Fields, place: Place): PhaseSpec {
  const { agent_type: agentType, mode, timeout, condition, max_iterations: maxIterations, fallback, actor } = fields;
  return {
    typePath: [...place.path, 'agent_type'],
    lacks: new Set(),
    ...place,
    agentType,
    mode,
    timeoutMs: timeout === undefined ? null : Math.max(1, Math.round(timeout * 1000)),
    condition: condition === undefined ? null : String(condition),
    maxIterations: maxIterations ?? null,
    input: inputOf(fields.input as Json | undefined),
    output: (fields.output ?? {}) as JsonObject,
    instructions: fields.instructions ?? '',
    criteria: fields.success_criteria ?? [],
    context: (fields.context ?? {}) as JsonObject,
    actor,
    fallback: fallback ?? [],
  };
}

/** A text alone is the request. */
function inputOf(input: Json | undefined): JsonObject {
  if (typeof input === 'string') return { user_request: input };
  return isJsonObject(input) ? input : {};
}

/** Everything a phase waits for, also over others. */
export function ancestorsOf(phases: readonly PhaseSpec[]): ReadonlyMap<string, ReadonlySet<string>> {
  const direct = new Map(phases.map(({ id, dependsOn }) => [id, dependsOn]));
  return new Map(
    phases.map(({ id }) => {
      const found = new Set(direct.get(id));
      // Iterating a set includes elements added meanwhile.
      for (const one of found) for (const other of direct.get(one) ?? []) found.add(other);
      return [id, found];
    }),
  );
}

/** A cycle of dependencies, shown as `a -> b -> a`; null if there is none. */
export function circleIn(phases: readonly PhaseSpec[]): readonly string[] | null {
  const ancestors = ancestorsOf(phases);
  const first = phases.find(({ id }) => ancestors.get(id)?.has(id));
  if (first === undefined) return null;
  const way = [first.id];
  const direct = new Map(phases.map(({ id, dependsOn }) => [id, dependsOn]));
  for (let at = first.id; ;) {
    const next = (direct.get(at) ?? []).find((id) => id === first.id || leadsTo(id, first.id));
    if (next === undefined || next === first.id || way.includes(next)) return [...way, first.id];
    way.push(next);
    at = next;
  }

  function leadsTo(from: string, to: string): boolean {
    return ancestors.get(from)?.has(to) === true;
  }
}

/** Whether a phase may run while another one does. */
export function hasCompany({ id }: PhaseSpec, phases: readonly PhaseSpec[]): boolean {
  const ancestors = ancestorsOf(phases);
  const before = ancestors.get(id) ?? new Set();
  return phases.some((other) => other.id !== id && !before.has(other.id) && ancestors.get(other.id)?.has(id) !== true);
}
