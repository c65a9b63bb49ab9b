import fc from 'fast-check';

/** One thing that happens in a debate. `who` and `what` are numbers: which reviewer, which finding, counted round. */
export type Move =
  | { readonly kind: 'speak'; readonly who: number | 'next'; readonly form: Form; readonly reply: Reply }
  | { readonly kind: 'garbage'; readonly value: unknown }
  | { readonly kind: 'drop'; readonly who: number }
  | { readonly kind: 'lose'; readonly what: number }
  | { readonly kind: 'evidence'; readonly what: number; readonly stands: boolean }
  | { readonly kind: 'engine'; readonly what: number }
  | {
      readonly kind: 'test';
      readonly who: number;
      readonly what: number;
      readonly exitCode: number;
      readonly expect: 'pass' | 'fail';
    }
  | {
      readonly kind: 'reopen';
      readonly chosen: readonly number[];
      readonly maxRounds: number;
      readonly touched: boolean;
    };

/** `due`: a review while reviews are awaited, a position after that. */
type Form = 'due' | 'review' | 'position';

export interface Reply {
  readonly verdict: string;
  readonly ranking: readonly string[];
  readonly stances: readonly { readonly what: number; readonly stance: string; readonly claim: string | null }[];
  readonly findings: readonly { readonly implementation: string; readonly claim: string }[];
}

export interface DebateScript {
  readonly reviewers: number;
  readonly implementations: number;
  readonly maxRounds: number;
  readonly moves: readonly Move[];
}

const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

const verdict = fc.oneof(
  often(5, fc.constant('APPROVE')),
  often(4, fc.constant('REVISE_BEST')),
  often(2, fc.constant('REVISE_ALL')),
  often(1, fc.constant('MAYBE')),
);

const implementation = fc.oneof(
  often(8, fc.constantFrom('impl_1', 'impl_2', 'impl_3')),
  often(1, fc.constant('impl_9')),
);

const stance = fc.record({
  // Few findings, so that several reviewers speak of the same one.
  what: fc.oneof(often(3, fc.nat(1)), often(1, fc.nat(7))),
  stance: fc.oneof(
    often(6, fc.constant('agree')),
    often(5, fc.constant('disagree')),
    often(1, fc.constant('fixed')),
    often(2, fc.constant('revise')),
    often(1, fc.constant('perhaps')),
  ),
  claim: fc.option(fc.constantFrom('reworded a', 'reworded b'), { nil: null }),
});

export const reply: fc.Arbitrary<Reply> = fc.record({
  verdict,
  ranking: fc.oneof(
    often(4, fc.shuffledSubarray(['impl_1', 'impl_2', 'impl_3'], { minLength: 3 })),
    often(1, fc.array(implementation, { maxLength: 4 })),
  ),
  stances: fc.array(stance, { maxLength: 5 }),
  findings: fc.oneof(
    often(3, fc.constant([])),
    often(2, fc.array(fc.record({ implementation, claim: fc.constantFrom('a', 'b', 'c', 'd', '') }), { maxLength: 2 })),
  ),
});

const move: fc.Arbitrary<Move> = fc.oneof(
  often(24, fc.record({ kind: fc.constant('speak'), who: fc.constant('next'), form: fc.constant('due'), reply })),
  often(
    3,
    fc.record({
      kind: fc.constant('speak'),
      who: fc.nat(5),
      form: fc.constantFrom('due', 'review', 'position'),
      reply,
    }),
  ),
  often(1, fc.record({ kind: fc.constant('garbage'), value: fc.jsonValue() })),
  often(1, fc.record({ kind: fc.constant('drop'), who: fc.nat(5) })),
  often(1, fc.record({ kind: fc.constant('lose'), what: fc.nat(3) })),
  often(1, fc.record({ kind: fc.constant('evidence'), what: fc.nat(7), stands: fc.boolean() })),
  often(1, fc.record({ kind: fc.constant('engine'), what: fc.nat(3) })),
  often(
    1,
    fc.record({
      kind: fc.constant('test'),
      who: fc.nat(4),
      what: fc.nat(7),
      exitCode: fc.nat(1),
      expect: fc.constantFrom('pass', 'fail'),
    }),
  ),
  often(
    2,
    fc.record({
      kind: fc.constant('reopen'),
      chosen: fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }),
      maxRounds: fc.integer({ min: 1, max: 3 }),
      touched: fc.boolean(),
    }),
  ),
);

/** Reviewers that go on saying the same. */
const repeated = fc.oneof(often(3, fc.constant([])), often(1, fc.array(reply, { minLength: 1, maxLength: 2 })));

/** Debates with lies, silence, strangers, repeated calls and words, garbage and reviewers that drop out. */
export const debateScript: fc.Arbitrary<DebateScript> = fc
  .record({
    reviewers: fc.integer({ min: 2, max: 4 }),
    implementations: fc.integer({ min: 1, max: 3 }),
    maxRounds: fc.integer({ min: 1, max: 5 }),
    moves: fc.array(move, { maxLength: 30, size: 'max' }),
    repeated,
  })
  .map(({ repeated: replies, ...script }) => ({
    ...script,
    moves: script.moves.map((one, index) => {
      const again = replies[index % replies.length];
      return one.kind === 'speak' && again !== undefined ? { ...one, reply: again } : one;
    }),
  }));

/** What the rules are tested with is what finds the defects of `test/mutants`: the last of them is found by debate 736. */
export const DEBATES = { seed: 20_261_116, numRuns: 800 } as const;
