import * as fc from 'fast-check';
import type { JsonObject } from '../../../core/model/json.ts';

/** One random expression, written for Troupe and for plain JavaScript; they differ only in the `function.NAME` shorthand. */
export interface TwinSource {
  readonly ours: string;
  /** Uses `$function`, an object of the newest parsing calls by name. */
  readonly plain: string;
}

const KEYS = ['a', 'b', 'list', 'text', 'length', 'missing', 'variables'] as const;

const leaf = fc.oneof(
  fc.constantFrom(
    'true',
    'false',
    'null',
    'undefined',
    'NaN',
    'Infinity',
    '0',
    '1',
    '-1',
    '2.5',
    '1e21',
    '"1"',
    '"text"',
    "''",
  ),
  fc.constantFrom(
    'common_data',
    'variables',
    'this.common_data',
    'item',
    'typeof item',
    'index',
    'sub_workflow_result',
  ),
  fc.constantFrom(
    'last_agent_response',
    'this.last_tool_calls',
    'last_parsing_tool_calls',
    'contexts.code_history.messages',
  ),
  fc.constantFrom(
    "this.getAgent('coder').getLastResponse()",
    "agents.get('missing')",
    'agents.reviewer.getRole()',
    "this.getToolCalls('reviewer').length",
    "contexts.get('code_history').messages[1].content",
    "getAgent('missing')",
    "agents['coder'].getContextRole()",
    'quote(common_data.text)',
    'this.quote(common_data.list)',
    'quote("it\'s")',
  ),
);

const shorthand: fc.Arbitrary<TwinSource> = fc
  .tuple(
    fc.constantFrom('review_work', 'review_work', 'unknown_tool'),
    fc.constantFrom(['arguments'], ['arguments'], ['name'], ['missing'], []),
    fc.array(fc.constantFrom('score', 'files', 'nested', 'level', 'length'), { maxLength: 3 }),
  )
  .map(([tool, first, rest]) => ({
    ours: [`function.${tool}`, ...first, ...rest].join('.'),
    plain: [`$function.${tool}`, ...first, ...rest].join('?.'),
  }));

const twin = (source: string): TwinSource => ({ ours: source, plain: source });

/** Builds the same text around the same parts, once for each reading. */
function around(parts: readonly TwinSource[], build: (parts: readonly string[]) => string): TwinSource {
  return { ours: build(parts.map((part) => part.ours)), plain: build(parts.map((part) => part.plain)) };
}

const BINARY = [
  '===',
  '!==',
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  '+',
  '-',
  '*',
  '/',
  '%',
  '**',
  '&&',
  '||',
  '??',
] as const;
const METHODS = [
  'includes',
  'startsWith',
  'endsWith',
  'indexOf',
  'slice',
  'at',
  'join',
  'trim',
  'toLowerCase',
  'toUpperCase',
] as const;

export const randomExpression: fc.Arbitrary<TwinSource> = fc.letrec<{ expression: TwinSource }>((tie) => {
  const inner = tie('expression');
  const pair = fc.tuple(inner, inner);
  const dot = fc.constantFrom('.', '?.');
  return {
    expression: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf.map(twin),
      shorthand,
      fc
        .tuple(fc.constantFrom(...BINARY), pair)
        .map(([sign, parts]) => around(parts, ([l, r]) => `(${l}) ${sign} (${r})`)),
      fc
        .tuple(fc.constantFrom('!', '-', '+', 'typeof '), inner)
        .map(([sign, part]) => around([part], ([p]) => `${sign}(${p})`)),
      fc
        .tuple(inner, dot, fc.constantFrom(...KEYS))
        .map(([part, link, key]) => around([part], ([p]) => `[${p}][0]${link}${key}`)),
      fc
        .tuple(fc.constantFrom(...KEYS), fc.constantFrom(...KEYS), dot)
        .map(([a, b, link]) => twin(`common_data.${a}${link}${b}`)),
      fc.tuple(inner, inner).map((parts) => around(parts, ([p, key]) => `[${p}][0]?.[${key}]`)),
      fc.tuple(inner, inner).map((parts) => around(parts, ([p, key]) => `common_data[${p}]?.[${key}].a`)),
      fc
        .tuple(inner, fc.constantFrom(...METHODS), inner)
        .map(([p, name, q]) => around([p, q], ([o, x]) => `[${o}][0].${name}(${x})`)),
      fc
        .tuple(inner, inner, inner)
        .map((parts) => around(parts, ([test, then, other]) => `(${test}) ? (${then}) : (${other})`)),
      fc.tuple(inner, inner).map((parts) => around(parts, ([p, q]) => `\`<\${${p}}|\${${q}}>\``)),
      fc.tuple(inner, inner).map((parts) => around(parts, ([p, q]) => `[${p}, ${q}]`)),
      fc.tuple(inner, inner).map((parts) => around(parts, ([p, q]) => `({ a: ${p}, 'b-c': ${q} })`)),
    ),
  };
}).expression;

const scalar = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom('', '1', 'text', 'a'),
  fc.boolean(),
  fc.constant(null),
  fc.double(),
);

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    scalar.filter((value) => typeof value !== 'number' || (Number.isFinite(value) && !Object.is(value, -0))),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

/** The data of a run, with keys that the random expressions look for. */
export const randomData = fc.dictionary(fc.constantFrom('a', 'b', 'list', 'text', 'variables'), json, {
  noNullPrototype: true,
}) as fc.Arbitrary<JsonObject>;
