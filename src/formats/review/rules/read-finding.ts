import { isJsonObject } from '../../../core/model/json.ts';
import { SEVERITIES, type Severity } from './finding.ts';
import { liveImplementations, type Ledger } from './ledger.ts';
import type { FindingDraft } from './review.ts';
import type { ReplyProblem } from './taken.ts';

export interface ReadFindings {
  readonly drafts: readonly FindingDraft[];
  readonly problems: readonly ReplyProblem[];
}

/** Reads new findings. Any finding with text is kept, whatever its errors. */
export function readFindings(ledger: Ledger, given: unknown): ReadFindings {
  if (given === undefined || given === null) return { drafts: [], problems: [] };
  if (!Array.isArray(given)) {
    return { drafts: [], problems: [{ code: 'FINDING_INVALID', message: '"findings" must be a list.' }] };
  }
  const problems: ReplyProblem[] = [];
  const drafts = given.flatMap((one: unknown, index) => {
    const draft = readFinding(ledger, one, (code, what) => {
      problems.push({ code, message: `Finding ${index + 1}: ${what}` });
    });
    return draft === null ? [] : [draft];
  });
  return { drafts, problems };
}

type Tell = (code: ReplyProblem['code'], what: string) => void;

function readFinding(ledger: Ledger, given: unknown, tell: Tell): FindingDraft | null {
  const fields = isJsonObject(given) ? given : { claim: typeof given === 'string' ? given : '' };
  const claim = findingField(fields.claim) || findingField(fields.change);
  if (claim === '') {
    tell('FINDING_EMPTY', 'it says nothing. Give a "claim".');
    return null;
  }
  const { path, lineBehind } = readPlace(fields.file);
  const { implementation, unknown } = readImplementation(ledger, fields.implementation, { path, tell });
  return {
    implementation,
    severity: readSeverity(fields.severity, tell),
    priority: readPriority(fields.priority, tell),
    file: path === '' ? null : withoutFolder(path, implementation),
    line: readLine(fields.line ?? lineBehind, tell),
    // The name of an unknown implementation is still part of the statement.
    claim: unknown === null ? claim : `${unknown}: ${claim}`,
    change: findingField(fields.change),
  };
}

export const findingField = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** A path as it is in the implementation; a line that stands behind it is one. */
function readPlace(given: unknown): { readonly path: string; readonly lineBehind: string | null } {
  const [, path = '', line = null] = /^(.*?)(?::(\d+)(?:[-:]\d+)?)?$/s.exec(findingField(given)) ?? [];
  return { path: path.replace(/^(?:\.?\/)+/, ''), lineBehind: line };
}

interface ReadImplementation {
  readonly implementation: string | null;
  readonly unknown: string | null;
}

function readImplementation(
  ledger: Ledger,
  given: unknown,
  { path, tell }: { readonly path: string; readonly tell: Tell },
): ReadImplementation {
  const live = liveImplementations(ledger);
  const named = findingField(given);
  if (live.includes(named)) return { implementation: named, unknown: null };
  if (ledger.implementations.includes(named)) {
    tell('IMPLEMENTATION_RESTS', `${named} is not judged now; ${live.join(', ')} are.`);
    return { implementation: named, unknown: null };
  }
  const meant = live.find((one) => path.startsWith(`${one}/`)) ?? (live.length === 1 ? live[0] : undefined);
  if (meant !== undefined && named === '') return { implementation: meant, unknown: null };
  const what = named === '' ? 'it names no implementation' : `there is no implementation "${named}"`;
  tell('IMPLEMENTATION_UNKNOWN', `${what}. There are ${live.join(', ')}.`);
  return { implementation: null, unknown: named === '' ? null : named };
}

/** Reviewers see all implementations side by side, each in a folder with its name. */
const withoutFolder = (path: string, implementation: string | null): string =>
  implementation !== null && path.startsWith(`${implementation}/`) ? path.slice(implementation.length + 1) : path;

export function readSeverity(given: unknown, tell: Tell): Severity {
  const found = SEVERITIES.find((one) => one === findingField(given).toLowerCase());
  if (found === undefined) tell('FINDING_INVALID', `"severity" must be one of ${SEVERITIES.join(', ')}.`);
  return found ?? 'major';
}

export function readPriority(given: unknown, tell: Tell): number {
  const number = typeof given === 'string' ? Number(given) : given;
  if (typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= 5) return number;
  tell('FINDING_INVALID', '"priority" must be a whole number from 1 (first) to 5.');
  return 3;
}

function readLine(given: unknown, tell: Tell): number | null {
  if (given === undefined || given === null || given === '') return null;
  const number = typeof given === 'string' ? Number(given) : given;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number > 0) return number;
  tell('FINDING_INVALID', '"line" must be the number of a line, or null.');
  return null;
}
