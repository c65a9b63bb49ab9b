import { isJsonObject, type Json } from '../../../core/model/json.ts';
import type { Parsed } from '../../../source/expression/syntax.ts';
import type { SourcePath } from '../../../source/place.ts';
import type { DeclaredOutput } from './owed-outputs.ts';
import type { PhaseSpec } from './phase-list.ts';
import { readCode, readTemplate, readWhole, type Reference, type Template, type TemplateNames } from './template.ts';

/** A template that cannot be read, at the value it stands in. */
export interface TemplateProblem {
  readonly path: SourcePath;
  readonly text: string;
  readonly message: string;
  readonly offset: number;
}

/** A reference of a template, at the value that contains it. */
export interface PlacedReference extends Reference {
  readonly path: SourcePath;
}

export interface PhaseScript {
  /** JavaScript that runs once when the phase begins: whether it is needed, its inputs, its outputs. */
  readonly source: string;
  readonly references: readonly PlacedReference[];
  readonly conditionReads: readonly string[];
  readonly problems: readonly TemplateProblem[];
}

/**
 * All templates of a phase in one script, so that the isolate is called once. References without a value are listed in `missing`: a run
 * must not continue with empty text (L3).
 */
export function phaseScript(spec: PhaseSpec, owed: readonly DeclaredOutput[], names: TemplateNames): PhaseScript {
  const reader = new TemplateReader(names);
  const { path } = spec;
  const condition = reader.condition(spec.condition, [...path, 'condition']);
  const conditionReads = [...new Set(reader.references.map(({ phase }) => phase))];
  const input = reader.value(spec.input, [...path, 'input']);
  const instructions = reader.value(spec.instructions, [...path, 'instructions']);
  const context = reader.value(spec.context, [...path, 'context']);
  const criteria = spec.criteria.map((one, index) => criterion(reader, one, [...path, 'success_criteria', index]));
  const outputs = owed.map(({ path: to, ...rest }) => {
    const source = to === null ? 'null' : reader.value(to, [...path, 'output', rest.name]);
    return `{ ...${JSON.stringify(rest)}, path: ${source} }`;
  });
  const source = `() => {
  const $d = this.common_data;
  ${HELPERS}
  ${names.variables.map((name) => `const ${name} = $d.vars[${JSON.stringify(name)}] ?? null;`).join('\n  ')}
  const $wanted = Boolean(${condition});
  $d.reading = { ...$d.reading, wanted: $wanted, missing: $missing, used: $used };
  if ($wanted && $missing.length === 0) Object.assign($d.reading, {
    inputs: ${input},
    instructions: ${instructions},
    context: ${context},
    criteria: [${criteria.join(', ')}],
    outputs: [${outputs.join(', ')}],
  });
}`;
  return { source, references: reader.references, conditionReads, problems: reader.problems };
}

/** A command stays unchanged: `${…}` belongs to the shell there, and user input must not become a part of it. */
function criterion(reader: TemplateReader, one: PhaseSpec['criteria'][number], path: SourcePath): string {
  if (typeof one === 'string') return reader.value(one, path);
  return 'command' in one ? JSON.stringify(one) : `{ files: ${reader.value(one.files, [...path, 'files'])} }`;
}

/**
 * Functions for templates in the isolate: read an output of another phase, record the reading or the missing value, and join the parts
 * of a text.
 */
const HELPERS = `const $missing = [];
  const $used = [];
  const $phases = { ...$d.phases, ...$d.phase?.rerun };
  const $read = (phase, name, below, text, { isDeep, isLenient }) => {
    const { outcome, output: made } = $phases[phase] ?? { outcome: 'skipped', output: null };
    if (outcome === 'skipped' || made === null) return null;
    $used.push([phase, name]);
    const isContent = isDeep && Object.hasOwn(made.content ?? {}, name);
    const value = below.reduce((whole, key) => whole?.[key], isContent ? made.content[name] : made.output?.[name]);
    if (value === undefined && !isLenient) $missing.push(text);
    return value;
  };
  const $text = (parts) => parts.map((part) => Array.isArray(part) ? part.join(', ')
    : typeof part === 'object' && part !== null ? JSON.stringify(part) : String(part ?? '')).join('');`;

class TemplateReader {
  readonly references: PlacedReference[] = [];
  readonly problems: TemplateProblem[] = [];
  readonly #names: TemplateNames;

  constructor(names: TemplateNames) {
    this.#names = names;
  }

  /** A condition is one expression, with or without the braces around it. */
  condition(text: string | null, path: SourcePath): string {
    if (text === null) return 'true';
    const bare = /^\s*\$\{([^]*)\}\s*$/.exec(text)?.[1];
    if (bare === undefined) return this.#keep(readCode(text, this.#names), text, path);
    return this.#keep(readWhole(text.trim(), this.#names), text, path);
  }

  /** Any value of the file: templates may stand anywhere inside it. */
  value(given: Json, path: SourcePath): string {
    if (typeof given === 'string') return this.#keep(readTemplate(given, this.#names), given, path);
    if (Array.isArray(given)) {
      return `[${(given as readonly Json[]).map((one, index) => this.value(one, [...path, index])).join(', ')}]`;
    }
    if (!isJsonObject(given)) return JSON.stringify(given);
    const entries = Object.entries(given).map(
      ([key, one]) => `${JSON.stringify(key)}: ${this.value(one, [...path, key])}`,
    );
    return `{ ${entries.join(', ')} }`;
  }

  #keep(read: Parsed<Template>, text: string, path: SourcePath): string {
    if (!read.ok) {
      this.problems.push({ path, text, message: read.message, offset: read.offset });
      return 'null';
    }
    this.references.push(...read.value.references.map((reference) => ({ ...reference, path })));
    return read.value.source;
  }
}
