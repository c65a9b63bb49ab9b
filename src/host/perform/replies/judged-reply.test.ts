import { describe, expect, onTestFinished, test } from 'vitest';
import type { Actor, CallRequest } from '../../../actors/port.ts';
import type { Fact } from '../../../core/record/fact.ts';
import type { Json, JsonObject } from '../../../core/model/json.ts';
import { reduceReview } from '../../../formats/review/rules/reduce-review.ts';
import { newReviewState, type ReviewState } from '../../../formats/review/rules/review-state.ts';
import type { Role } from '../../../core/model/role.ts';
import type { Definition } from '../../../core/model/definition.ts';
import type { TurnWork } from '../../../core/model/workflow.ts';
import { createMemoryJournal } from '../../../journal/memory/memory-journal.ts';
import type { Journal } from '../../../journal/port.ts';
import { testProject } from '../../../workspace/testing/test-project.ts';
import { createWorkspaces } from '../../../workspace/workspaces.ts';
import { connect, handIn } from '../../desk/testing/desk-bench.ts';
import { createEmbeddedHost } from '../../embedded/embedded-host.ts';
import { build, end, expression, to, turn, work } from '../../testing/build-definition.ts';
import { dyingJournal } from '../../testing/dying-journal.ts';
import { CLIENT_TRAITS } from '../../testing/stopping-client.ts';
import { says, testWorld } from '../../testing/test-world.ts';

/** The replies of one agent, in order; a string is plain text. */
type Word = JsonObject | string;

interface Judged {
  readonly outcome: string | null;
  readonly code: string | undefined;
  /** The answers to calls that did not end its turn. */
  readonly heard: readonly string[];
  readonly output: Json;
  readonly turns: number;
}

interface Judging {
  readonly tool: string;
  readonly role: Partial<Role>;
  readonly turn: Partial<TurnWork>;
  readonly data?: JsonObject;
}

const RANKED = { verdict: 'APPROVE', ranking: ['impl_1'], findings: [], summary: '' };
const UNKNOWN = { ...RANKED, ranking: ['impl_9', 'impl_1'] };

/** The other implementation was lost. */
function reviewState(): ReviewState {
  const bounds = { maxRounds: 3, finalRounds: 1, maxRevisions: 0, quorum: 1, pick: 'ranking', protect: [] } as const;
  const terms = { ...bounds, implementers: ['impl_1', 'impl_2'], reviewers: ['rev_1'] };
  const pack = { text: '', trees: { impl_1: '0'.repeat(40) }, diffs: {}, engine: [] };
  const packed = { kind: 'packed', pack, sizes: {}, touched: {} } as const;
  return reduceReview(newReviewState(terms), packed, { terms, command: '' }).state;
}

const REVIEW: Judging = {
  tool: 'hand_in_review',
  role: { mode: 'read', parsingTools: [{ name: 'hand_in_review', description: '', parameters: { type: 'object' } }] },
  turn: { reply: ['hand_in_review'], check: 'review' },
  data: { review: reviewState() as unknown as JsonObject },
};

const ISSUES: Judging = {
  tool: 'submit_review',
  role: {
    mode: 'read',
    parsingTools: [
      {
        name: 'submit_review',
        description: '',
        parameters: { type: 'object' },
        needs: [{ when: { verdict: 'NEEDS_REVISION' }, fields: ['issues'] }],
      },
    ],
  },
  turn: { reply: ['submit_review'] },
};

describe.each(['an API model', 'a client'] as const)('[A4] %s', (kind) => {
  const judge = kind === 'a client' ? judgedClient : judgedModel;

  test('learns in the same turn the mistakes in its review, and corrects them there', async () => {
    const { outcome, heard, output, turns } = await judge(REVIEW, [UNKNOWN, RANKED]);
    expect(heard).toEqual([
      expect.stringMatching(
        /^Not accepted yet.*The ranking names "impl_9"; there are impl_1\..*call `hand_in_review`/s,
      ),
    ]);
    expect({ outcome, output, turns }).toMatchObject({ outcome: 'ok', output: RANKED, turns: 1 });
  });

  test('that hands in the same fault again is taken as it is', async () => {
    const { heard, output } = await judge(REVIEW, [UNKNOWN, UNKNOWN]);
    expect(heard).toHaveLength(1);
    expect(output).toMatchObject(UNKNOWN);
  });

  test('[RV2] that only writes text after its review was sent back is taken with its first review', async () => {
    const { outcome, output } = await judge(REVIEW, [UNKNOWN, 'I am sorry.', 'I am sorry.']);
    expect({ outcome, output }).toMatchObject({ outcome: 'ok', output: UNKNOWN });
  });

  test('cannot send work back without an issue', async () => {
    const empty = { verdict: 'NEEDS_REVISION', issues: [] };
    const whole = { verdict: 'NEEDS_REVISION', issues: [{ description: 'slug("") throws.' }] };
    const { heard, output } = await judge(ISSUES, [empty, whole]);
    expect(heard).toEqual([
      'The arguments of submit_review do not fit: `issues` must not be empty when `verdict` is NEEDS_REVISION. Call it again with arguments that fit.',
    ]);
    expect(output).toMatchObject(whole);
  });

  test('may approve without an issue', async () => {
    const { heard, outcome } = await judge(ISSUES, [{ verdict: 'APPROVED', issues: [] }]);
    expect({ heard, outcome }).toEqual({ heard: [], outcome: 'ok' });
  });
});

test('[A4] an argument with a value that is not allowed is answered with the allowed ones, once', async () => {
  const judging = { ...ISSUES, turn: { ...ISSUES.turn, allowed: { verdict: expression("['APPROVED', 'REJECTED']") } } };
  const { heard, output } = await judgedModel(judging, [{ verdict: 'MAYBE' }, { verdict: 'PERHAPS' }]);
  expect(heard).toEqual([
    expect.stringContaining(
      '`verdict` is "MAYBE". It must be one of: APPROVED, REJECTED.\nCorrect it and call `submit_review`',
    ),
  ]);
  expect(output).toEqual({ verdict: 'PERHAPS' });
});

test('[RV2] [A4] a review that was sent back counts where its author fails before it is corrected', async () => {
  const failed = {
    kind: 'failed',
    failure: { code: 'REQUEST_REFUSED', message: 'It broke.', class: 'bad-request' },
  } as const;
  const { outcome, output } = await judgedBy(REVIEW, {
    answer: ({ call }) => (call === 1 ? says('', [{ id: 'a', name: 'hand_in_review', arguments: UNKNOWN }]) : failed),
  });
  expect({ outcome, output }).toMatchObject({ outcome: 'ok', output: UNKNOWN });
});

test('[L6] [A4] killed at any record, a review that was sent back is corrected or counts, and is sent back once', async () => {
  const { project, home } = testProject();
  const replies = [UNKNOWN, RANKED];
  const answer = ({ call }: CallRequest) =>
    says('', [{ id: `c${call}`, name: REVIEW.tool, arguments: replies[call - 1] ?? RANKED }]);
  const open = (journal: Journal) => {
    const workspaces = createWorkspaces({ home, settings: { method: 'copy' } });
    onTestFinished(() => workspaces.close());
    return createEmbeddedHost(testWorld({ journal, workspaces, answer }));
  };
  for (let afterAppends = 1, isDead = true; isDead; afterAppends += 1) {
    const journal = createMemoryJournal();
    const dying = dyingJournal(journal, { afterAppends });
    const first = open(dying);
    const run = await first.start({ definition: definitionOf(REVIEW), input: {}, project });
    await Promise.race([first.rest(run), dying.died]);
    isDead = dying.isDead();
    const second = isDead ? open(journal) : first;
    if (isDead) await second.resume(run);
    expect(await second.rest(run)).toMatchObject({ outcome: 'ok', output: RANKED });
    const facts = (await journal.read(run)).map(({ fact }) => fact);
    const returned = facts.filter((fact) => fact.kind === 'tool.finished' && fact.refused === 'REPLY_RETURNED');
    expect([afterAppends, returned.length]).toEqual([afterAppends, 1]);
    await second.shutdown();
  }
});

async function judgedModel(judging: Judging, replies: readonly Word[]): Promise<Judged> {
  const heard: string[] = [];
  const result = await judgedBy(judging, {
    answer: ({ call, messages }) => {
      const last = messages.at(-1);
      if (last?.role === 'tool') heard.push(last.content);
      const word = replies[call - 1] ?? '';
      return typeof word === 'string'
        ? says(word)
        : says('', [{ id: `c${call}`, name: judging.tool, arguments: word }]);
    },
  });
  return { ...result, heard };
}

/** It submits all replies before a text, and is asked again after that. */
async function judgedClient(judging: Judging, replies: readonly Word[]): Promise<Judged> {
  const heard: string[] = [];
  const left = [...replies];
  const call: Actor['call'] = async ({ client }: CallRequest) => {
    if (client?.desk == null) throw new Error('There is no desk.');
    const desk = await connect(client.desk);
    for (let word = left.shift(); word !== undefined; word = left.shift()) {
      if (typeof word === 'string') return says(word);
      const { text, isError } = await handIn(desk, word, judging.tool);
      if (isError === true) heard.push(text);
    }
    return says('');
  };
  return { ...(await judgedBy(judging, { answer: () => says(''), client: CLIENT_TRAITS, call })), heard };
}

function definitionOf({ role, turn: given, data }: Judging): Definition {
  const keep = 'this.common_data.said = this.last_parsing_tool_calls[0].function.arguments';
  return build({
    roles: { rev_1: role },
    states: [
      work('judge', { ...turn('rev_1', "'go'"), ...given }, [to('stop', { assign: keep })]),
      end('stop', 'common_data.said'),
    ],
    ...(data === undefined ? {} : { data }),
  });
}

async function judgedBy(
  judging: Judging,
  player: Pick<Parameters<typeof testWorld>[0], 'answer' | 'client' | 'call'>,
): Promise<Judged> {
  const journal = createMemoryJournal();
  const { project, home } = testProject();
  const workspaces = createWorkspaces({ home, settings: { method: 'copy' } });
  const host = createEmbeddedHost(testWorld({ journal, workspaces, ...player }));
  onTestFinished(async () => {
    await host.shutdown();
    await workspaces.close();
  });
  const run = await host.start({ definition: definitionOf(judging), input: {}, project });
  const { outcome, failure, output } = await host.rest(run);
  const facts: readonly Fact[] = (await journal.read(run)).map(({ fact }) => fact);
  const turns = facts.filter(({ kind }) => kind === 'task.started').length;
  return { outcome, code: failure?.code, heard: [], output: output ?? null, turns };
}
