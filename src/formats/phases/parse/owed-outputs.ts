import type { ArtifactType, OwedOutput } from '../../../core/record/artifact-fact.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../core/model/json.ts';

/** An output as it was declared, its path still a template. */
export interface DeclaredOutput {
  readonly name: string;
  readonly form: OwedOutput['form'];
  /** Null where whatever changes is the output; there a path is one that must be among it. */
  readonly path: string | null;
  readonly type: ArtifactType;
}

export interface PhaseOutput {
  readonly owed: readonly DeclaredOutput[];
  /** Written instead of a path: the tasks of a plan, the fields of a report, an explanation. */
  readonly known: JsonObject;
}

/** The outputs of a phase (PH1, PH4). */
export function declaredOutputs(output: JsonObject, phase: string): PhaseOutput {
  const owed: DeclaredOutput[] = [];
  const known: Record<string, Json> = {};
  for (const [name, value] of Object.entries(output)) {
    const found = declared(name, value, phase);
    owed.push(...found);
    if (found.length === 0 || isJsonObject(value)) known[name] = value;
  }
  return { owed, known };
}

function declared(name: string, value: Json, phase: string): readonly DeclaredOutput[] {
  if (Array.isArray(value)) return declaredList(name, value as readonly Json[]);
  // The written fields of a report: it is still a file, with these as its content.
  if (isJsonObject(value)) {
    return [{ name, form: 'file', path: `outputs/${phase}_${name}.json`, type: typeOf(name, '.json') }];
  }
  if (typeof value !== 'string' || !isPath(value)) return [];
  return [{ name, form: isPattern(value) ? 'files' : 'file', path: value, type: typeOf(name, value) }];
}

function declaredList(name: string, list: readonly Json[]): readonly DeclaredOutput[] {
  if (list.length === 0) return [{ name, form: 'changed', path: null, type: 'code' }];
  return list.flatMap((one) => {
    if (typeof one !== 'string') return [];
    const path = one.replace(/ \((?:created|modified|changed)\)$/, '');
    return [{ name, form: 'files' as const, path, type: typeOf(name, path) }];
  });
}

/** Sentences are no paths. */
const isPath = (text: string): boolean => text.includes('${') || (!/\s/.test(text) && /[./]/.test(text));

const isPattern = (text: string): boolean => /[*?[\]]/.test(text.replaceAll(/\$\{[^}]*\}/g, ''));

function typeOf(name: string, path: string): ArtifactType {
  const isJson = /\.json$/i.test(path);
  if (/plan/i.test(name) || (/^tasks?$/i.test(name) && isJson)) return 'plan';
  if (/report|walkthrough|review|finding|summary/i.test(name)) return 'report';
  if (isJson || /\.(?:ya?ml|csv|toml|xml)$/i.test(path)) return 'data';
  return /\.(?:md|txt)$/i.test(path) ? 'report' : 'code';
}
