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

/** Whether the value may be, or hold, the run's data as a whole. */
export function yieldsData(value: Expression): boolean {
  if (isData(value)) return true;
  switch (value.kind) {
    case 'logical':
    case 'conditional':
    case 'array':
    case 'object':
    case 'chain':
      return parts(value).some(yieldsData);
    default:
      return false;
  }
}

function parts(value: Expression): readonly Expression[] {
  const fields: readonly unknown[] = Object.values(value);
  return fields
    .flat(2)
    .filter((part): part is Expression => typeof part === 'object' && part !== null && 'kind' in part);
}
