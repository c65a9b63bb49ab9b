import type { ZodMiniType } from 'zod/mini';
import type { z } from 'zod/mini';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { trim } from '../source/trim.ts';
import {
  agentFileSchema,
  aggregationSchema,
  parallelSchema,
  phaseSchema,
  phasesSchema,
  simpleSchema,
} from './phases-schema.ts';

/** What can be used of a file that has mistakes in it, so that the rest of them is told in the same pass; null for nothing. */
export interface Salvaged<T> {
  readonly value: T;
  /** By its phase: the keys that were refused. What a phase seems to lack may be told already. */
  readonly refused: ReadonlyMap<unknown, ReadonlySet<string>>;
}

type Rest<T extends ZodMiniType> = Salvaged<z.infer<T>> | null;

export function salvagedSequence(document: Json): Rest<typeof phasesSchema> {
  if (!isJsonObject(document) || !Array.isArray(document['phases'])) return null;
  const refused = new Map<unknown, ReadonlySet<string>>();
  const phases = phasesIn(document['phases'] as readonly Json[], refused);
  const { phases: _phases, ...head } = headOf(phasesSchema, document);
  return phases.length === 0 ? null : { value: { name: '', ...head, phases }, refused };
}

export function salvagedParallel(document: Json): Rest<typeof parallelSchema> {
  const given = isJsonObject(document) ? document['orchestration'] : null;
  if (!isJsonObject(document) || !isJsonObject(given) || !Array.isArray(given['parallel_agents'])) return null;
  const refused = new Map<unknown, ReadonlySet<string>>();
  const agents = phasesIn(given['parallel_agents'] as readonly Json[], refused);
  const last =
    'aggregation_phase' in given
      ? phaseIn(aggregationSchema, given['aggregation_phase'], { refused, standIn: 'nameless' })
      : [];
  if (agents.length === 0) return null;
  const { orchestration: _orchestration, ...head } = headOf(parallelSchema, document);
  const [aggregation] = last;
  const orchestration = {
    type: 'parallel' as const,
    parallel_agents: agents,
    ...(aggregation === undefined ? {} : { aggregation_phase: aggregation }),
  };
  return { value: { name: '', ...head, orchestration }, refused };
}

export function salvagedSimple(document: Json): Rest<typeof simpleSchema> {
  return salvaged(simpleSchema, document, { name: '', workflow: 'simple_execution', agent: STAND_IN, input: {} });
}

export function salvagedAgent(document: Json): Rest<typeof agentFileSchema> {
  const given = isJsonObject(document) ? document['agent'] : null;
  if (!isJsonObject(document) || !isJsonObject(given)) return null;
  const refused = new Map<unknown, ReadonlySet<string>>();
  const [agent] = phaseIn(agentFileSchema.shape.agent, given, { refused, standIn: '' });
  const { agent: _agent, ...head } = headOf(agentFileSchema, document);
  return agent === undefined ? null : { value: { ...head, agent }, refused };
}

/** A type that is always there, for a phase whose own is missing: that is told already. */
const STAND_IN = 'execution';

function phasesIn(list: readonly Json[], refused: Map<unknown, ReadonlySet<string>>) {
  // Each keeps its place in the list.
  return list.flatMap((one, index) => phaseIn(phaseSchema, one, { refused, standIn: `nameless_${index + 1}` }));
}

/** An id that is none is kept, so that whoever names it is not told of another mistake. */
function phaseIn<T extends object>(
  schema: ZodMiniType<T>,
  item: Json | undefined,
  { refused, standIn }: { readonly refused: Map<unknown, ReadonlySet<string>>; readonly standIn: string },
): readonly T[] {
  const given = isJsonObject(item) ? item : {};
  const { id } = given;
  const name = typeof id === 'string' && id !== '' ? id : undefined;
  const rest = salvaged(schema, given, { id: standIn, agent_type: STAND_IN, type: STAND_IN });
  if (rest === null) return [];
  const value = name === undefined || !('id' in rest.value) ? rest.value : { ...rest.value, id: name };
  const missing = Object.keys(given).filter((key) => !isSame(given[key], (value as JsonObject)[key]));
  refused.set(value, new Set(missing));
  return [value];
}

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** What is missing, or refused as a whole, has a stand-in where the format cannot do without. */
function salvaged<T>(schema: ZodMiniType<T>, document: Json, standIns: JsonObject): Salvaged<T> | null {
  if (!isJsonObject(document)) return null;
  const shape = shapeOf(schema);
  const needed = Object.entries(standIns).filter(([key]) => shape[key]?.safeParse(undefined).success === false);
  const kept = needed.map(([key, value]) => [key, accepts(shape[key], document[key]) ? document[key] : value]);
  const rest = trim(schema, { ...document, ...(Object.fromEntries(kept) as JsonObject) });
  return rest === null ? null : { value: rest.value, refused: new Map() };
}

const shapeOf = (schema: ZodMiniType): Readonly<Record<string, ZodMiniType>> =>
  (schema as ZodMiniType & { readonly shape?: Readonly<Record<string, ZodMiniType>> }).shape ?? {};

const accepts = (schema: ZodMiniType | undefined, value: Json | undefined): boolean =>
  schema !== undefined && value !== undefined && schema.safeParse(value).success;

/** The keys at the top that are as they must be. */
function headOf<T>(schema: ZodMiniType<T>, document: JsonObject): Partial<T> {
  const shape = shapeOf(schema);
  const fit = Object.entries(document).filter(([key, value]) => accepts(shape[key], value));
  return Object.fromEntries(fit) as Partial<T>;
}
