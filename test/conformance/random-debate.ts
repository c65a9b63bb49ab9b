import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import type { Ledger } from '../../src/formats/review/rules/ledger.ts';
import type { TakenPosition } from '../../src/formats/review/rules/taken.ts';
import type { DebateScript, Move, Reply } from './debate-move.ts';
import type { Debate } from './debate.ts';
import { NaiveDebate } from './naive-debate.ts';

/** Plays a debate and holds it against the rules after every move. Throws when one is broken; gives back where it came to. */
export function playDebate(script: DebateScript, debate: Debate): Ledger {
  const played = play(script, debate, watched);
  deepStrictEqual(play(script, debate, unwatched), played, 'the same moves give the same ledger');
  return played;
}

type Watch = (debate: Debate, before: Ledger, move: Made) => void;

/** A move as it was made. */
interface Made {
  readonly move: Move;
  readonly who: string;
  readonly form: 'review' | 'position' | null;
  readonly reply: Reply | null;
  readonly taken: TakenPosition;
  readonly naive: NaiveDebate;
  readonly wasHeard: boolean;
}

function play(script: DebateScript, debate: Debate, watch: Watch): Ledger {
  const reviewers = ['rev_1', 'rev_2', 'rev_3', 'rev_4'].slice(0, script.reviewers);
  const implementations = ['impl_1', 'impl_2', 'impl_3'].slice(0, script.implementations);
  const naive = new NaiveDebate(reviewers, implementations, script.maxRounds);
  let ledger = debate.newLedger(reviewers, implementations, script.maxRounds);
  for (const move of script.moves) {
    const made = make(debate, freeze(ledger), { move, naive });
    watch(debate, ledger, made);
    // What is kept between two moves is JSON.
    ledger = JSON.parse(JSON.stringify(made.taken.ledger)) as Ledger;
    deepStrictEqual(ledger, made.taken.ledger, 'a ledger is plain JSON');
  }
  return ledger;
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const one of Object.values(value)) freeze(one);
  return Object.freeze(value);
}

function make(debate: Debate, ledger: Ledger, { move, naive }: { move: Move; naive: NaiveDebate }): Made {
  const reviewer = (who: number): string => ledger.reviewers[who] ?? 'stranger';
  const implementation = (what: number): string => ledger.implementations[what] ?? 'impl_9';
  const id = (what: number): string => `F${what + 1}`;
  const rest = { move, naive, who: '', form: null, reply: null, wasHeard: true };
  switch (move.kind) {
    case 'speak':
    case 'garbage':
      return speak(debate, ledger, { move, naive });
    case 'drop':
      naive.drop(reviewer(move.who));
      return { ...rest, taken: debate.dropReviewer(ledger, reviewer(move.who), 'it hangs') };
    case 'lose':
      naive.lose(implementation(move.what));
      return { ...rest, taken: debate.dropImplementation(ledger, implementation(move.what), 'it failed') };
    case 'evidence':
      naive.evidence(move.what, move.stands);
      return { ...rest, taken: debate.closeByEvidence(ledger, id(move.what), { stands: move.stands, reason: 'seen' }) };
    case 'engine': {
      const target = ledger.implementations[move.what % ledger.implementations.length] ?? '';
      naive.engine(target);
      const draft = { implementation: target, severity: 'critical', priority: 1, file: null, line: null } as const;
      const taken = debate.addEngineFinding(ledger, { ...draft, claim: 'a test was changed', change: '' }, 'seen');
      return { ...rest, taken };
    }
    case 'test': {
      const { what, expect, exitCode } = move;
      naive.test(reviewer(move.who), {
        what,
        stands: (exitCode === 0) === (expect === 'pass'),
        key: `${what} ${expect}`,
      });
      const test = { finding: id(what), command: 'try it', expect };
      return { ...rest, taken: debate.takeTest(ledger, reviewer(move.who), { test, exitCode, output: '' }) };
    }
    default: {
      const chosen = move.chosen.map(implementation);
      naive.reopen(chosen, move);
      const touched = Object.fromEntries(ledger.findings.map((finding) => [finding.id, move.touched]));
      return { ...rest, taken: debate.reopen(ledger, { maxRounds: move.maxRounds, touched, chosen }) };
    }
  }
}

function speak(debate: Debate, ledger: Ledger, { move, naive }: { move: Move; naive: NaiveDebate }): Made {
  const due = ledger.round === 0 && !naive.isRoundOver ? ('review' as const) : ('position' as const);
  const isSpoken = move.kind === 'speak';
  const form = isSpoken && move.form !== 'due' ? move.form : due;
  const number = isSpoken && move.who !== 'next' ? move.who : null;
  const who = number === null ? (naive.next ?? 'rev_1') : (ledger.reviewers[number] ?? 'stranger');
  const take = form === 'review' ? debate.takeReview : debate.takePosition;
  const reply = isSpoken ? move.reply : null;
  const taken = take(ledger, who, reply === null ? garbageOf(move) : worded(reply));
  return { move, who, form, reply, taken, naive, wasHeard: naive.speak(who, form, reply) };
}

/** Anything but an object, so that nothing in it has a meaning. */
const garbageOf = (move: Move): unknown => (move.kind === 'garbage' ? [move.value] : null);

export const worded = ({ verdict, ranking, stances, findings }: Reply) => ({
  verdict,
  ranking,
  stances: stances.map(({ what, stance, claim }) => ({
    finding: `F${what + 1}`,
    stance,
    reason: '',
    change: claim === null ? null : { claim },
  })),
  findings: findings.map((finding) => ({
    ...finding,
    severity: 'major',
    priority: 2,
    file: null,
    line: null,
    change: '',
  })),
});

const unwatched: Watch = () => undefined;

const watched: Watch = (debate, before, made) => {
  const after = made.taken.ledger;
  strictEqual(made.form === null || after !== before, made.wasHeard || made.form === null, 'who is heard');
  nothingIsLost(before, after);
  allWordsAreThere(after, made);
  nobodyClosesAlone(before, after, made);
  itIsAsThePlainRulesSay(debate, after, made.naive);
  verdictsAreHidden(debate, after);
  itEnds(after);
  everythingIsAccountedFor(debate, after);
  decisionsFollow(debate, after);
};

/** [RV2] */
function nothingIsLost(before: Ledger, after: Ledger): void {
  for (const [index, finding] of before.findings.entries()) {
    const now = after.findings[index];
    strictEqual(now?.id, `F${index + 1}`);
    for (const key of ['id', 'implementation', 'by', 'debate', 'round', 'file', 'line'] as const) {
      strictEqual(now[key], finding[key]);
    }
    strictEqual(now.earlier[0]?.claim ?? now.claim, finding.earlier[0]?.claim ?? finding.claim);
    deepStrictEqual(now.earlier.slice(0, finding.earlier.length), finding.earlier);
  }
  for (const list of ['stances', 'positions', 'tests', 'out', 'lost'] as const) {
    deepStrictEqual(after[list].slice(0, before[list].length), before[list], `${list} only grow`);
  }
}

/** [RV2] */
function allWordsAreThere(after: Ledger, { reply, who, wasHeard }: Made): void {
  if (reply === null || !wasHeard) return;
  for (const { claim } of reply.findings) {
    if (claim === '') continue;
    const isThere = after.findings.some(
      (finding) => finding.by === who && [finding, ...finding.earlier].some((words) => words.claim.endsWith(claim)),
    );
    ok(isThere, `"${claim}" of ${who} is lost`);
  }
}

/** [RV5] */
function nobodyClosesAlone(before: Ledger, after: Ledger, { move }: Made): void {
  for (const [index, { closed, by, id }] of after.findings.entries()) {
    if (closed === null || closed === before.findings[index]?.closed) continue;
    if (closed.how === 'evidence') {
      ok(['evidence', 'engine', 'test'].includes(move.kind) || before.findings[index]?.closed?.how === 'evidence');
      continue;
    }
    const isFresh = before.findings[index]?.closed === null || before.findings[index] === undefined;
    if (!isFresh) continue;
    const said = after.stances.filter((one) => one.finding === id && one.debate === after.debate);
    const took = new Set(said.map((one) => one.reviewer));
    const isOwn = after.findings[index]?.debate === after.debate;
    const heard = new Set(after.positions.filter((one) => one.debate === after.debate).map((one) => one.reviewer));
    ok(took.size + (isOwn && !took.has(by) ? 1 : 0) >= 1 && heard.size >= 2, `${id} was closed by one side`);
    if (closed.stands) ok(took.size + (isOwn && !took.has(by) ? 1 : 0) >= 2, `${id} stands by one word alone`);
  }
}

function itIsAsThePlainRulesSay(debate: Debate, after: Ledger, naive: NaiveDebate): void {
  const closed = after.findings.map((one) =>
    one.closed === null ? null : { stands: one.closed.stands, how: one.closed.how },
  );
  deepStrictEqual(
    closed,
    naive.findings.map((one) => one.closed),
    'what is closed',
  );
  deepStrictEqual(
    after.findings.map(({ claim }) => claim),
    naive.findings.map((one) => one.words),
  );
  const open = debate.openFindings(after).map(({ id }) => id);
  deepStrictEqual(
    open,
    naive.findings.flatMap((one, index) => (naive.isOpen(one) ? [`F${index + 1}`] : [])),
  );
  strictEqual(after.round, naive.round, 'the round');
  deepStrictEqual(new Set(after.spoke), naive.spoke);
  strictEqual(debate.convergence(after).kind, naive.kind, 'what it came to');
  strictEqual(after.outcome?.kind ?? 'open', naive.kind, 'what is written down of it');
  strictEqual(debate.nextSpeaker(after), naive.next, 'whose turn it is');
}

/** [RV3] What a reviewer sees does not depend on what it may not see. */
function verdictsAreHidden(debate: Debate, after: Ledger): void {
  const live = after.reviewers.filter((reviewer) => !after.out.some(({ id }) => id === reviewer));
  const isOver = live.every((reviewer) => after.spoke.includes(reviewer));
  const isBlind = after.round === 0 && !isOver;
  for (const reviewer of after.reviewers) {
    const view = debate.reviewerSight(after, reviewer);
    const other = debate.reviewerSight(scrambled(after, isOver, isBlind), reviewer);
    deepStrictEqual(view, other, 'a verdict shows through');
    strictEqual(debate.positionText(view), debate.positionText(other));
    if (isBlind) continue;
    const shown = new Set(view.verdicts.map((one) => one.reviewer));
    // Its own verdict, and those that were there when it spoke last, it knows.
    const own = after.positions.findLastIndex((one) => one.reviewer === reviewer && one.round > 0);
    const news = live.filter(
      (other) => other !== reviewer && after.positions.findLastIndex((one) => one.reviewer === other) > own,
    );
    if (isOver) for (const one of news) ok(shown.has(one), 'verdicts are shown when all have spoken');
    strictEqual(view.open.length, debate.openFindings(after).length, 'everything that is open is shown');
  }
}

function scrambled(ledger: Ledger, isOver: boolean, isBlind: boolean): Ledger {
  const { debate, round } = ledger;
  const positions = ledger.positions.map((one) =>
    isOver || one.debate !== debate || one.round !== round
      ? one
      : {
          ...one,
          verdict: one.verdict === 'APPROVE' ? ('REVISE_ALL' as const) : ('APPROVE' as const),
          ranking: [],
          summary: 'x',
        },
  );
  return { ...ledger, positions, findings: isBlind ? [] : ledger.findings };
}

/** [RV8] */
function itEnds(after: Ledger): void {
  ok(after.round <= after.maxRounds, 'more rounds than allowed');
  const turns = after.positions.map((one) => `${one.reviewer} ${one.debate} ${one.round}`);
  strictEqual(new Set(turns).size, turns.length, 'somebody spoke twice in a round');
}

/** [RV11] */
function everythingIsAccountedFor(debate: Debate, after: Ledger): void {
  const { rows, verdicts } = debate.matrix(after);
  deepStrictEqual(
    rows.map(({ finding }) => finding.id),
    after.findings.map(({ id }) => id),
  );
  for (const { cells } of rows)
    deepStrictEqual(
      cells.map(({ reviewer }) => reviewer),
      after.reviewers,
    );
  const said = rows.flatMap(({ cells }) => cells.flatMap((cell) => cell.said));
  strictEqual(said.length, after.stances.length, 'a stance is in no cell');
  strictEqual(verdicts.flatMap((one) => one.said).length, after.positions.length);
  const { findings } = debate.summary(after);
  const { found, open, standing, withdrawn, fixed, refuted, resting } = findings;
  strictEqual(found, after.findings.length);
  strictEqual(open + standing + withdrawn + fixed + refuted + resting, found);
}

/** [RV14] */
function decisionsFollow(debate: Debate, after: Ledger): void {
  const live = after.implementations.filter(
    (one) => !after.resting.includes(one) && !after.lost.some(({ id }) => id === one),
  );
  const evidence = Object.fromEntries(live.map((one, index) => [one, { isGreen: index % 2 === 0 }]));
  const came = debate.convergence(after);
  for (const pick of ['ranking', 'tests', 'person', 'synthesis'] as const) {
    const decided = debate.decideReview(after, { pick, evidence });
    ok(
      live.length === 0 ? decided.best === null : live.includes(decided.best ?? ''),
      'the best is one of those judged',
    );
    ok(decided.decision !== 'APPROVE' || decided.best === null || evidence[decided.best]?.isGreen !== false);
    ok(came.verdict !== null || decided.needs !== null, 'where they differ somebody is asked');
    ok(!decided.isSynthesis, 'nobody synthesised');
    strictEqual(decided.reason.startsWith('Consensus'), came.kind === 'consensus', decided.reason);
  }
}
