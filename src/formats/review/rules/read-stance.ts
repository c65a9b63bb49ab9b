import { isJsonObject } from '../../../core/model/json.ts';
import { SEVERITIES, type ReviewFinding } from './finding.ts';
import type { Ledger } from './ledger.ts';
import { findingRef } from './finding-text.ts';
import { openFindings, stateOf } from './open-findings.ts';
import { isAgainst, STANCES, type Rewording, type StanceDraft, type StanceKind } from './position.ts';
import { findingField } from './read-finding.ts';
import type { ReplyProblem } from './taken.ts';

export interface ReadStances {
  readonly stances: readonly StanceDraft[];
  readonly problems: readonly ReplyProblem[];
}

/** The stances that can be taken: one for each finding, on findings that are open. */
export function readStances(ledger: Ledger, given: unknown): ReadStances {
  const list: readonly unknown[] = Array.isArray(given) ? given : [];
  const problems: ReplyProblem[] = [];
  const stances = new Map<string, StanceDraft>();
  if (given !== undefined && given !== null && !Array.isArray(given)) {
    problems.push({ code: 'STANCE_UNKNOWN', message: '"stances" must be a list.' });
  }
  for (const one of list) {
    const read = readStance(ledger, one);
    const twice = 'finding' in read && stances.has(read.finding);
    if (twice) {
      problems.push({ code: 'STANCE_TWICE', message: `There are two stances on ${read.finding}; give one.` });
    } else if ('finding' in read) {
      stances.set(read.finding, read);
      problems.push(...flawsOf(read));
    } else if (read.code !== null) {
      problems.push({ code: read.code, message: read.message });
    }
  }
  return { stances: [...stances.values()], problems };
}

/** Nothing to take, and what is wrong with that; a null code when nothing is. */
type NoStance = { readonly code: ReplyProblem['code'] | null; readonly message: string };

function readStance(ledger: Ledger, given: unknown): StanceDraft | NoStance {
  const fields = isJsonObject(given) ? given : {};
  const id = findingField(fields.finding).toUpperCase();
  const finding = ledger.findings.find((one) => one.id === id);
  if (finding === undefined) {
    return {
      code: 'FINDING_UNKNOWN',
      message: `There is no finding "${findingField(fields.finding)}". ${openText(ledger)}`,
    };
  }
  const stance = STANCES.find((one) => one === findingField(fields.stance).toLowerCase());
  if (stance === undefined) {
    const message = `"${findingField(fields.stance)}" is no stance on ${findingRef(finding)}. Give one of ${STANCES.join(', ')}.`;
    return { code: 'STANCE_UNKNOWN', message };
  }
  if (stateOf(ledger, finding) !== 'open') return onClosed(ledger, finding, stance);
  if (stance === 'fixed' && finding.debate === ledger.debate) {
    const message = `${findingRef(finding)} cannot be fixed yet: nothing was revised since it was found. Give agree, disagree or revise.`;
    return { code: 'STANCE_UNKNOWN', message };
  }
  const reason = findingField(fields.reason);
  const change = stance === 'revise' ? readChange(fields.change, reason) : null;
  if (stance === 'revise' && change === null) {
    return {
      code: 'CHANGE_MISSING',
      message: `You revise ${findingRef(finding)}, but "change" does not say how it should read.`,
    };
  }
  return { finding: id, stance, reason, change };
}

function openText(ledger: Ledger): string {
  const open = openFindings(ledger).map(findingRef);
  return open.length === 0 ? 'None is open.' : `Open are ${open.join(', ')}.`;
}

/** Repeating what was settled is no mistake, nor is a stance on a finding that rests. */
function onClosed(ledger: Ledger, finding: ReviewFinding, stance: StanceKind): NoStance {
  const state = stateOf(ledger, finding);
  const isSame = state === 'resting' || (state === 'standing' ? stance === 'agree' : isAgainst(stance));
  const why = finding.closed?.reason ?? '';
  return {
    code: isSame ? null : 'FINDING_CLOSED',
    message: `${findingRef(finding)} is no longer debated (${state}): ${why}`,
  };
}

/** The new wording of a finding; a reason alone becomes the proposed change. */
function readChange(given: unknown, reason: string): Rewording | null {
  const fields = isJsonObject(given) ? given : {};
  const severity = SEVERITIES.find((one) => one === findingField(fields.severity).toLowerCase());
  const priority = [1, 2, 3, 4, 5].find((one) => one === Number(fields.priority ?? Number.NaN));
  const said = { severity, priority, claim: findingField(fields.claim), change: findingField(fields.change) };
  const rewording: Rewording = Object.fromEntries(
    Object.entries(said).filter(([, value]) => value !== undefined && value !== ''),
  );
  if (Object.keys(rewording).length > 0) return rewording;
  return reason === '' ? null : { change: reason };
}

function flawsOf({ finding, stance, reason }: StanceDraft): readonly ReplyProblem[] {
  if (stance === 'agree' || reason !== '') return [];
  return [{ code: 'REASON_MISSING', message: `You ${stance} on ${finding} without a reason.` }];
}
