import type { core } from 'zod/mini';
import type { Json } from '../../core/json.ts';
import { nameHint } from './closest-name.ts';
import type { SourcePath } from './source-path.ts';

type Schema = core.$ZodType;

/** What the schemas of a document say about the mapping at one path of it. */
export interface SchemaPlace {
  /** Schemas that fit the document; of a union whose options differ in a key, the option that the document chose. */
  readonly fitting: readonly Schema[];
  /** Options of such unions, also those that the document did not choose. */
  readonly options: readonly Option[];
}

/** One option of a union whose options differ in a key. */
interface Option {
  readonly schema: Schema;
  /** The key, such as `provider`, and the values of it that choose this option. */
  readonly key: string;
  readonly values: readonly unknown[];
}

export function schemaPlace(
  check: { readonly schema: Schema; readonly document: Json },
  path: SourcePath,
): SchemaPlace {
  let reached: readonly Schema[] = [check.schema];
  for (const [depth, step] of path.entries()) {
    const value = valueAt(check.document, path.slice(0, depth));
    reached = reached.flatMap((one) => unwrap(one, value)).flatMap((one) => inside(one, step));
  }
  const value = valueAt(check.document, path);
  return {
    fitting: reached.flatMap((one) => unwrap(one, value)),
    options: reached.flatMap((one) => unwrapOnce(one)).flatMap(optionsOf),
  };
}

/** For a key that is not known at this place: where it belongs, or the known key that was probably meant. */
export function keyHint(key: string, { fitting, options }: SchemaPlace): string | undefined {
  const elsewhere = options.filter(({ schema }) => unwrap(schema, undefined).flatMap(shapeKeys).includes(key));
  const [first] = elsewhere;
  if (first !== undefined) {
    const values = elsewhere.flatMap((option) => option.values).join(', ');
    return `It belongs where "${first.key}" is one of ${values}.`;
  }
  // The options of a union share keys.
  return nameHint(
    key,
    [...new Set(fitting.flatMap(shapeKeys))].filter((one) => one !== key),
  );
}

export function valueAt(document: Json, path: SourcePath): Json | undefined {
  let value: Json | undefined = document;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.hasOwn(value, step) ? (value as Record<string | number, Json>)[step] : undefined;
  }
  return value;
}

function inside(schema: Schema, step: string | number): readonly Schema[] {
  const { def } = (schema as core.$ZodTypes)._zod;
  if (def.type === 'array') return [def.element];
  if (def.type === 'record') return [def.valueType];
  if (def.type !== 'object') return [];
  const member = def.shape[step];
  return member === undefined ? [] : [member];
}

/** A schema without the wrappers around it; a union is its options, or the one that the value chose. */
function unwrap(schema: Schema, value: Json | undefined): readonly Schema[] {
  return unwrapOnce(schema).flatMap((one) => {
    const { def } = (one as core.$ZodTypes)._zod;
    if (def.type !== 'union') return [one];
    const chosen = optionsOf(one).filter((option) => isChosen(option, value));
    const options = chosen.length > 0 ? chosen.map((option) => option.schema) : def.options;
    return options.flatMap((option) => unwrap(option, value));
  });
}

const isChosen = ({ key, values }: Option, value: Json | undefined): boolean =>
  values.includes(valueAt(value ?? null, [key]));

/** The same, and a union stays as it is. */
function unwrapOnce(schema: Schema): readonly Schema[] {
  const { def } = (schema as core.$ZodTypes)._zod;
  if (def.type === 'optional' || def.type === 'default') return unwrapOnce(def.innerType);
  if (def.type === 'pipe') return [...unwrapOnce(def.in), ...unwrapOnce(def.out)];
  if (def.type === 'lazy') return unwrapOnce(def.getter());
  return [schema];
}

function optionsOf(schema: Schema): readonly Option[] {
  const { def } = (schema as core.$ZodTypes)._zod;
  if (def.type !== 'union' || !('discriminator' in def) || typeof def.discriminator !== 'string') return [];
  const key = def.discriminator;
  return def.options.map((option) => ({ schema: option, key, values: [...(option._zod.propValues?.[key] ?? [])] }));
}

function shapeKeys(schema: Schema): readonly string[] {
  const { def } = (schema as core.$ZodTypes)._zod;
  return def.type === 'object' ? Object.keys(def.shape) : [];
}
