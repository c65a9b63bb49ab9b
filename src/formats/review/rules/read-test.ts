import { isJsonObject } from '../../../core/model/json.ts';
import type { Ledger } from './ledger.ts';
import { openFindings } from './open-findings.ts';
import type { ProposedTest } from './position.ts';
import { findingField } from './read-finding.ts';
import type { ReplyProblem } from './taken.ts';

export interface ReadTest {
  readonly test: ProposedTest | null;
  readonly problems: readonly ReplyProblem[];
}

/** A test that a reviewer wants to be run. */
export function readTest(ledger: Ledger, given: unknown): ReadTest {
  if (given === undefined || given === null) return { test: null, problems: [] };
  const fields = isJsonObject(given) ? given : {};
  const finding = findingField(fields.finding).toUpperCase();
  const command = findingField(fields.command);
  const expect = findingField(fields.expect).toLowerCase();
  if (!openFindings(ledger).some(({ id }) => id === finding)) {
    return invalid(`"${findingField(fields.finding)}" is no open finding.`);
  }
  if (command === '') return invalid('it has no command.');
  if (expect !== 'pass' && expect !== 'fail') {
    return invalid('"expect" must be pass or fail: how the command ends if the finding is right.');
  }
  return { test: { finding, command, expect }, problems: [] };
}

const invalid = (what: string): ReadTest => ({
  test: null,
  problems: [{ code: 'TEST_INVALID', message: `The test cannot be run: ${what}` }],
});
