import fc from 'fast-check';
import { expect, test } from 'vitest';
import { debateScript } from '../conformance/debate-move.ts';
import { OUR_DEBATE, type Debate } from '../conformance/debate.ts';
import { playDebate } from '../conformance/random-debate.ts';
import { plantIn, type Mutant } from './plant.ts';

/** Defects of the debate's rules: one word for consensus, findings that vanish, verdicts that show, rounds without end. */
const MUTANTS: readonly Mutant[] = [
  {
    what: 'one side alone can settle a finding',
    file: 'review/close-findings.ts',
    find: 'if (live.every((reviewer) => upholds(ledger, finding, reviewer))) {',
    replace: 'if (live.some((reviewer) => upholds(ledger, finding, reviewer))) {',
  },
  {
    what: 'a reviewer that is alone settles findings',
    file: 'review/close-findings.ts',
    find: 'if (live.length < 2) return ledger;',
    replace: '',
  },
  {
    what: 'the others are not waited for when a finding is withdrawn',
    file: 'review/close-findings.ts',
    find: 'return spoken !== undefined && momentOf(ledger, spoken) > moment;',
    replace: 'return true;',
  },
  {
    what: 'an objection to a withdrawal is not heard',
    file: 'review/close-findings.ts',
    find: 'if (last !== null && momentOf(ledger, last) > moment) return false;',
    replace: '',
  },
  {
    what: 'an objection is overtaken when the author says it again',
    file: 'review/close-findings.ts',
    find: 'const held = said.findLastIndex(({ stance }) => !isAgainst(stance));\n  return said[held + 1] ?? null;',
    replace: 'const last = said.at(-1);\n  return isAgainst(last?.stance) ? last : null;',
  },
  {
    what: 'others can withdraw the finding of an author who takes part',
    file: 'review/close-findings.ts',
    find: 'if (live.includes(finding.by)) return false;',
    replace: 'live = live.filter((one) => one !== finding.by);',
  },
  {
    what: 'reviewers close what the engine found',
    file: 'review/take-evidence.ts',
    find: "const closed: Closing = { how: 'evidence', stands: true, debate, round, reason };",
    replace: 'const closed = null;',
  },
  {
    what: 'a stance outlives the words it was about',
    file: 'review/last-stance.ts',
    find: ' && last.wording === finding.earlier.length;',
    replace: ';',
  },
  {
    what: 'a stance outlives a revision',
    file: 'review/last-stance.ts',
    find: '.filter((one) => one.reviewer === reviewer && one.debate === debate);',
    replace: '.filter((one) => one.reviewer === reviewer);',
  },
  {
    what: 'the author of a finding agrees for ever',
    file: 'review/last-stance.ts',
    find: 'if (finding.by !== reviewer || finding.debate !== debate) return null;',
    replace: 'if (finding.by !== reviewer) return null;',
  },
  {
    what: 'one verdict passes for consensus',
    file: 'review/convergence.ts',
    find: 'return verdicts.size === 1 ? verdict : null;',
    replace: 'return verdict;',
  },
  {
    what: 'there is consensus with findings open',
    file: 'review/convergence.ts',
    find: ' && openFindings(ledger).length === 0) return',
    replace: ') return',
  },
  {
    what: 'one reviewer that is left is a consensus',
    file: 'review/convergence.ts',
    find: "? 'open' : 'single';",
    replace: "? 'open' : 'consensus';",
  },
  {
    what: 'consensus is called before all have spoken',
    file: 'review/convergence.ts',
    find: "if (!isRoundOver(ledger)) return 'open';",
    replace: '',
  },
  {
    what: 'there is no last round',
    file: 'review/convergence.ts',
    find: "return ledger.round >= ledger.maxRounds ? 'last-round' : 'open';",
    replace: "return 'open';",
  },
  {
    what: 'a round in which a stance changed is a stalemate',
    file: 'review/convergence.ts',
    find: 'stances.some((stance) => isNow(stance) && isChange(ledger, stance));',
    replace: 'false;',
  },
  {
    what: 'a round in which a verdict changed is a stalemate',
    file: 'review/convergence.ts',
    find: 'return !hasMoved && liveReviewers(ledger).every((reviewer) => keepsVerdict(ledger, reviewer));',
    replace: 'return !hasMoved;',
  },
  {
    what: 'a round with a new finding is a stalemate',
    file: 'review/convergence.ts',
    find: 'isNow(finding) || isNow(finding.closed)',
    replace: 'isNow(finding.closed)',
  },
  {
    what: 'to say the same again is no stalemate',
    file: 'review/convergence.ts',
    find: 'isNow(stance) && isChange(ledger, stance)',
    replace: 'isNow(stance)',
  },
  {
    what: 'verdicts are shown before all have spoken',
    file: 'review/view-for.ts',
    find: 'one.debate < debate || one.round < round || isOver;',
    replace: 'one.debate <= debate;',
  },
  {
    what: 'first reviews are seen before all are in',
    file: 'review/view-for.ts',
    find: 'const isBlind = ledger.round === 0 && !isOver;',
    replace: 'const isBlind = false;',
  },
  {
    what: 'verdicts are never shown',
    file: 'review/view-for.ts',
    find: 'verdicts: isBlind ? [] : lastVerdicts(ledger, reviewer),',
    replace: 'verdicts: [],',
  },
  {
    what: 'a finding with a flaw is dropped',
    file: 'review/read-finding.ts',
    find: '  return {\n    implementation,\n    severity',
    replace: '  if (unknown !== null) return null;\n  return {\n    implementation,\n    severity',
  },
  {
    what: 'a finding that is raised again is forgotten although its author had withdrawn it',
    file: 'review/add-findings.ts',
    find: 'return last !== null && !isAgainst(last.stance);',
    replace: 'return true;',
  },
  {
    what: 'findings are numbered anew',
    file: 'review/add-findings.ts',
    find: 'number: findings.length + 1',
    replace: 'number: findings.length - ledger.findings.length + 1',
  },
  {
    what: 'a rewording forgets how it read before',
    file: 'review/take-position.ts',
    find: '[...finding.earlier, wordingOf(ledger, finding)]',
    replace: '[wordingOf(ledger, finding)]',
  },
  {
    what: 'somebody speaks twice in a round',
    file: 'review/take-position.ts',
    find: 'if (!ledger.spoke.includes(reviewer)) return null;',
    replace: 'return null;',
  },
  {
    what: 'the debate goes on after its end',
    file: 'review/take-position.ts',
    find: "if (ledger.outcome !== null) return { code: 'DEBATE_OVER', message: 'The debate is over.' };",
    replace: '',
  },
  {
    what: 'who is out is still heard',
    file: 'review/take-review.ts',
    find: 'if (liveReviewers(ledger).includes(reviewer)) return null;',
    replace: 'return null;',
  },
  {
    what: 'a test that anybody writes closes the findings of others',
    file: 'review/take-evidence.ts',
    find: 'if (!isAgainst && !isShared(ledger, run)) return',
    replace: 'if (false) return',
  },
  {
    what: 'a finding that stood is not judged again after a revision',
    file: 'review/reopen.ts',
    find: 'closed: finding.by === ENGINE ? finding.closed : null',
    replace: 'closed: finding.closed',
  },
  {
    what: 'findings of the engine are opened for debate by a revision',
    file: 'review/reopen.ts',
    find: 'closed: finding.by === ENGINE ? finding.closed : null',
    replace: 'closed: null',
  },
  {
    what: 'findings of implementations that were not chosen are debated',
    file: 'review/open-findings.ts',
    find: "if (isAside(ledger, implementation)) return 'resting';",
    replace: '',
  },
  {
    what: 'the matrix leaves out who is out',
    file: 'review/matrix.ts',
    find: 'cells: reviewers.map(',
    replace: 'cells: reviewers.filter((one) => !out.some(({ id }) => id === one)).map(',
  },
  {
    what: 'red tests are approved',
    file: 'review/decide.ts',
    find: "return isRed ? ['its tests are red', ...stands] : stands;",
    replace: 'return stands;',
  },
  {
    what: 'no consensus is decided without asking anybody',
    file: 'review/decide.ts',
    find: "return isOwed(by) ? 'synthesis' : null;\n}\n\nfunction bestNeeds",
    replace: 'return null;\n}\n\nfunction bestNeeds',
  },
];

/** As many as the rules are tested with. */
const SCRIPTS = fc.sample(debateScript, { seed: 7, numRuns: 1500 });

const FILES = [
  'convergence.ts',
  'decide.ts',
  'drop-reviewer.ts',
  'ledger.ts',
  'matrix.ts',
  'next-speaker.ts',
  'open-findings.ts',
  'position-text.ts',
  'reopen.ts',
  'summary.ts',
  'take-evidence.ts',
  'take-position.ts',
  'take-review.ts',
  'view-for.ts',
];

/** The number of the debate that shows the defect, from 1; 0 when none does. */
async function caughtAt(mutant: Mutant): Promise<number> {
  const files = FILES.map((name) => `review/${name}`);
  const debate = (await plantIn(mutant, { files, names: Object.keys(OUR_DEBATE) })) as unknown as Debate;
  return SCRIPTS.findIndex((script) => isBroken(debate, script)) + 1;
}

function isBroken(debate: Debate, script: (typeof SCRIPTS)[number]): boolean {
  try {
    playDebate(script, debate);
    return false;
  } catch {
    return true;
  }
}

const TIMEOUT_MS = 240_000;

const NOTHING: Mutant = {
  what: '',
  file: 'review/ledger.ts',
  find: 'export function newLedger(',
  replace: 'export function newLedger(',
};

test('[L9] an unchanged copy of the rules passes', async () => expect(await caughtAt(NOTHING)).toBe(0), TIMEOUT_MS);

test.each(MUTANTS)(
  '[L9] notices when $what',
  async (mutant) => expect(await caughtAt(mutant)).toBeGreaterThan(0),
  TIMEOUT_MS,
);
