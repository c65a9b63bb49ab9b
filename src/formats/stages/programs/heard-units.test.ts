import { describe, expect, test } from 'vitest';
import type { EndedState, Snapshot } from '../../../core/fold/snapshot.ts';
import { heardUnits } from './heard-units.ts';
import type { StageItem, StageStep } from './stage-step.ts';

const ITEM: StageItem = {
  id: 'draft',
  place: 'draft',
  stage: 'draft',
  role: 'writer',
  iteration: 1,
  outputType: 'task',
  isQuestion: false,
  say: 'Write it.',
};

const stepWith = (item: Partial<StageItem> = {}): StageStep => ({
  items: [{ ...ITEM, ...item }],
  leftMs: null,
  since: {},
  state: null,
});

const call = (id: string, name: string): Snapshot['agents'][string]['parsingCalls'][number] => ({
  id,
  name,
  arguments: { body: id },
});

const after = (last: Partial<EndedState>): Pick<Snapshot, 'last' | 'agents'> => ({
  last: { state: 'draft', outcome: 'ok', output: null, failure: null, ...last },
  agents: {
    writer: { lastResponse: 'Done.', toolCalls: [], parsingCalls: [call('c1', 'submit_task'), call('c2', 'ask')] },
  },
});

describe('[ST2] what has come of a step is read from how the state before ended', () => {
  test('an answer is the last structured reply of the agent, with its text', () => {
    const output = { call: { name: 'ask', arguments: { body: 'c2' } }, text: 'Done.' };
    expect(heardUnits(after({ state: 'draft/evidence' }), stepWith())).toEqual([
      { outcome: 'ok', reason: null, output },
    ]);
  });

  test('a failure has its code and its class', () => {
    const failure = { code: 'TIMEOUT', class: 'timeout', message: 'It took too long.' } as const;
    expect(heardUnits(after({ outcome: 'timeout', failure }), stepWith())).toEqual([
      { outcome: 'timeout', reason: 'It took too long.', output: { code: 'TIMEOUT', class: 'timeout' } },
    ]);
  });

  test('the answer of a person is the output of the question', () => {
    const heard = heardUnits(after({ state: 'asking', output: 'blue' }), stepWith({ isQuestion: true }));
    expect(heard).toEqual([{ outcome: 'ok', reason: null, output: 'blue' }]);
  });

  test('stages that ran together are reported one by one, also if the pool failed', () => {
    const units = [{ id: 'draft', outcome: 'failed', output: null, reason: 'no' }];
    const heard = heardUnits(after({ state: 'together', outcome: 'failed', output: { units } }), stepWith());
    expect(heard).toEqual(units);
  });

  test('nothing is heard before the first step', () => {
    expect(heardUnits({ last: null, agents: {} }, null)).toEqual([]);
  });
});
