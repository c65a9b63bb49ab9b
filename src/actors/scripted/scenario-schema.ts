import * as z from 'zod/mini';
import { freeText, wholeNumber } from '../../dialects/source/schema-parts.ts';
import type { Condition, Rule, Scenario } from './rule.ts';
import { replySchema, stepsSchema } from './reply-schema.ts';

/** Messages are the ends of sentences, put behind the name of the key. */
const names = listOf(freeText, 'must be a name or a list of names');
const counts = listOf(wholeNumber, 'must be a whole number above 0, or a list of such');

/** One value or several; a list either way. */
function listOf<T>(one: z.ZodMiniType<T>, error: string): z.ZodMiniType<T[]> {
  const several = z.array(one).check(z.minLength(1));
  return z.pipe(
    z.union([one, several], { error }),
    z.transform((value): T[] => (Array.isArray(value) ? value : [value])),
  );
}

/** `/…/flags` is a regular expression, anything else is looked for as it stands. */
const contains = z.pipe(
  freeText,
  z.transform((text: string, context): string | RegExp => {
    const match = /^\/(.+)\/([a-z]*)$/s.exec(text);
    if (match === null) return text;
    try {
      // Without `g` and `y`, which would make the answer depend on the one before.
      return new RegExp(match[1] ?? '', (match[2] ?? '').replace(/[gy]/g, ''));
    } catch (error) {
      const why = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : String(error);
      context.issues.push({ code: 'custom', message: `is no regular expression (${why})`, input: text });
      return z.NEVER;
    }
  }),
);

const conditionSchema = z.pipe(
  z.strictObject({
    role: z.optional(names),
    agent: z.optional(names),
    state: z.optional(names),
    model: z.optional(names),
    visit: z.optional(counts),
    call: z.optional(counts),
    turn: z.optional(counts),
    attempt: z.optional(counts),
    contains: z.optional(contains),
  }),
  z.transform(({ turn, ...rest }): Condition => defined({ ...rest, call: rest.call ?? turn })),
);

const ruleSchema = z.pipe(
  z.strictObject({
    when: z._default(conditionSchema, {}),
    reply: z.optional(replySchema),
    steps: z.optional(stepsSchema),
    times: z.optional(wholeNumber),
  }),
  z.transform((rule, context): Rule => {
    const { when, reply, steps, times = null } = rule;
    if (reply !== undefined && steps === undefined) return { when, answer: { kind: 'reply', reply }, times };
    if (steps !== undefined && reply === undefined) return { when, answer: { kind: 'steps', steps }, times };
    context.issues.push({ code: 'custom', message: 'must have either "reply" or "steps"', input: rule });
    return z.NEVER;
  }),
);

export const rulesSchema: z.ZodMiniType<Rule[]> = z.array(ruleSchema, { error: 'must be a list of rules' });

export const scenarioSchema: z.ZodMiniType<Scenario> = z.pipe(
  z.strictObject({ rules: rulesSchema, window: z.optional(wholeNumber) }),
  z.transform((scenario): Scenario => defined(scenario)),
);

/** Without the keys that are undefined. */
function defined<T extends object>(value: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };
}
