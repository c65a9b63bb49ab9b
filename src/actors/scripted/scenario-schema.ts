import { z } from 'zod';
import type { Condition, Rule, Scenario } from './rule.ts';
import { replySchema } from './reply-schema.ts';

const names = z.union([z.string(), z.array(z.string()).min(1)]).transform((value) => [value].flat());
const counts = z.union([z.int().min(1), z.array(z.int().min(1)).min(1)]).transform((value) => [value].flat());

/** `/…/flags` is a regular expression, anything else is looked for as it stands. */
const contains = z.string().transform((text, context): string | RegExp => {
  const match = /^\/(.+)\/([a-z]*)$/s.exec(text);
  if (match === null) return text;
  try {
    // Without `g` and `y`, which would make the answer depend on the one before.
    return new RegExp(match[1] ?? '', (match[2] ?? '').replace(/[gy]/g, ''));
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
    return z.NEVER;
  }
});

const conditionSchema = z
  .strictObject({
    role: names.optional(),
    agent: names.optional(),
    state: names.optional(),
    model: names.optional(),
    visit: counts.optional(),
    call: counts.optional(),
    turn: counts.optional(),
    attempt: counts.optional(),
    contains: contains.optional(),
  })
  .transform(({ turn, ...rest }): Condition => {
    const call = rest.call ?? turn;
    return defined({ ...rest, call });
  });

const ruleSchema = z
  .strictObject({
    when: conditionSchema.default({}),
    reply: replySchema.optional(),
    steps: z.array(replySchema).min(1).optional(),
    times: z.int().min(1).optional(),
  })
  .transform((rule, context): Rule => {
    const { when, reply, steps, times = null } = rule;
    if (reply !== undefined && steps === undefined) return { when, answer: { kind: 'reply', reply }, times };
    if (steps !== undefined && reply === undefined) return { when, answer: { kind: 'steps', steps }, times };
    context.addIssue({ code: 'custom', message: 'A rule has either "reply" or "steps".' });
    return z.NEVER;
  });

export const rulesSchema: z.ZodType<Rule[]> = z.array(ruleSchema);

export const scenarioSchema: z.ZodType<Scenario> = z.strictObject({ rules: rulesSchema });

/** Without the keys that are undefined. */
function defined<T extends object>(value: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };
}
