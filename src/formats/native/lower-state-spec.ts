import type {
  MergeWork,
  PoolWork,
  RetryPolicy,
  State,
  Transition,
  TurnWork,
  UnitWork,
  Work,
  WorkState,
} from '../../core/model/workflow.ts';
import { unreachable } from '../../core/model/fault.ts';
import { defined } from '../../source/defined.ts';
import type { CodeReader } from './code-reader.ts';
import type {
  AskSpec,
  CallSpec,
  CommandWorkSpec,
  FixedPoolSpec,
  MergeSpec,
  PoolSpec,
  RetrySpec,
  StateSpec,
  TransitionSpec,
  TurnSpec,
  UnitWorkSpec,
  WorkSpec,
} from './workflow-spec.ts';
import { diffWork, joinOf } from '../../source/model-parts.ts';

function lowerWorkSpec(spec: WorkSpec<string, never>, path: string, reader: CodeReader): Work {
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
      return diffWork(spec);
    case 'call':
      return lowerCall(spec, path, reader);
    case 'ask':
      return lowerAsk(spec, path, reader);
    case 'wait':
      return {
        kind: 'wait',
        ms: reader.expression(typeof spec.ms === 'number' ? String(spec.ms) : spec.ms, `${path}.ms`),
      };
    default:
      return unreachable(spec);
  }
}

function lowerAsk({ question, choices = [], approves }: AskSpec<never>, path: string, reader: CodeReader): UnitWork {
  return {
    kind: 'ask',
    question: reader.expression(question, `${path}.question`),
    choices: typeof choices === 'object' ? choices : reader.expression(choices, `${path}.choices`),
    ...(approves === undefined ? {} : { approves }),
  };
}

function lowerCall(spec: CallSpec<never>, path: string, reader: CodeReader): UnitWork {
  const input = reader.given(spec.input ?? {}, `${path}.input`);
  const own = spec.workspace === undefined ? {} : { workspace: spec.workspace };
  return { kind: 'call', workflow: reader.call(spec.workflow), input, ...own };
}

function lowerTurn(spec: TurnSpec<string, never>, path: string, reader: CodeReader): TurnWork {
  const { agent, mode = 'ask', evidence } = spec;
  return {
    kind: 'turn',
    agent,
    mode,
    input: reader.optional(spec.input, `${path}.input`),
    ...reader.given({ step: spec.step }, path),
    ...(evidence === undefined ? {} : { evidence: reader.given({ ...evidence }, `${path}.evidence`) }),
    ...defined({ reply: spec.reply }),
    ...(spec.allowed === undefined ? {} : { allowed: reader.given(spec.allowed, `${path}.allowed`) }),
    ...(spec.changes === undefined ? {} : { changes: lowerChanges(spec.changes, `${path}.changes`, reader) }),
  };
}

function lowerChanges(
  changes: NonNullable<TurnSpec<string, never>['changes']>,
  path: string,
  reader: CodeReader,
): NonNullable<TurnWork['changes']> {
  if (changes === 'required') return {};
  return { ...reader.given({ when: changes.when }, path), ...defined({ unless: changes.unless }) };
}

function lowerPool(spec: PoolSpec<string, never>, path: string, reader: CodeReader): PoolWork {
  const rules = {
    kind: 'pool',
    join: joinOf(spec.join ?? 'all'),
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

function lowerCommand(spec: CommandWorkSpec<string, never>, path: string, reader: CodeReader): UnitWork {
  const { command, okExitCodes = [0], repeat, agent, network, holds } = spec;
  return {
    kind: 'command',
    command: reader.expression(command, `${path}.command`),
    okExitCodes,
    ...defined({ repeat, agent, network, holds }),
  };
}

function lowerMerge(
  { agent, unit, verify, checks, reportsOverlap }: MergeSpec<string, never>,
  path: string,
  reader: CodeReader,
): MergeWork {
  const overlap = reportsOverlap === true ? ({ reportsOverlap: true } as const) : {};
  return { kind: 'merge', agent, ...reader.given({ unit, verify, checks }, path), ...overlap };
}

const RETRY_WAITS = { baseMs: 1000, maxMs: 60_000 };

export function lowerStateSpec(name: string, spec: StateSpec<string, string, never>, reader: CodeReader): State {
  const path = `states.${name}`;
  if (spec.kind === 'end') {
    const output = reader.optional(spec.output, `${path}.output`);
    const failure = reader.optional(spec.failure, `${path}.failure`);
    return { kind: 'end', name, outcome: spec.outcome ?? 'ok', output, ...(failure === null ? {} : { failure }) };
  }
  return {
    kind: 'work',
    name,
    enter: reader.script(spec.enter, `${path}.enter`),
    work: lowerWorkSpec(spec.work ?? { kind: 'none' }, `${path}.work`, reader),
    transitions: lowerTransitions(spec.transitions, `${path}.transitions`, reader),
    on: lowerHandlers(spec.on ?? {}, `${path}.on`, reader),
    timeoutMs: spec.timeoutMs ?? null,
    retry: lowerRetry(spec.retry),
  };
}

type Transitions = readonly TransitionSpec<string, never>[];

function lowerTransitions(specs: Transitions, path: string, reader: CodeReader): readonly Transition[] {
  return specs.map((spec, index) => {
    if (typeof spec === 'string') return { target: spec, when: null, assign: null };
    return {
      target: spec.target,
      when: reader.optional(spec.when, `${path}[${index}].when`),
      assign: reader.script(spec.assign, `${path}[${index}].assign`),
      ...(spec.label === undefined ? {} : { label: spec.label }),
    };
  });
}

function lowerHandlers(
  handlers: Readonly<Partial<Record<string, Transitions>>>,
  path: string,
  reader: CodeReader,
): WorkState['on'] {
  const lowered = Object.entries(handlers).flatMap(([outcome, specs]) =>
    specs === undefined ? [] : [[outcome, lowerTransitions(specs, `${path}.${outcome}`, reader)] as const],
  );
  return Object.fromEntries(lowered);
}

function lowerRetry(spec: RetrySpec | undefined): RetryPolicy | null {
  return spec === undefined ? null : { ...RETRY_WAITS, ...spec };
}
