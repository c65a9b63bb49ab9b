import { unreachable } from '../../core/fault.ts';
import type { Join, PoolWork, UnitWork, Work } from '../../core/workflow.ts';
import type { CodeReader } from './code-reader.ts';
import type { FixedPoolSpec, PoolSpec, UnitWorkSpec, WorkSpec } from './workflow-spec.ts';

export function lowerWorkSpec(spec: WorkSpec<string>, path: string, reader: CodeReader): Work {
  switch (spec.kind) {
    case 'none':
      return { kind: 'none' };
    case 'merge':
      return { kind: 'merge', agent: spec.agent };
    case 'pool':
      return lowerPool(spec, path, reader);
    default:
      return lowerUnitWork(spec, path, reader);
  }
}

function lowerUnitWork(spec: UnitWorkSpec<string>, path: string, reader: CodeReader): UnitWork {
  switch (spec.kind) {
    case 'turn': {
      const input = reader.optional(spec.input, `${path}.input`);
      return { kind: 'turn', agent: spec.agent, mode: spec.mode ?? 'ask', input };
    }
    case 'command':
      return lowerCommand(spec, path, reader);
    case 'call': {
      const input = Object.entries(spec.input ?? {}).map(
        ([name, text]) => [name, reader.expression(text, `${path}.input.${name}`)] as const,
      );
      return { kind: 'call', workflow: reader.call(spec.workflow), input: Object.fromEntries(input) };
    }
    case 'ask': {
      const question = reader.expression(spec.question, `${path}.question`);
      return { kind: 'ask', question, choices: spec.choices ?? [] };
    }
    case 'wait':
      return { kind: 'wait', ms: reader.expression(String(spec.ms), `${path}.ms`) };
    default:
      return unreachable(spec);
  }
}

function lowerPool(spec: PoolSpec<string>, path: string, reader: CodeReader): PoolWork {
  const rules = {
    kind: 'pool',
    join: lowerJoin(spec.join ?? 'all'),
    grow: reader.optional(spec.grow, `${path}.grow`),
  } as const;
  if ('units' in spec) return { ...rules, ...lowerFixed(spec, path, reader) };
  return {
    ...rules,
    units: {
      kind: 'items',
      items: reader.expression(spec.items, `${path}.items`),
      work: lowerUnitWork(spec.work, `${path}.work`, reader),
    },
    slots: spec.slots,
  };
}

function lowerFixed(spec: FixedPoolSpec<string>, path: string, reader: CodeReader): Pick<PoolWork, 'units' | 'slots'> {
  const list = Object.entries(spec.units).map(([id, unit]) => ({
    id,
    after: unit.after ?? [],
    work: lowerUnitWork(unit.work, `${path}.units.${id}.work`, reader),
  }));
  return { units: { kind: 'fixed', list }, slots: spec.slots ?? Math.max(list.length, 1) };
}

function lowerJoin(join: NonNullable<PoolSpec<string>['join']>): Join {
  return typeof join === 'string' ? { rule: join } : { rule: 'quorum', count: join.quorum };
}

function lowerCommand(
  { command, okExitCodes = [0], repeat }: Extract<UnitWorkSpec<string>, { kind: 'command' }>,
  path: string,
  reader: CodeReader,
): UnitWork {
  const line = reader.expression(command, `${path}.command`);
  return { kind: 'command', command: line, okExitCodes, ...(repeat === undefined ? {} : { repeat }) };
}
