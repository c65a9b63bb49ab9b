import { isJsonObject, type Json } from '../../../core/model/json.ts';
import { closestNames } from '../../../source/closest-name.ts';
import type { PhaseFacts } from '../rules/decide-phase.ts';
import type { PhaseProblem, TemplateRead } from '../rules/phase-state.ts';

/** Names the templates without a value, the keys that the files have instead, and the notation for optional values. */
export function emptyTemplates({ plan, reading, phases }: PhaseFacts): PhaseProblem {
  const known = reading.missing.map((text) => ({ text, read: plan.templates[text] }));
  const templates = known.map(
    ({ text, read }) => `\${${text}}${read === undefined ? '' : ` (${whereOf(read, phases)})`}`,
  );
  const lenient = known.find(({ read }) => read !== undefined && read.lenient !== '')?.read?.lenient;
  const how = lenient === undefined ? '' : `What may be missing is written with ?., as in \${${lenient}}. `;
  return {
    code: 'TEMPLATE_EMPTY',
    message: `Nothing has a value for ${templates.join(', ')}.`,
    hint: `${how}troupe artifacts RUN shows what the phase before wrote.`,
  };
}

const MOST_KEYS = 200;
const LONGEST_KEY = 60;
const MOST_NAMED = 8;

function whereOf({ phase, output, below, places }: TemplateRead, phases: PhaseFacts['phases']): string {
  const made = phases[phase]?.output;
  const { value, wanted } = followed(made?.content?.[output] ?? null, below);
  if (!isJsonObject(value)) return places;
  const keys = Object.keys(value).slice(0, MOST_KEYS);
  const near = closestNames(
    wanted,
    keys.map((key) => key.slice(0, LONGEST_KEY)),
    MOST_NAMED,
  );
  const path = made?.output?.[output];
  return near.length === 0 ? places : `${places}; ${typeof path === 'string' ? path : output} has ${near.join(', ')}`;
}

/** How far the keys lead, and the first one that leads nowhere. */
function followed(content: Json, below: readonly string[]): { readonly value: Json; readonly wanted: string } {
  let value = content;
  for (const key of below) {
    const next = isJsonObject(value) ? value[key] : undefined;
    if (!isJsonObject(next)) return { value, wanted: key };
    value = next;
  }
  return { value, wanted: '' };
}
