import type { Reply } from './debate-move.ts';

/**
 * The rules of a debate once more, as plainly as can be: one mutable record, loops, a clock that counts. Slow and without views,
 * texts or problems; what the real one decides must be the same.
 */
export class NaiveDebate {
  readonly findings: NaiveFinding[] = [];
  readonly out = new Set<string>();
  readonly aside = new Set<string>();
  readonly lost = new Set<string>();
  debate = 1;
  round = 0;
  spoke = new Set<string>();
  hasMoved = false;
  #clock = 0;
  readonly #lastWord = new Map<string, number>();
  readonly #verdicts = new Map<string, (string | null)[]>();
  readonly #tests: { who: string; key: string; debate: number }[] = [];
  readonly reviewers: readonly string[];
  readonly implementations: readonly string[];
  maxRounds: number;

  constructor(reviewers: readonly string[], implementations: readonly string[], maxRounds: number) {
    this.reviewers = reviewers;
    this.implementations = implementations;
    this.maxRounds = maxRounds;
  }

  get live(): string[] {
    return this.reviewers.filter((one) => !this.out.has(one));
  }

  get isRoundOver(): boolean {
    return this.live.every((one) => this.spoke.has(one));
  }

  get next(): string | null {
    if (this.kind !== 'open') return null;
    return this.live.find((one) => this.isRoundOver || !this.spoke.has(one)) ?? null;
  }

  isOpen(finding: NaiveFinding): boolean {
    return finding.closed === null && !this.#isAside(finding);
  }

  #isAside({ implementation }: NaiveFinding): boolean {
    return implementation !== null && (this.aside.has(implementation) || this.lost.has(implementation));
  }

  /** Whether it was heard. */
  speak(who: string, form: 'review' | 'position', reply: Reply | null): boolean {
    if (!this.live.includes(who)) return false;
    if (form === 'review' ? this.round > 0 || this.debate > 1 || this.spoke.has(who) : !this.#maySpeak(who))
      return false;
    if (form === 'position' && this.isRoundOver) {
      this.round += 1;
      this.spoke = new Set();
      this.hasMoved = false;
    }
    this.#clock += 1;
    if (form === 'position') for (const stance of reply?.stances ?? []) this.#stand(who, stance);
    for (const { implementation, claim } of reply?.findings ?? []) this.#find(who, implementation, claim);
    const verdicts = this.#verdicts.get(who) ?? [];
    const verdict = reply !== null && /^(?:APPROVE|REVISE_BEST|REVISE_ALL)$/.test(reply.verdict) ? reply.verdict : null;
    if (verdicts.at(-1) !== verdict) this.hasMoved = true;
    this.#verdicts.set(who, [...verdicts, verdict]);
    this.#lastWord.set(who, this.#clock);
    this.spoke.add(who);
    this.#close();
    return true;
  }

  #maySpeak(who: string): boolean {
    if (this.kind !== 'open') return false;
    return this.isRoundOver || (this.round > 0 && !this.spoke.has(who));
  }

  #stand(who: string, { what, stance, claim }: Reply['stances'][number]): void {
    const finding = this.findings[what];
    if (finding === undefined || !this.isOpen(finding) || !/^(?:agree|disagree|fixed|revise)$/.test(stance)) return;
    // Before a revision nothing can be fixed.
    if (stance === 'fixed' && finding.debate === this.debate) return;
    // One stance on a finding each time; the first one counts.
    if (finding.said.some((one) => one.who === who && one.at === this.#clock)) return;
    const words = stance === 'revise' ? (claim ?? finding.words) : finding.words;
    const isNew = words !== finding.words;
    if (stance === 'revise' && claim === null) return;
    finding.words = words;
    if (isNew) finding.wording += 1;
    const last = this.#last(finding, who);
    const said = {
      who,
      stance: stance === 'disagree' || stance === 'fixed' ? 'no' : 'yes',
      isFixed: stance === 'fixed',
      at: this.#clock,
      wording: finding.wording,
    } as const;
    const before = last === null ? '' : `${last.stance}${last.isFixed}${last.isReworded ? '!' : ''}${last.wording}`;
    const after = `${said.stance}${said.isFixed}${isNew ? '!' : ''}${said.wording}`;
    if (before !== after) this.hasMoved = true;
    finding.said.push({ ...said, isReworded: isNew });
  }

  #last(finding: NaiveFinding, who: string): NaiveStance | null {
    const last = finding.said.findLast((one) => one.who === who);
    if (last !== undefined) return last;
    const isOwn = finding.by === who && finding.debate === this.debate;
    return isOwn ? { who, stance: 'yes', at: -1, wording: 0, isReworded: false, isFixed: false } : null;
  }

  #find(by: string, named: string, claim: string): void {
    if (claim === '') return;
    const judged = this.implementations.filter((one) => !this.aside.has(one) && !this.lost.has(one));
    const isKnown = this.implementations.includes(named);
    const implementation = isKnown ? named : null;
    const words = isKnown || judged.includes(named) ? claim : `${named}: ${claim}`;
    const isHeld = this.findings.some(
      (one) =>
        one.by === by &&
        one.implementation === implementation &&
        one.words === words &&
        (one.closed === null ? this.#last(one, by)?.stance === 'yes' : one.closed.stands),
    );
    if (!isHeld) this.#add({ by, implementation, words });
  }

  #add(given: Pick<NaiveFinding, 'by' | 'implementation' | 'words'>): NaiveFinding {
    const { debate } = this;
    const finding: NaiveFinding = { ...given, debate, wording: 0, said: [], isTouched: null, closed: null };
    this.findings.push(finding);
    this.hasMoved = true;
    return finding;
  }

  engine(implementation: string): void {
    const words = 'a test was changed';
    const isHeld = this.findings.some(
      (one) => one.by === 'engine' && one.implementation === implementation && one.closed?.stands === true,
    );
    if (!isHeld) this.#add({ by: 'engine', implementation, words }).closed = { stands: true, how: 'evidence' };
    this.#close();
  }

  evidence(what: number, stands: boolean): void {
    const finding = this.findings[what];
    if (finding === undefined) return;
    finding.closed = { stands, how: 'evidence' };
    this.hasMoved = true;
    this.#close();
  }

  test(who: string, { what, stands, key }: { what: number; stands: boolean; key: string }): void {
    const finding = this.findings[what];
    if (finding === undefined || !this.live.includes(who)) return;
    const isShared = this.#tests.some((one) => one.who !== who && one.key === key && one.debate === this.debate);
    const side = this.#last(finding, who)?.stance === 'yes';
    this.#tests.push({ who, key, debate: this.debate });
    this.hasMoved = true;
    if (finding.closed === null && (side !== stands || isShared)) finding.closed = { stands, how: 'evidence' };
    this.#close();
  }

  drop(who: string): void {
    if (!this.reviewers.includes(who) || this.out.has(who)) return;
    this.out.add(who);
    this.hasMoved = true;
    this.#close();
  }

  lose(implementation: string): void {
    if (this.implementations.includes(implementation)) this.lost.add(implementation);
    this.#close();
  }

  reopen(chosen: readonly string[], { maxRounds, touched }: { maxRounds: number; touched: boolean }): void {
    const known = this.implementations.filter((one) => chosen.includes(one) && !this.lost.has(one));
    if (known.length > 0) {
      this.aside.clear();
      for (const one of this.implementations) if (!known.includes(one)) this.aside.add(one);
    }
    this.debate += 1;
    this.round = 1;
    this.maxRounds = maxRounds;
    this.spoke = new Set();
    this.hasMoved = false;
    this.#verdicts.clear();
    this.#lastWord.clear();
    for (const finding of this.findings) {
      finding.said = [];
      const isJudged = finding.by !== 'engine' && !this.#isAside(finding);
      if (!isJudged || finding.closed?.stands === false) continue;
      finding.isTouched = touched;
      finding.closed = null;
    }
    this.#close();
  }

  /** Closes what is agreed on. */
  #close(): void {
    if (this.live.length < 2) return;
    for (const finding of this.findings) {
      if (finding.closed !== null || finding.by === 'engine') continue;
      if (this.live.every((who) => this.#upholds(finding, who))) finding.closed = { stands: true, how: 'agreed' };
      else if (this.#isLetGo(finding))
        finding.closed = { stands: false, how: this.#isFixed(finding) ? 'fixed' : 'withdrawn' };
      else continue;
      this.hasMoved = true;
    }
  }

  #isFixed(finding: NaiveFinding): boolean {
    return finding.isTouched !== false && this.live.some((who) => this.#last(finding, who)?.isFixed === true);
  }

  #upholds(finding: NaiveFinding, who: string): boolean {
    const last = this.#last(finding, who);
    return last?.stance === 'yes' && last.wording === finding.wording;
  }

  #isLetGo(finding: NaiveFinding): boolean {
    const own = finding.said.filter((one) => one.who === finding.by);
    let since: number | null = null;
    for (const { stance, at } of own) since = stance === 'no' ? (since ?? at) : null;
    const others = this.live.filter((who) => who !== finding.by);
    if (since === null) {
      return others.length === this.live.length && others.every((who) => this.#last(finding, who)?.stance === 'no');
    }
    for (const who of others) {
      const last = this.#last(finding, who);
      if (last?.stance === 'no') continue;
      const hasObjected = last !== null && last.at > since;
      const hadItsTurn = (this.#lastWord.get(who) ?? -1) > since;
      if (hasObjected || !hadItsTurn) return false;
    }
    return true;
  }

  get kind(): string {
    const { live } = this;
    if (live.length === 0) return 'nobody';
    if (live.length === 1) return this.#verdicts.has(live[0] ?? '') ? 'single' : 'open';
    if (!this.isRoundOver) return 'open';
    const verdicts = new Set(live.map((who) => this.#verdicts.get(who)?.at(-1) ?? null));
    const isCommon = verdicts.size === 1 && !verdicts.has(null);
    if (isCommon && !this.findings.some((finding) => this.isOpen(finding))) return 'consensus';
    if (this.round > 0 && !this.hasMoved) return 'stalemate';
    return this.round >= this.maxRounds ? 'last-round' : 'open';
  }
}

interface NaiveFinding {
  by: string;
  implementation: string | null;
  debate: number;
  words: string;
  wording: number;
  /** In this debate. */
  said: NaiveStance[];
  /** Whether the last revision changed what it names; null before one. */
  isTouched: boolean | null;
  closed: { stands: boolean; how: string } | null;
}

interface NaiveStance {
  readonly who: string;
  readonly stance: 'yes' | 'no';
  readonly at: number;
  readonly wording: number;
  readonly isReworded: boolean;
  readonly isFixed: boolean;
}
