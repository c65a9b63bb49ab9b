import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../../core/model/json.ts';
import type { Outcome } from '../../../core/model/outcome.ts';
import type { WorkState } from '../../../core/model/workflow.ts';
import { valueOrFault } from '../../../source/checked.ts';
import { parseReview } from '../parse/parse-review.ts';
import { reduceReview } from './reduce-review.ts';
import type { Packed, ReviewEvent, ReviewPlace, Unmerged } from './review-event.ts';
import { commandIn } from './review-inputs.ts';
import {
  newReviewState,
  type CommandEvidence,
  type ReviewBasis,
  type ReviewState,
  type ReviewTerms,
} from './review-state.ts';
import type { GatheredReply } from './take-reply.ts';

const TERMS: ReviewTerms = {
  implementers: ['impl_1', 'impl_2'],
  reviewers: ['rev_1', 'rev_2'],
  maxRounds: 2,
  finalRounds: 1,
  maxRevisions: 1,
  quorum: 1,
  pick: 'ranking',
  protect: [],
};

const GREEN: CommandEvidence = { isGreen: true, exitCode: 0, output: '', tampered: [] };
const begun = (): ReviewState => newReviewState(TERMS);
const BASIS: ReviewBasis = { terms: TERMS, command: 'npm test' };
const NONE: ReviewBasis = { terms: TERMS, command: '' };

/** All events after another; what each led to. */
const led = (state: ReviewState, ...events: readonly ReviewEvent[]) => ledBy(BASIS, state, ...events);

function ledBy(basis: ReviewBasis, state: ReviewState, ...events: readonly ReviewEvent[]) {
  const went: ReviewPlace[] = [];
  let now = state;
  for (const event of events) {
    const step = reduceReview(now, event, { ...basis, command: now.command ?? basis.command });
    went.push(step.orders.go);
    now = step.state;
  }
  return { state: now, went };
}

const ended = (id: string, outcome: Outcome = 'ok') => ({ id, outcome, reason: outcome === 'ok' ? null : 'It broke.' });

const implemented: ReviewEvent = { kind: 'implemented', units: [ended('impl_1'), ended('impl_2')], claims: {} };

const packed = (ids: readonly string[]): Packed => ({
  kind: 'packed',
  pack: { text: 'The diffs.', trees: Object.fromEntries(ids.map((id) => [id, 'a'])), diffs: {}, engine: [] },
  sizes: {},
  touched: {},
});

const says = (reviewer: string, verdict: string, kind: GatheredReply['kind'] = 'review'): GatheredReply => ({
  reviewer,
  kind,
  given: { verdict, ranking: ['impl_1', 'impl_2'], findings: [], stances: [], summary: '' },
  failed: null,
  places: {},
  test: null,
});

const reviews = (verdict: string): ReviewEvent => ({
  kind: 'replied',
  replies: TERMS.reviewers.map((reviewer) => says(reviewer, verdict)),
});

const reviewed = (verdict: string, evidence: CommandEvidence = GREEN): ReviewState =>
  led(
    begun(),
    { kind: 'started' },
    { kind: 'tried', unusable: null },
    implemented,
    { kind: 'verified', evidence: { impl_1: evidence, impl_2: GREEN } },
    packed(TERMS.implementers),
    reviews(verdict),
  ).state;

test('[PD2] without a command nothing is tried and nothing is verified', () => {
  expect(ledBy(NONE, begun(), { kind: 'started' }, implemented).went).toEqual(['implement', 'pack']);
  expect(commandIn({ verify: '  ' }, begun())).toBe('');
  expect(commandIn({ verify: 'npm test' }, { command: '' })).toBe('');
});

test.for([
  ['', 'ask_verify', 'ask_verify'],
  [' STOP ', 'unusable', 'unusable'],
  ['keep', 'implement', 'pack'],
  ['without', 'implement', 'pack'],
  ['make test', 'try_verify', 'verify'],
] as const)(
  '[PD2] a command that cannot be run: "%s" leads on, before the work and after it',
  ([answer, before, after]) => {
    const tried: ReviewEvent = { kind: 'tried', unusable: 'There is no npm.' };
    const said: ReviewEvent = { kind: 'command answered', answer };
    expect(led(begun(), { kind: 'started' }, tried, said).went).toEqual(['try_verify', 'ask_verify', before]);
    const unusable = { ...GREEN, isGreen: false, exitCode: 127, isUnusable: true };
    const verified: ReviewEvent = { kind: 'verified', evidence: { impl_1: unusable, impl_2: unusable } };
    expect(led(begun(), implemented, verified, said).went).toEqual(['verify', 'ask_verify', after]);
  },
);

test('[PD1] fewer than the quorum end it, and each is named with its reason', () => {
  const units = [ended('impl_1', 'crashed'), ended('impl_2', 'timeout')];
  const { state, went } = led(begun(), { kind: 'implemented', units, claims: {} });
  expect(went).toEqual(['failed']);
  expect(state.problem).toEqual({
    code: 'QUORUM_MISSED',
    message:
      '0 of 2 implementations came out well, 1 were needed: impl_1 crashed (It broke.); impl_2 timeout (It broke.)',
  });
});

test('[PD4] reviewers that agree need no debate, others speak one after the other', () => {
  expect(led(reviewed('APPROVE'), { kind: 'deciding' }).went).toEqual(['merge']);
  const split: ReviewEvent = { kind: 'replied', replies: [says('rev_1', 'APPROVE'), says('rev_2', 'REVISE_ALL')] };
  const opened = ledBy(NONE, begun(), implemented, packed(TERMS.implementers), split);
  expect(opened).toMatchObject({ went: ['pack', 'review', 'debate'], state: { speaker: 'rev_1', isNew: false } });
  const next = led(opened.state, { kind: 'replied', replies: [says('rev_1', 'APPROVE', 'position')] });
  expect(next).toMatchObject({ went: ['debate'], state: { speaker: 'rev_2' } });
});

test('[PD6] a revision is reviewed again, what was decided before is kept, and the last one ends as partial', () => {
  const ordered: ReviewEvent = { kind: 'ordered', orders: { impl_1: 'Fix it.' }, trees: { impl_1: 'a' } };
  const before = reviewed('REVISE_BEST');
  const { state, went } = led(
    before,
    { kind: 'deciding' },
    ordered,
    { kind: 'revised', claims: {} },
    packed(['impl_1']),
  );
  expect(went).toEqual(['orders', 'revise', 'verify', 'debate']);
  expect(state).toMatchObject({ revisions: 1, units: [{ id: 'impl_1' }], speaker: 'rev_1', isNew: true });
  expect(state.debates).toMatchObject([
    { debate: 1, came: { kind: 'consensus' }, decision: { decision: 'REVISE_BEST' } },
  ]);
  const again = TERMS.reviewers.map((reviewer): ReviewEvent => {
    const given = { verdict: 'REVISE_BEST', ranking: ['impl_1'], findings: [], stances: [] };
    return { kind: 'replied', replies: [{ ...says(reviewer, '', 'position'), given }] };
  });
  const last = led(state, ...again, { kind: 'deciding' });
  expect(last).toMatchObject({ went: ['debate', 'decide', 'merge'], state: { decidedIn: 2 } });
  expect(last.state.problem?.message).toMatch(/^After 1 revision it is not approved: /);
});

test('[PD5] [PD6] after a revision a person chooses by the sizes and the words of that revision, and of the others as before', () => {
  const basis = { ...NONE, terms: { ...TERMS, pick: 'person' } } as const;
  const size = (added: number) => ({ files: 1, added, removed: 0, binary: 0 });
  const given = (ids: readonly string[], added: number): ReviewEvent => ({
    ...packed(ids),
    sizes: Object.fromEntries(ids.map((id) => [id, size(added)])),
  });
  const first: ReviewEvent = { ...implemented, claims: { impl_1: 'The first try.', impl_2: 'The other.' } };
  const ordered: ReviewEvent = { kind: 'ordered', orders: { impl_1: 'Fix it.' }, trees: { impl_1: 'a' } };
  const revised: ReviewEvent = { kind: 'revised', claims: { impl_1: 'Fixed.' } };
  const { state } = ledBy(
    basis,
    begun(),
    first,
    given(TERMS.implementers, 3),
    reviews('REVISE_BEST'),
    { kind: 'deciding', asked: 'REVISE_BEST impl_1' },
    ordered,
    revised,
    given(['impl_1'], 40),
  );
  expect(state).toMatchObject({
    claims: { impl_1: 'Fixed.', impl_2: 'The other.' },
    sizes: { impl_1: size(40), impl_2: size(3) },
    firstSizes: { impl_1: size(3), impl_2: size(3) },
  });
  const split = TERMS.reviewers.map((reviewer, place): ReviewEvent => {
    const words = { verdict: place === 0 ? 'APPROVE' : 'REVISE_BEST', ranking: ['impl_1'], findings: [], stances: [] };
    return { kind: 'replied', replies: [{ ...says(reviewer, '', 'position'), given: words }] };
  });
  const asked = ledBy(basis, state, ...split, { kind: 'deciding' });
  expect(asked.went.at(-1)).toBe('ask');
  const text = asked.state.decision?.choices[0]?.description;
  expect(text).toContain('- **Claim:** Fixed.');
  expect(text).toContain('- **Changes:** 1 file, +40 −0 lines');
});

test('[PD7] [L4] the best one that changed what the command is made of is not merged, and is kept as not verified', () => {
  const tampered = { ...GREEN, isGreen: false, tampered: [{ path: 'test/a.ts', how: 'deleted' }] };
  const state = { ...reviewed('REVISE_BEST', tampered), revisions: TERMS.maxRevisions };
  const step = led(state, { kind: 'deciding' });
  expect(step.went).toEqual(['partial']);
  expect(step.state.unverified).toMatchObject({ implementation: 'impl_1', code: 'TAMPERED' });
  expect(step.state.problem).toMatchObject({
    code: 'REVISIONS_USED',
    message: expect.stringMatching(/^The best so far, impl_1, is NOT VERIFIED: It changed .* test\/a\.ts\. After 1/),
  });
});

const unmerged = (outcome: Outcome, parts: Partial<Unmerged> = {}): Unmerged => ({
  kind: 'unmerged',
  outcome,
  failure: { code: 'MERGE_CONFLICT', message: 'Both changed a.ts.', class: 'logic' },
  advice: 'Look at a.ts.',
  paths: ['a.ts'],
  ...parts,
});

test('[PD7] a collision goes to the author once, then to the person', () => {
  const chosen = led(reviewed('APPROVE'), { kind: 'deciding' }).state;
  const twice = led(chosen, unmerged('blocked'), { kind: 'settled', tampered: [] }, unmerged('blocked'));
  expect(twice.went).toEqual(['settle', 'merge', 'collide']);
  expect(twice.state.question).toContain(
    'impl_1 was chosen, and collides with what others changed meanwhile, in a.ts.',
  );
  const answers = ['', 'stop', 'again', 'Keep both.'].map(
    (answer) => led(twice.state, { kind: 'collision answered', answer }).went[0],
  );
  expect(answers).toEqual(['collide', 'blocked', 'merge', 'settle']);
});

test('[PD7] a merge that is red though the author was green is a collision; red alone is not verified', () => {
  const red = unmerged('failed', { failure: { code: 'MERGE_NOT_VERIFIED', message: 'It is red.', class: 'logic' } });
  const chosen = led(reviewed('APPROVE'), { kind: 'deciding' }).state;
  expect(led(chosen, red).went).toEqual(['settle']);
  const alone = led({ ...chosen, evidence: {} }, red);
  expect(alone).toMatchObject({ went: ['partial'], state: { unverified: { code: 'MERGE_NOT_VERIFIED' } } });
  expect(led(chosen, unmerged('crashed'))).toMatchObject({ went: ['failed'], state: { problem: red.failure && {} } });
});

const FILE = { name: 'r', implementers: ['base', 'fast'], reviewers: ['smart', 'base'] };

const [WORKFLOW] = valueOrFault(parseReview(FILE, { file: 'r', locate: () => undefined }), 'INTERNAL');

type Ways = Partial<Pick<WorkState, 'transitions' | 'on' | 'work'>>;

const STATES = (WORKFLOW?.states ?? {}) as Readonly<Record<string, Ways>>;

/** A walk through the workflow: what happens in each state is drawn from the numbers. */
class Walk {
  readonly #drawn: Iterator<number>;
  #before = '';
  state = begun();
  place = 'start';

  constructor(drawn: readonly number[]) {
    this.#drawn = drawn[Symbol.iterator]();
  }

  get ways(): readonly string[] {
    return (STATES[this.place]?.transitions ?? []).map(({ target }) => target);
  }

  /** The states after a failed one; the rules never decide that for their own program. */
  get badWays(): readonly string[] {
    const { work, on = {} } = STATES[this.place] ?? {};
    if (work?.kind === 'compute' && work.keeps !== undefined) return [];
    return Object.values(on).flatMap((list) => list.map(({ target }) => target));
  }

  go(): void {
    const { ways, place } = this;
    const event = this.event(this.#before);
    this.#before = place;
    if (event === null) {
      this.place = this.goByItself(place, ways);
      return;
    }
    const { state, orders } = reduceReview(this.state, event, {
      ...BASIS,
      command: this.state.command ?? BASIS.command,
    });
    this.state = state;
    this.place = orders.go;
  }

  goByItself(place: string, ways: readonly string[]): string {
    if (place === 'merge') return `merge_${this.state.decision?.best}`;
    const way = ways[0] ?? '';
    if (!place.startsWith('merge_')) return way;
    return this.pick(way, place === 'merge_hybrid' ? 'decide' : 'unmerged');
  }

  pick<T>(...options: readonly [T, ...T[]]): T {
    const { value: at = 0 } = this.#drawn.next() as { value?: number };
    return options[at % options.length] ?? options[0];
  }

  /** The event for the rules in a state where they decide; null if the workflow goes on by itself. */
  event(before: string): ReviewEvent | null {
    const { state } = this;
    const ids = state.units.map(({ id }) => id);
    const events: Readonly<Record<string, () => ReviewEvent>> = {
      start: () => ({ kind: 'started' }),
      try_verify: () => ({ kind: 'tried', unusable: this.pick(null, 'No.') }),
      answer_verify: () => ({ kind: 'command answered', answer: this.pick('', 'stop', 'keep', 'without', 'make') }),
      implemented: () => ({
        kind: 'implemented',
        units: TERMS.implementers.map((id) => ended(id, this.pick('ok', 'ok', 'failed'))),
        claims: {},
      }),
      verified: () => ({ kind: 'verified', evidence: Object.fromEntries(ids.map((id) => [id, this.evidence()])) }),
      pack: () => packed(ids),
      take: () => ({ kind: 'replied', replies: this.replies() }),
      decide: () => this.deciding(before),
      show: () => ({ kind: 'shown', text: 'All.' }),
      orders: () => ({ kind: 'ordered', orders: {}, trees: {} }),
      revised: () => ({ kind: 'revised', claims: {} }),
      unmerged: () => unmerged(this.pick('blocked', 'failed', 'timeout', 'crashed')),
      guard: () => ({ kind: 'settled', tampered: this.pick<readonly string[]>([], ['test/a.ts']) }),
      answer_collision: () => ({ kind: 'collision answered', answer: this.pick('', 'stop', 'again', 'So.') }),
    };
    return events[this.place]?.() ?? null;
  }

  evidence(): CommandEvidence {
    const isGreen = this.pick(true, false);
    return {
      ...GREEN,
      isGreen,
      isUnusable: this.pick(false, !isGreen),
      tampered: this.pick([], [{ path: 't', how: 'changed' }]),
    };
  }

  replies(): readonly GatheredReply[] {
    const { speaker } = this.state;
    const verdict = (): string => this.pick('APPROVE', 'REVISE_BEST', 'REVISE_ALL', 'nothing');
    const reply = (reviewer: string, kind: GatheredReply['kind']): GatheredReply => ({
      ...says(reviewer, verdict(), kind),
      failed: this.pick(null, null, null, 'It hung.'),
    });
    return speaker === null ? TERMS.reviewers.map((one) => reply(one, 'review')) : [reply(speaker, 'position')];
  }

  deciding(before: string): ReviewEvent {
    const kind = 'deciding';
    if (before === 'ask') return { kind, asked: this.pick('impl_1', 'APPROVE impl_2', 'what?') };
    if (before === 'synthesise') return { kind, synthesis: this.pick<Json>({ failed: 'No.' }, SYNTHESIS) };
    return before.endsWith('hybrid') ? { kind, unmixed: 'It is red.' } : { kind };
  }
}

const SYNTHESIS = { decision: 'APPROVE', best: 'impl_1', reason: 'It works.', parts: [] };

test('[PD1] [PD7] whatever happens, the rules go only where the workflow declares a way, and keep plain data', () => {
  let ends = 0;
  fc.assert(
    fc.property(fc.array(fc.nat(59), { minLength: 60, maxLength: 200 }), (drawn) => {
      const walk = new Walk(drawn);
      for (let count = 0; count < drawn.length && walk.ways.length > 0; count += 1) {
        const ways = [...walk.ways, ...walk.badWays];
        walk.go();
        expect(ways).toContain(walk.place);
        expect(JSON.parse(JSON.stringify(walk.state))).toEqual(walk.state);
      }
      if (walk.ways.length === 0) ends += 1;
    }),
    { numRuns: 300 },
  );
  expect(ends).toBeGreaterThan(50);
});
