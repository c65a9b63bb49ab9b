import { isJsonObject, type Json } from '../../model/json.ts';
import { shortJson } from '../../model/short-json.ts';

/**
 * Fields that a structured reply needs with certain values of others, such as issues with NEEDS_REVISION. Providers accept
 * no schema that states this, so it is checked when the reply arrives (A4).
 */
export interface ReplyNeed {
  readonly when: Readonly<Record<string, string | number | boolean>>;
  readonly fields: readonly string[];
}

/** The missing fields of a reply, as text for its author; null if it is complete. */
export function needsProblem(needs: readonly ReplyNeed[] = [], given: Json): string | null {
  if (!isJsonObject(given)) return null;
  const missing = needs
    .filter(({ when }) => Object.entries(when).every(([name, value]) => given[name] === value))
    .flatMap(({ when, fields }) =>
      fields.filter((field) => isEmpty(given[field])).map((field) => `\`${field}\` must not be empty ${beside(when)}.`),
    );
  return missing.length === 0 ? null : missing.join(' ');
}

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

const beside = (when: ReplyNeed['when']): string =>
  `when ${Object.entries(when)
    .map(([name, value]) => `\`${name}\` is ${String(value)}`)
    .join(' and ')}`;

/** The arguments whose value is not allowed here, a line for each; null if all are. */
export function allowedProblem(allowed: Readonly<Record<string, readonly string[]>> = {}, given: Json): string | null {
  const fields = isJsonObject(given) ? given : {};
  const wrong = Object.entries(allowed).flatMap(([name, values]) => {
    const value = fields[name];
    if (value === undefined || values.some((one) => one === value)) return [];
    return [`- \`${name}\` is ${shortJson(value)}. It must be one of: ${values.join(', ')}.`];
  });
  return wrong.length === 0 ? null : wrong.join('\n');
}
