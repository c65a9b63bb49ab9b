import { describe, expect, test } from 'vitest';
import { taskId } from '../../../core/model/ids.ts';
import { researchWorkflow } from '../stages.ts';
import type { HeardUnit, StageStepInput, StageStep } from './stage-step.ts';
import { takeStep, type StepMoment, type TakenStep } from './take-step.ts';

const input = (more: Partial<StageStepInput> = {}): StageStepInput => ({
  module: null,
  fallback: {},
  goal: 'Is it so?',
  step: null,
  heard: [],
  ...more,
});

const at = (task: string, workedMs = 0): StepMoment => ({
  run: 'r1',
  task: taskId(task),
  now: 1_700_000_000_000,
  workedMs,
});

const FOUND: HeardUnit = {
  outcome: 'ok',
  reason: null,
  output: {
    text: '',
    call: {
      name: 'submit_findings',
      arguments: { findings: [{ claim: 'so', confidence: 'low', sources: [] }], summary: 'so' },
    },
  },
};

type Taken = StageStep & { readonly go: string };

function takenOf({ answer: { output, kept } }: TakenStep): Taken {
  return { ...(kept as unknown as StageStep), ...(output as { readonly go: string }) };
}

const step = (given: StageStepInput, moment: StepMoment): Taken => takenOf(takeStep(researchWorkflow, given, moment));

const FIRST = step(input(), at('t1'));

describe('[ST2] one visit of route', () => {
  test('[L9] gives the same answer for the same input', () => {
    expect(step(input(), at('t1'))).toEqual(FIRST);
    expect(FIRST).toMatchObject({
      go: 'initial_research',
      leftMs: 20 * 60_000,
      items: [{ stage: 'initial_research', role: 'researcher', iteration: 1 }],
    });
    expect(FIRST.items[0]?.say).toContain('Is it so?');
  });

  test('leads to the stage that was decided, with ids of the run and the task', () => {
    const taken = takeStep(researchWorkflow, input({ step: FIRST, heard: [FOUND] }), at('t3', 1000));
    expect(takenOf(taken)).toMatchObject({ go: 'verification', leftMs: 20 * 60_000 - 1000 });
    expect(taken.answer.facts).toMatchObject([
      {
        kind: 'bus.sent',
        task: 't3',
        message: {
          id: 'msg-r1-t3-1',
          sender: 'researcher',
          receiver: 'reviewer',
          correlationId: 'r1/initial_research#1',
        },
      },
    ]);
  });

  test('a repeated message changes nothing and is reported', () => {
    const second = step(input({ step: FIRST, heard: [FOUND] }), at('t3'));
    const again = takeStep(
      researchWorkflow,
      input({ step: { ...second, items: FIRST.items }, heard: [FOUND] }),
      at('t3'),
    );
    expect(again.noted).toMatchObject([{ code: 'MESSAGE_DUPLICATE' }]);
    expect(takenOf(again).state).toEqual(second.state);
    expect(again.answer.facts).toMatchObject([{ message: { type: 'error', receiver: 'person' } }]);
  });

  test('[ST3] a timeout is that of the stage while there is time, and of the whole when there is none', () => {
    const late: HeardUnit = { outcome: 'timeout', reason: 'it took too long', output: { code: 'TIMEOUT' } };
    const retried = takeStep(researchWorkflow, input({ step: FIRST, heard: [late] }), at('t3', 5000));
    expect(retried.noted).toMatchObject([{ code: 'TIMEOUT', stage: 'initial_research', recoverable: true }]);
    expect(retried.answer.output).toMatchObject({ go: 'initial_research' });
    const over = step(input({ step: FIRST, heard: [late] }), at('t3', 20 * 60_000));
    expect(over).toMatchObject({ go: 'failed', failure: { code: 'TIMEOUT' } });
  });

  test('[ST3] what was answered when the time was over still counts', () => {
    const over = step(input({ step: FIRST, heard: [FOUND] }), at('t3', 20 * 60_000));
    expect(over).toMatchObject({
      go: 'partial',
      failure: { code: 'TIMEOUT' },
      result: { findings: [{ claim: 'so' }] },
    });
  });

  test('[ST3] a reply that its schema refused is INVALID_OUTPUT, another failure AGENT_ERROR', () => {
    const codeOf = (output: HeardUnit['output']): unknown =>
      takeStep(researchWorkflow, input({ step: FIRST, heard: [{ outcome: 'failed', reason: 'no', output }] }), at('t3'))
        .noted[0]?.code;
    expect(codeOf({ code: 'INVALID_REPLY', class: 'bad-reply' })).toBe('INVALID_OUTPUT');
    expect(codeOf({ code: 'OUTPUT_MISSING', class: 'logic' })).toBe('INVALID_OUTPUT');
    expect(codeOf({ code: 'HTTP_400', class: 'bad-request' })).toBe('AGENT_ERROR');
    expect(codeOf(null)).toBe('AGENT_ERROR');
  });

  test('[ST5] whom a role falls back to plays the stage next', () => {
    const lost: HeardUnit = { outcome: 'failed', reason: 'no', output: null };
    const fallback = { researcher: ['reviewer'] };
    const once = step(input({ fallback, step: FIRST, heard: [lost] }), at('t3'));
    const twice = step(input({ fallback, step: once, heard: [lost] }), at('t5'));
    expect([once.go, twice.go]).toEqual(['initial_research', 'initial_research@reviewer']);
  });

  test('[L4] a stage that ran beside others and failed is tried again with the files it began with', () => {
    const heard: HeardUnit[] = [
      { id: 'initial_research', outcome: 'failed', reason: 'no', output: { since: { initial_research: 'tree1' } } },
    ];
    expect(step(input({ step: FIRST, heard }), at('t3')).since).toEqual({ initial_research: 'tree1' });
    const kept = { ...FIRST, since: { initial_research: 'tree1' } };
    const found = { ...FOUND, id: 'initial_research' };
    expect(step(input({ step: kept, heard: [found] }), at('t3')).since).toEqual({ initial_research: null });
  });
});
