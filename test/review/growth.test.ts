import { expect, test } from 'vitest';
import type { Part } from './cast.ts';
import { bytesOfRound, bytesPerTurn, LONG_DEBATE, LONG_DEBATE_REVIEWERS, longDebateFile } from './long-debate.ts';
import { makes, writes } from './implementer-mind.ts';
import { readFindings } from './read-pack.ts';
import { ReviewBench } from './review-bench.ts';
import { reviewFile } from './review-file.ts';
import { hands } from './reviewer-mind.ts';

/** Every other line of it is a separate change, so that the places of the diff are long too. */
const wideWork =
  (lines: number): Part =>
  (request) => {
    const { agent, visit, state } = request;
    const line = (at: number): string =>
      `export const ${agent}_${at} = ${at % 2 === 0 ? `'${state} ${visit}'` : at};\n`;
    return makes(request, writes('src/wide.ts', Array.from({ length: lines }, (_, at) => line(at)).join('')));
  };

/** Six findings at first; then each says in every round what the other said in the last one. */
const critic: Part = (request) => {
  const words = request.messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const round = Number(/round (\d+) of at most/.exec(words)?.[1] ?? 0);
  const verdict = (round % 2 === 0) === (request.agent === 'rev_1') ? 'REVISE_ALL' : 'REVISE_BEST';
  const ranking = ['impl_1', 'impl_2', 'impl_3'];
  if (round === 0) return hands('hand_in_review', { verdict, ranking, findings: FINDINGS, summary: 'So far.' });
  const awaited = readFindings(words).filter(({ isAwaited }) => isAwaited);
  const stances = awaited.map(({ id }) => ({ finding: id, stance: 'disagree', reason: 'I do not see it.' }));
  return hands('hand_in_position', { verdict, ranking, stances, findings: [] });
};

const FINDINGS = Array.from({ length: 6 }, (_, at) => ({
  implementation: `impl_${(at % 3) + 1}`,
  severity: 'major',
  priority: 2,
  file: 'src/wide.ts',
  line: at + 1,
  claim: `Line ${at + 1} does not do what the task says.`,
  change: 'Do what the task says.',
}));

interface Debated {
  readonly rounds: number;
  readonly lines: number;
  readonly revisions: number;
}

/** How many characters of journal a whole run came to that had so many rounds in its last debate. */
async function journalOf({ rounds, lines, revisions }: Debated): Promise<number> {
  const work = wideWork(lines);
  const bench = new ReviewBench({ impl_1: work, impl_2: work, impl_3: work, rev_1: critic, rev_2: critic });
  const bounds = `max_rounds: ${revisions === 0 ? rounds : 1}\nfinal_rounds: ${rounds}\nmax_revisions: ${revisions}`;
  await bench.start(reviewFile({ verify: 'test -d src', extra: `${bounds}\n` }));
  const { positions, debate } = await bench.ledger();
  expect(positions.filter((one) => one.debate === debate && one.round === rounds)).toHaveLength(2);
  return JSON.stringify(await bench.facts()).length;
}

test.for([
  ['in the first debate', 0],
  ['after a revision', 1],
] as const)(
  '[PD4] [RV21] each round %s adds the same to the journal, whatever the size of the work',
  { timeout: 60_000 },
  async ([, revisions]) => {
    const at = (rounds: number): Promise<number> => journalOf({ rounds, lines: 2000, revisions });
    const [two, five, eight] = [await at(2), await at(5), await at(8)];
    const [early, late] = [(five - two) / 3, (eight - five) / 3];
    // Twelve findings, sent to two reviewers; the diffs alone are several times as long.
    expect(late).toBeLessThan(60_000);
    // A ledger has one more position with every turn.
    expect(late / early).toBeLessThan(1.1);
  },
);

test(
  '[PD4] [RV21] a turn of round 30 adds to the journal what a turn of round 3 did',
  { timeout: 120_000 },
  async () => {
    const bench = new ReviewBench(LONG_DEBATE);
    await bench.start(longDebateFile(31));
    expect((await bench.ledger()).round).toBe(31);
    const turns = bytesPerTurn(await bench.facts());
    expect(turns).toHaveLength(31 * LONG_DEBATE_REVIEWERS);
    const [third, thirtieth] = [bytesOfRound(turns, 3), bytesOfRound(turns, 30)];
    expect(third).toBeGreaterThan(1000);
    expect(thirtieth / third).toBeLessThanOrEqual(1.2);
  },
);
