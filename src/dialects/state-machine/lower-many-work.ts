import type { Expression } from '../../core/expression.ts';
import type { AskWork, Join, PoolWork } from '../../core/workflow.ts';
import type { SourcePath } from '../source/source-path.ts';
import { lowerCode, lowerGrow } from './lower-code.ts';
import type { LoweringScope } from './lower-workflow.ts';
import type { AskDocument, PoolDocument } from './action-schema.ts';

/** Work that others do: a person, or many runs at once. */

/** An expression that cannot be read has been told, and the workflow is not given out. */
const UNREADABLE: Expression = { kind: 'undefined' };

export function lowerAsk(
  { question, choices = [], approves }: AskDocument,
  path: SourcePath,
  scope: LoweringScope,
): AskWork {
  return {
    kind: 'ask',
    question: lowerCode(question, [...path, 'question'], scope) ?? UNREADABLE,
    choices,
    ...(approves === undefined ? {} : { approves }),
  };
}

const DEFAULT_SLOTS = 3;

export function lowerPool(document: PoolDocument, path: SourcePath, scope: LoweringScope): PoolWork {
  const { items, workflow, workspace, grow, slots = DEFAULT_SLOTS, join = 'all' } = document;
  const own = workspace === undefined ? {} : { workspace };
  return {
    kind: 'pool',
    units: {
      kind: 'items',
      items: lowerCode(items, [...path, 'items'], scope) ?? UNREADABLE,
      work: { kind: 'call', workflow, input: lowerInputs(document.input, [...path, 'input'], scope), ...own },
    },
    slots,
    join: lowerJoin(join),
    grow: grow === undefined ? null : lowerGrow(grow, [...path, 'grow'], scope),
  };
}

function lowerJoin(join: NonNullable<PoolDocument['join']>): Join {
  return typeof join === 'string' ? { rule: join } : { rule: 'quorum', count: join.quorum };
}

/** For each input of a workflow that is called the expression that gives it. */
export function lowerInputs(
  given: Readonly<Record<string, string>> | undefined,
  path: SourcePath,
  scope: LoweringScope,
): Readonly<Record<string, Expression>> {
  const inputs = Object.entries(given ?? {}).flatMap(([name, text]) => {
    const expression = lowerCode(text, [...path, name], scope);
    return expression === null ? [] : [[name, expression] as const];
  });
  return Object.fromEntries(inputs);
}
