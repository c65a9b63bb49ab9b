import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEBATES, debateScript } from '../conformance/debate-move.ts';
import { OUR_DEBATE, type Debate } from '../conformance/debate.ts';
import { playDebate } from '../conformance/random-debate.ts';
import { casesOf, isShown, plantIn, type Mutant } from './plant.ts';

/** Defects of the debate's rules: one word for consensus, findings that vanish, verdicts that show, rounds without end. */
const MUTANTS: readonly Mutant[] = [
  {
    what: 'one side alone can settle a finding',
    file: '../formats/review/rules/close-findings.ts',
    find: 'if (live.every((reviewer) => upholds(ledger, finding, reviewer))) {',
    replace: 'if (live.some((reviewer) => upholds(ledger, finding, reviewer))) {',
  },
  {
    what: 'a reviewer that is alone settles findings',
    file: '../formats/review/rules/close-findings.ts',
    find: 'if (live.length < 2) return ledger;',
    replace: '',
  },
  {
    what: 'the others are not waited for when a finding is withdrawn',
    file: '../formats/review/rules/close-findings.ts',
    find: 'return spoken !== undefined && momentOf(ledger, spoken) > moment;',
    replace: 'return true;',
  },
  {
    what: 'an objection to a withdrawal is not heard',
    file: '../formats/review/rules/close-findings.ts',
    find: 'if (last !== null && momentOf(ledger, last) > moment) return false;',
    replace: '',
  },
  {
    what: 'an objection is overtaken when the author says it again',
    file: '../formats/review/rules/close-findings.ts',
    find: 'const held = said.findLastIndex(({ stance }) => !isAgainst(stance));\n  return said[held + 1] ?? null;',
    replace: 'const last = said.at(-1);\n  return isAgainst(last?.stance) ? last : null;',
    shownBy: 736,
  },
  {
    what: 'others can withdraw the finding of an author who takes part',
    file: '../formats/review/rules/close-findings.ts',
    find: 'if (live.includes(finding.by)) return false;',
    replace: 'live = live.filter((one) => one !== finding.by);',
  },
  {
    what: 'reviewers close what the engine found',
    file: '../formats/review/rules/take-evidence.ts',
    find: "const closed: Closing = { how: 'evidence', stands: true, debate, round, reason };",
    replace: 'const closed = null;',
  },
  {
    what: 'a stance outlives the words it was about',
    file: '../formats/review/rules/last-stance.ts',
    find: ' && last.wording === finding.earlier.length;',
    replace: ';',
  },
  {
    what: 'a stance outlives a revision',
    file: '../formats/review/rules/last-stance.ts',
    find: '.filter((one) => one.reviewer === reviewer && one.debate === debate);',
    replace: '.filter((one) => one.reviewer === reviewer);',
  },
  {
    what: 'the author of a finding agrees for ever',
    file: '../formats/review/rules/last-stance.ts',
    find: 'if (finding.by !== reviewer || finding.debate !== debate) return null;',
    replace: 'if (finding.by !== reviewer) return null;',
  },
  {
    what: 'one verdict passes for consensus',
    file: '../formats/review/rules/debate-end.ts',
    find: 'return verdicts.size === 1 ? verdict : null;',
    replace: 'return verdict;',
  },
  {
    what: 'there is consensus with findings open',
    file: '../formats/review/rules/debate-end.ts',
    find: ' && openFindings(ledger).length === 0) return',
    replace: ') return',
  },
  {
    what: 'one reviewer that is left is a consensus',
    file: '../formats/review/rules/debate-end.ts',
    find: "? 'open' : 'single';",
    replace: "? 'open' : 'consensus';",
  },
  {
    what: 'consensus is called before all have spoken',
    file: '../formats/review/rules/debate-end.ts',
    find: "if (!isRoundOver(ledger)) return 'open';",
    replace: '',
  },
  {
    what: 'there is no last round',
    file: '../formats/review/rules/debate-end.ts',
    find: "return ledger.round >= ledger.maxRounds ? 'last-round' : 'open';",
    replace: "return 'open';",
  },
  {
    what: 'a round in which a stance changed is a stalemate',
    file: '../formats/review/rules/debate-end.ts',
    find: 'stances.some((stance) => isNow(stance) && isChange(ledger, stance));',
    replace: 'false;',
    shownBy: 627,
  },
  {
    what: 'a round in which a verdict changed is a stalemate',
    file: '../formats/review/rules/debate-end.ts',
    find: 'return !hasMoved && liveReviewers(ledger).every((reviewer) => keepsVerdict(ledger, reviewer));',
    replace: 'return !hasMoved;',
  },
  {
    what: 'a round with a new finding is a stalemate',
    file: '../formats/review/rules/debate-end.ts',
    find: 'isNow(finding) || isNow(finding.closed)',
    replace: 'isNow(finding.closed)',
    shownBy: 105,
  },
  {
    what: 'to say the same again is no stalemate',
    file: '../formats/review/rules/debate-end.ts',
    find: 'isNow(stance) && isChange(ledger, stance)',
    replace: 'isNow(stance)',
    shownBy: 109,
  },
  {
    what: 'verdicts are shown before all have spoken',
    file: '../formats/review/rules/reviewer-reading.ts',
    find: 'one.debate < debate || one.round < round || isOver;',
    replace: 'one.debate <= debate;',
  },
  {
    what: 'first reviews are seen before all are in',
    file: '../formats/review/rules/reviewer-reading.ts',
    find: 'const isBlind = ledger.round === 0 && !isOver;',
    replace: 'const isBlind = false;',
  },
  {
    what: 'verdicts are never shown',
    file: '../formats/review/rules/reviewer-reading.ts',
    find: 'verdicts: isBlind ? [] : lastVerdicts(ledger, reviewer),',
    replace: 'verdicts: [],',
  },
  {
    what: 'a finding with a flaw is dropped',
    file: '../formats/review/rules/read-finding.ts',
    find: '  return {\n    implementation,\n    severity',
    replace: '  if (unknown !== null) return null;\n  return {\n    implementation,\n    severity',
  },
  {
    what: 'a finding that is raised again is forgotten although its author had withdrawn it',
    file: '../formats/review/rules/add-findings.ts',
    find: 'return last !== null && !isAgainst(last.stance);',
    replace: 'return true;',
  },
  {
    what: 'findings are numbered again',
    file: '../formats/review/rules/add-findings.ts',
    find: 'number: findings.length + 1',
    replace: 'number: findings.length - ledger.findings.length + 1',
  },
  {
    what: 'a rewording forgets how it read before',
    file: '../formats/review/rules/take-position.ts',
    find: '[...finding.earlier, wordingOf(ledger, finding)]',
    replace: '[wordingOf(ledger, finding)]',
  },
  {
    what: 'somebody speaks twice in a round',
    file: '../formats/review/rules/take-position.ts',
    find: 'if (!ledger.spoke.includes(reviewer)) return null;',
    replace: 'return null;',
  },
  {
    what: 'the debate goes on after its end',
    file: '../formats/review/rules/take-position.ts',
    find: "if (ledger.outcome !== null) return { code: 'DEBATE_OVER', message: 'The debate is over.' };",
    replace: '',
  },
  {
    what: 'who is out is still heard',
    file: '../formats/review/rules/take-review.ts',
    find: 'if (liveReviewers(ledger).includes(reviewer)) return null;',
    replace: 'return null;',
    shownBy: 156,
  },
  {
    what: 'a test that anybody writes closes the findings of others',
    file: '../formats/review/rules/take-evidence.ts',
    find: 'if (!isAgainst && !isShared(ledger, run)) return',
    replace: 'if (false) return',
    shownBy: 47,
  },
  {
    what: 'a finding that stood is not judged again after a revision',
    file: '../formats/review/rules/reopen.ts',
    find: 'closed: finding.by === ENGINE ? finding.closed : null',
    replace: 'closed: finding.closed',
  },
  {
    what: 'findings of the engine are opened for debate by a revision',
    file: '../formats/review/rules/reopen.ts',
    find: 'closed: finding.by === ENGINE ? finding.closed : null',
    replace: 'closed: null',
  },
  {
    what: 'findings of implementations that were not chosen are debated',
    file: '../formats/review/rules/open-findings.ts',
    find: "if (isAside(ledger, implementation)) return 'resting';",
    replace: '',
  },
  {
    what: 'the matrix leaves out who is out',
    file: '../formats/review/rules/matrix.ts',
    find: 'cells: reviewers.map(',
    replace: 'cells: reviewers.filter((one) => !out.some(({ id }) => id === one)).map(',
  },
  {
    what: 'red tests are approved',
    file: '../formats/review/rules/decide.ts',
    find: "return isRed ? ['its tests are red', ...stands] : stands;",
    replace: 'return stands;',
  },
  {
    what: 'no consensus is decided without asking anybody',
    file: '../formats/review/rules/decide.ts',
    find: "return isOwed(by) ? 'synthesis' : null;\n}\n\nfunction bestNeeds",
    replace: 'return null;\n}\n\nfunction bestNeeds',
  },
];

/** Those that the rules are tested with. */
const SCRIPTS = fc.sample(debateScript, DEBATES);

const FILES = [
  'debate-end.ts',
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
  'reviewer-reading.ts',
];

/** The rules with the defect in them. */
async function planted(mutant: Mutant): Promise<Debate> {
  const files = FILES.map((name) => `../formats/review/rules/${name}`);
  return (await plantIn(mutant, { files, names: Object.keys(OUR_DEBATE) })) as unknown as Debate;
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
  file: '../formats/review/rules/ledger.ts',
  find: 'export function newLedger(',
  replace: 'export function newLedger(',
};

test(
  '[L9] an unchanged copy of the rules passes',
  async () => {
    const copy = await planted(NOTHING);
    expect(casesOf(MUTANTS, SCRIPTS).findIndex((script) => isBroken(copy, script))).toBe(-1);
  },
  TIMEOUT_MS,
);

test.each(MUTANTS)(
  '[L9] notices when $what',
  async (mutant) => {
    const copy = await planted(mutant);
    expect(isShown(mutant, SCRIPTS, (script) => isBroken(copy, script))).toBe(true);
  },
  TIMEOUT_MS,
);
