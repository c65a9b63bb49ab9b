import type { Expression } from '../../core/expression.ts';
import { isData } from '../../core/native-surface.ts';

/** Questions about which objects an expression's value may share with the run's data. */

/** Whether the value may be, or hold, an object that is also reachable elsewhere. */
export function canShare(value: Expression): boolean {
  switch (value.kind) {
    case 'literal':
    case 'undefined':
    case 'unary':
    case 'binary':
    case 'template':
      return false;
    case 'call':
      return !TEXT_METHODS.has(value.method);
    case 'array':
      return value.items.some(canShare);
    case 'object':
      return value.entries.some(([, entry]) => canShare(entry));
    case 'chain':
      return canShare(value.body);
    default:
      return true;
  }
}

const TEXT_METHODS: ReadonlySet<string> = new Set([
  'getLastResponse',
  'getRole',
  'getContextRole',
  'join',
  'trim',
  'toLowerCase',
  'toUpperCase',
  'includes',
  'indexOf',
]);

/** Whether the run's data is read anywhere within. */
export function mentionsData(value: Expression): boolean {
  return isData(value) || parts(value).some(mentionsData);
}

/** Whether the value may be, or hold, the run's data as a whole. In doubt it may. */
export function yieldsData(value: Expression): boolean {
  if (isData(value)) return true;
  if (value.kind === 'member')
    return value.property === 'variables' || (!isData(value.object) && yieldsData(value.object));
  if (value.kind === 'index' || value.kind === 'call') return yieldsData(value.object);
  return HOLDERS.has(value.kind) && parts(value).some(yieldsData);
}

/** Kinds whose value is, or holds, the value of a part. */
const HOLDERS: ReadonlySet<Expression['kind']> = new Set(['logical', 'conditional', 'array', 'object', 'chain']);

function parts(value: Expression): readonly Expression[] {
  const fields: readonly unknown[] = Object.values(value);
  return fields
    .flat(2)
    .filter((part): part is Expression => typeof part === 'object' && part !== null && 'kind' in part);
}
