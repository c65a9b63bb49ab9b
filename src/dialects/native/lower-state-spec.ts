import type { RetryPolicy, State, Transition, WorkState } from '../../core/workflow.ts';
import type { CodeReader } from './code-reader.ts';
import { lowerWorkSpec } from './lower-work-spec.ts';
import type { RetrySpec, StateSpec, TransitionSpec } from './workflow-spec.ts';

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
