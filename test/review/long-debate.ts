import type { Fact } from '../../src/core/record/fact.ts';
import type { Part } from './cast.ts';
import { makes, writes } from './implementer-mind.ts';
import { readFindings } from './read-pack.ts';
import { reviewFile } from './review-file.ts';
import { hands } from './reviewer-mind.ts';

/** A debate that ends only with its last round: all reviewers change their verdict and one stance in every round. */

export const LONG_DEBATE_REVIEWERS = 5;

export const longDebateFile = (rounds: number): string =>
  reviewFile({
    verify: 'test -d src',
    reviewers: Array.from({ length: LONG_DEBATE_REVIEWERS }, () => 'smart').join(', '),
    extra: `max_rounds: ${rounds}\nmax_revisions: 0\n`,
  });

const RANKING = ['impl_1', 'impl_2', 'impl_3'];

const author: Part = (request) => makes(request, writes('src/made.ts', `export const made = '${request.agent}';\n`));

const critic: Part = ({ agent, messages }) => {
  const words = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const round = Number(/round (\d+) of at most/.exec(words)?.[1] ?? 0);
  const at = Number(agent.slice('rev_'.length));
  const verdict = (round + at) % 2 === 0 ? 'REVISE_ALL' : 'REVISE_BEST';
  if (round === 0) {
    const findings = RANKING.map((implementation) => ({ ...FINDING, implementation, claim: `${agent} misses it.` }));
    return hands('hand_in_review', { verdict, ranking: RANKING, findings, summary: 'So far.' });
  }
  const reason = `I looked at it again in round ${String(round).padStart(2, '0')}.`;
  const stance = (round + at) % 2 === 0 ? 'agree' : 'disagree';
  const asked = readFindings(words).filter(({ isAwaited }) => isAwaited);
  const [known] = readFindings(words);
  const named = asked.length > 0 ? asked : known === undefined ? [] : [known];
  const stances = named.map(({ id }) => ({ finding: id, stance, reason }));
  return hands('hand_in_position', { verdict, ranking: RANKING, stances, findings: [] });
};

const FINDING = { severity: 'major', priority: 2, file: 'src/made.ts', line: 1, change: 'Do what the task says.' };

export const LONG_DEBATE: Readonly<Record<string, Part>> = Object.fromEntries([
  ...RANKING.map((id) => [id, author] as const),
  ...Array.from({ length: LONG_DEBATE_REVIEWERS }, (_, at) => [`rev_${at + 1}`, critic] as const),
]);

/** The bytes of all facts of each turn of the debate: from its state to the next turn, or to the decision. */
export function bytesPerTurn(facts: readonly Fact[]): readonly number[] {
  const turns: number[] = [];
  for (const fact of facts) {
    if (fact.kind === 'state.entered' && fact.state === 'decide') break;
    if (fact.kind === 'state.entered' && fact.state === 'debate') turns.push(0);
    const last = turns.length - 1;
    if (last >= 0) turns[last] = (turns[last] ?? 0) + Buffer.byteLength(JSON.stringify(fact));
  }
  return turns;
}

/** Of all turns of a round, counted from 1. */
export const bytesOfRound = (turns: readonly number[], round: number): number =>
  turns
    .slice((round - 1) * LONG_DEBATE_REVIEWERS, round * LONG_DEBATE_REVIEWERS)
    .reduce((sum, bytes) => sum + bytes, 0);
