import { unreachable } from '../../core/fault.ts';
import type { Join, MergeWork, PoolWork, UnitWork, Work } from '../../core/workflow.ts';
import type { CodeReader } from './code-reader.ts';
import type { CommandSpec, FixedPoolSpec, MergeSpec, PoolSpec, UnitWorkSpec, WorkSpec } from './workflow-spec.ts';

export function lowerWorkSpec(spec: WorkSpec<string>, path: string, reader: CodeReader): Work {
  switch (spec.kind) {
    case 'none':
      return { kind: 'none' };
    case 'merge':
      return lowerMerge(spec, path, reader);
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
      const own = spec.workspace === undefined ? {} : { workspace: spec.workspace };
      return { kind: 'call', workflow: reader.call(spec.workflow), input: Object.fromEntries(input), ...own };
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

function lowerCommand(spec: CommandSpec<string>, path: string, reader: CodeReader): UnitWork {
  const { command, okExitCodes = [0], repeat, agent, network, holds } = spec;
  return {
    kind: 'command',
    command: reader.expression(command, `${path}.command`),
    okExitCodes,
    ...(repeat === undefined ? {} : { repeat }),
    ...(agent === undefined ? {} : { agent }),
    ...(network === undefined ? {} : { network }),
    ...(holds === undefined ? {} : { holds }),
  };
}

function lowerMerge({ agent, verify }: MergeSpec<string>, path: string, reader: CodeReader): MergeWork {
  const command = reader.optional(verify, `${path}.verify`);
  return { kind: 'merge', agent, ...(command === null ? {} : { verify: command }) };
}
