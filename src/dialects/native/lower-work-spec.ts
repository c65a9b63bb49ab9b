import { unreachable } from '../../core/fault.ts';
import type { Join, MergeWork, PoolWork, TurnWork, UnitWork, Work } from '../../core/workflow.ts';
import type { CodeReader, CodeText } from './code-reader.ts';
import type {
  CallSpec,
  CommandWorkSpec,
  DiffSpec,
  FixedPoolSpec,
  MergeSpec,
  PoolSpec,
  TurnSpec,
  UnitWorkSpec,
  WorkSpec,
} from './workflow-spec.ts';

export function lowerWorkSpec(spec: WorkSpec<string, never>, path: string, reader: CodeReader): Work {
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

function lowerUnitWork(spec: UnitWorkSpec<string, never>, path: string, reader: CodeReader): UnitWork {
  switch (spec.kind) {
    case 'turn':
      return lowerTurn(spec, path, reader);
    case 'command':
      return lowerCommand(spec, path, reader);
    case 'diff':
      return lowerDiff(spec);
    case 'call':
      return lowerCall(spec, path, reader);
    case 'ask': {
      const question = reader.expression(spec.question, `${path}.question`);
      const { choices = [], approves } = spec;
      return { kind: 'ask', question, choices, ...(approves === undefined ? {} : { approves }) };
    }
    case 'wait':
      return {
        kind: 'wait',
        ms: reader.expression(typeof spec.ms === 'number' ? String(spec.ms) : spec.ms, `${path}.ms`),
      };
    default:
      return unreachable(spec);
  }
}

/** The engine does it itself; the command is only its name. */
function lowerDiff({ agent, tests }: DiffSpec<string>): UnitWork {
  const command = { kind: 'literal', value: 'diff' } as const;
  const builtin = tests === true ? 'diff and tests' : 'diff';
  return { kind: 'command', command, okExitCodes: [0], builtin, ...(agent === undefined ? {} : { agent }) };
}

function lowerCall(spec: CallSpec<never>, path: string, reader: CodeReader): UnitWork {
  const input = lowerRecord(spec.input ?? {}, `${path}.input`, reader);
  const own = spec.workspace === undefined ? {} : { workspace: spec.workspace };
  return { kind: 'call', workflow: reader.call(spec.workflow), input, ...own };
}

const lowerRecord = (given: Readonly<Record<string, CodeText>>, path: string, reader: CodeReader) =>
  Object.fromEntries(
    Object.entries(given).map(([name, code]) => [name, reader.expression(code, `${path}.${name}`)] as const),
  );

function lowerTurn(spec: TurnSpec<string, never>, path: string, reader: CodeReader): TurnWork {
  const { agent, mode = 'ask', evidence } = spec;
  const step = reader.optional(spec.step, `${path}.step`);
  const files = reader.optional(evidence?.files, `${path}.evidence.files`);
  const commands = reader.optional(evidence?.commands, `${path}.evidence.commands`);
  const seen = { ...(files === null ? {} : { files }), ...(commands === null ? {} : { commands }) };
  return {
    kind: 'turn',
    agent,
    mode,
    input: reader.optional(spec.input, `${path}.input`),
    ...(step === null ? {} : { step }),
    ...(evidence === undefined ? {} : { evidence: seen }),
    ...lowerReply(spec, path, reader),
    ...(spec.changes === undefined ? {} : { changes: lowerChanges(spec.changes, `${path}.changes`, reader) }),
  };
}

function lowerReply(
  { reply, allowed }: TurnSpec<string, never>,
  path: string,
  reader: CodeReader,
): Pick<TurnWork, 'reply' | 'allowed'> {
  return {
    ...(reply === undefined ? {} : { reply }),
    ...(allowed === undefined ? {} : { allowed: lowerRecord(allowed, `${path}.allowed`, reader) }),
  };
}

function lowerChanges(
  changes: NonNullable<TurnSpec<string, never>['changes']>,
  path: string,
  reader: CodeReader,
): NonNullable<TurnWork['changes']> {
  if (changes === 'required') return {};
  const when = reader.optional(changes.when, `${path}.when`);
  return { ...(when === null ? {} : { when }), ...(changes.unless === undefined ? {} : { unless: changes.unless }) };
}

function lowerPool(spec: PoolSpec<string, never>, path: string, reader: CodeReader): PoolWork {
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

function lowerFixed(
  spec: FixedPoolSpec<string, never>,
  path: string,
  reader: CodeReader,
): Pick<PoolWork, 'units' | 'slots'> {
  const list = Object.entries(spec.units).map(([id, unit]) => ({
    id,
    after: unit.after ?? [],
    work: lowerUnitWork(unit.work, `${path}.units.${id}.work`, reader),
  }));
  return { units: { kind: 'fixed', list }, slots: spec.slots ?? Math.max(list.length, 1) };
}

function lowerJoin(join: NonNullable<PoolSpec<string, never>['join']>): Join {
  return typeof join === 'string' ? { rule: join } : { rule: 'quorum', count: join.quorum };
}

function lowerCommand(spec: CommandWorkSpec<string, never>, path: string, reader: CodeReader): UnitWork {
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

function lowerMerge(
  { agent, unit, verify, checks }: MergeSpec<string, never>,
  path: string,
  reader: CodeReader,
): MergeWork {
  const id = reader.optional(unit, `${path}.unit`);
  const command = reader.optional(verify, `${path}.verify`);
  const own = reader.optional(checks, `${path}.checks`);
  return {
    kind: 'merge',
    agent,
    ...(id === null ? {} : { unit: id }),
    ...(command === null ? {} : { verify: command }),
    ...(own === null ? {} : { checks: own }),
  };
}
