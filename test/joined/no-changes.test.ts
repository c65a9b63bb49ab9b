import { describe, expect, test } from 'vitest';
import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import type { Fact } from '../../src/core/record/fact.ts';
import type { JsonObject } from '../../src/core/model/json.ts';
import { NO_CHANGE_TOOL } from '../../src/core/step/turn/owed-changes.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { PatternBench, type Asked } from '../patterns/patterns-bench.ts';
import { PhasesBench } from '../phases/phases-bench.ts';
import { QuestBench, signals } from '../quest/quest-bench.ts';
import { yesMan } from '../review/manners.ts';
import { ReviewBench } from '../review/review-bench.ts';
import { reviewFile } from '../review/review-file.ts';
import { hands } from '../review/reviewer-mind.ts';
import type { FilesBench } from '../workspaces/bench.ts';

const REASON = 'It only asks a question.';
const NOTHING = 'sees no changed file';
const writes = (path = 'made.txt', content = 'made\n'): CallReply => hands('write_file', { path, content });
const declines = (): CallReply => hands(NO_CHANGE_TOOL, { reason: REASON });

/** What a worker does in its calls; the last one is repeated. */
type Acts = readonly ((call: number) => CallReply)[];

const act = (acts: Acts, call: number): CallReply => (acts[call - 1] ?? acts.at(-1) ?? (() => says('done')))(call);
const talk = (): CallReply => says('done');

interface Played {
  readonly outcome: string | null;
  /** All that the run says about itself. */
  readonly report: string;
  /** What the agents heard. */
  readonly heard: readonly string[];
}

async function allFacts({ journal }: FilesBench): Promise<readonly Fact[]> {
  const runs = await journal.runs();
  return (await Promise.all(runs.map(({ run }) => journal.read(run)))).flat().map(({ fact }) => fact);
}

const results = (facts: readonly Fact[]): readonly string[] =>
  facts.flatMap((fact) => (fact.kind === 'tool.finished' ? [fact.content] : []));

interface Family {
  readonly name: string;
  /** How the worker says that it is done. */
  readonly done: () => CallReply;
  readonly play: (acts: Acts) => Promise<Played>;
}

/** A shipped state-machine workflow: all but the worker agree with everything. */
function pattern(name: string, worker: string, input: JsonObject, done = talk): Family {
  const others = ({ role }: Asked): CallReply => {
    if (role === 'reviewer') return hands('review_work', { improvement_needed: false, work_summary: 'good' });
    if (role === 'product_manager') return hands('task_approval', { approved: true, feedback: 'good' });
    return says('said');
  };
  const play = async (acts: Acts): Promise<Played> => {
    let plans = 0;
    const bench = new PatternBench((asked) => {
      if (asked.role === worker) return act(acts, asked.call);
      // The first word of a product manager is a plan, not an approval.
      if (asked.role === 'product_manager' && ++plans === 1) return says('the plan');
      return others(asked);
    });
    const rest = await bench.start(name, input);
    const heard = [...bench.asked.map(({ prompt }) => prompt), ...results(await allFacts(bench.bench))];
    return { outcome: rest.outcome, report: JSON.stringify([rest.failure, rest.output]), heard };
  };
  return { name, done, play };
}

const PHASE = 'name: one\non_failure: keep\nphases:\n  - { id: build, agent_type: execution, output: { code: [] } }\n';

async function phase(acts: Acts): Promise<Played> {
  const bench = new PhasesBench(({ call }) => act(acts, call));
  const rest = await bench.start(PHASE);
  return {
    outcome: rest.outcome,
    report: JSON.stringify([rest.failure, rest.output]),
    heard: bench.asked.map(({ text }) => text),
  };
}

const quits = (): CallReply => signals('complete', { stepId: 'one', summary: 'done' });

async function quest(acts: Acts): Promise<Played> {
  const bench = new QuestBench(({ role, call }) => (role === 'codeweaver' ? act(acts, call) : undefined));
  bench.isStrict = true;
  const rest = await bench.start();
  const heard = results(await allFacts(bench.bench));
  return { outcome: rest.outcome, report: JSON.stringify([rest.failure, rest.output]), heard };
}

async function review(acts: Acts): Promise<Played> {
  const part = ({ call }: CallRequest): CallReply => act(acts, call);
  const bench = new ReviewBench({ impl_1: part, impl_2: part, impl_3: part, rev_1: yesMan, rev_2: yesMan });
  const rest = await bench.start(reviewFile({ verify: 'node -e 0' }));
  const heard = bench.calls
    .filter(({ agent }) => agent === 'impl_1')
    .map(({ messages }) => messages.at(-1)?.content ?? '');
  return { outcome: rest.outcome, report: JSON.stringify([rest.failure, rest.output]), heard };
}

const FAMILIES: readonly Family[] = [
  pattern('coder_reviewer', 'coder', { task_to_do: 'Greet' }),
  pattern('product_manager_coder', 'coder', { feature_request: 'Greet' }),
  pattern('hierarchical_development', 'coder', { business_requirements: 'Greet' }),
  pattern('race', 'coder', { task: 'Greet', verify: 'true', models: ['base'] }),
  pattern('map_reduce', 'mapper', { task: 'Greet', items: ['a'], verify: 'true' }),
  pattern('relay', 'improver', { task: 'Greet', models: ['base'] }, () =>
    hands('hand_over', { nothing_left: false, summary: 'done' }),
  ),
  { name: 'phases', done: talk, play: phase },
  { name: 'quest', done: quits, play: quest },
  { name: 'parallel_review', done: talk, play: review },
];

describe.each(FAMILIES)('$name', ({ done, play }) => {
  test('[A7] [L4] work that changed no file is NO_CHANGES, and the agent hears it once before', async () => {
    const { outcome, report, heard } = await play([done]);
    expect(outcome).toBe('failed');
    expect(report).toMatch(/changed no file/);
    expect(heard.filter((text) => text.includes(NOTHING)).length).toBeGreaterThan(0);
  });

  test('[A7] an agent that changes a file after it heard so is done', async () => {
    expect(await play([done, () => writes(), done])).toMatchObject({ outcome: 'ok' });
  });
});

describe.each(FAMILIES.filter(({ name }) => name === 'coder_reviewer' || name === 'quest'))(
  '$name',
  ({ done, play }) => {
    test('[A7] a file that was written and put back is no change', async () => {
      const undoes: Acts = [() => writes('readme.txt', 'other\n'), () => writes('readme.txt', 'a sample\n'), done];
      expect((await play(undoes)).outcome).toBe('failed');
    });

    test('[A7] work that needs no change is done when the agent says why', async () => {
      const { outcome, heard } = await play([declines, done]);
      expect(outcome).toBe('ok');
      expect(heard.some((text) => text.includes(NOTHING))).toBe(false);
    });
  },
);

test('[A7] an agent that hands over because nothing is left need not change a file', async () => {
  const done = (): CallReply => hands('hand_over', { nothing_left: true, summary: 'all is there' });
  const { play } = pattern('relay', 'improver', { task: 'Greet', models: ['base'] });
  expect(await play([done])).toMatchObject({ outcome: 'ok' });
});

test('[A7] a list of questions, with nothing to verify, may change no file', async () => {
  const { play } = pattern('map_reduce', 'mapper', { task: 'What is it?', items: ['a'] });
  expect(await play([talk])).toMatchObject({ outcome: 'ok' });
});

test('[A7] a later visit of the step counts what an earlier one changed', async () => {
  let turns = 0;
  const bench = new PatternBench(({ role, call }) => {
    if (role === 'coder') return call === 1 && ++turns === 1 ? writes() : says('done');
    const needed = turns < 2;
    return hands('review_work', { improvement_needed: needed, continue_message: 'Explain it.', work_summary: 'good' });
  });
  expect(await bench.start('coder_reviewer', { task_to_do: 'Greet' })).toMatchObject({ outcome: 'ok' });
  expect(turns).toBe(2);
});
