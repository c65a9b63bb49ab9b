import { placeText } from '../rules/finding-text.ts';
import type { Closing } from '../rules/finding.ts';
import type { Stance, TestRun } from '../rules/ledger.ts';
import type { FindingView } from '../views/debate-view.ts';
import type { TextOptions } from '../../../cli/terminal/terminal.ts';
import { oneLine } from '../../../protocol/plain-text.ts';
import { STATE_STYLES } from './matrix-text.ts';
import { paragraph } from './paragraph.ts';
import { roundName } from '../rules/round-name.ts';

/** One finding: claim and place, stances and reasons, and its fate. */
export function findingText(finding: FindingView, tests: readonly TestRun[], options: TextOptions): string {
  const { id, claim, change, by, isTouched } = finding;
  const said = finding.stances.flatMap((cell) => cell.said).toSorted(inTime);
  const line = (label: string, text: string): string => paragraph(`    ${label}`, text, options);
  return [
    head(finding, options),
    line('', claim),
    ...(change === '' || change === claim ? [] : [line('change: ', change)]),
    ...finding.earlier.map((one) =>
      line(`before, by ${one.by}: `, `${one.severity}, priority ${one.priority}: ${one.claim}`),
    ),
    line(`${by}, ${roundName(finding)}: `, 'found it'),
    ...said.map((stance) => line(`${stance.reviewer}, ${roundName(stance)}: `, stanceText(stance))),
    ...tests
      .filter((test) => test.finding === id)
      .map((test) => line(`${test.reviewer}, ${roundName(test)}: `, testText(test))),
    ...(isTouched === false ? [line('', 'The revision did not touch the place it names.')] : []),
    ...(finding.closed === null ? [] : [line(`${closingWords(finding.closed)}: `, finding.closed.reason)]),
  ].join('\n');
}

function head(finding: FindingView, options: TextOptions): string {
  const { id, severity, priority, state } = finding;
  const { paint } = options;
  const what = `${severity}, priority ${priority}, ${oneLine(placeText(finding), 200)}`;
  const [first = '', ...rest] = paragraph(`${id}  ${state}: `, what, options).split('\n');
  const begun = first.slice(id.length + state.length + 2);
  return [`${paint('bold', id)}  ${paint(STATE_STYLES[state], state)}${begun}`, ...rest].join('\n');
}

const inTime = (one: Stance, other: Stance): number => one.debate - other.debate || one.round - other.round;

const STANCE_WORDS: Readonly<Record<Stance['stance'], string>> = {
  agree: 'it stands',
  disagree: 'it does not stand',
  fixed: 'it is fixed',
  revise: 'it stands in other words',
};

export const stanceText = ({ stance, reason }: Pick<Stance, 'stance' | 'reason'>): string =>
  reason === '' ? STANCE_WORDS[stance] : `${STANCE_WORDS[stance]}: ${reason}`;

export function testText({ command, exitCode, expect }: TestRun): string {
  const end = exitCode === null ? 'did not finish' : `ended with ${exitCode}`;
  return `test \`${command}\` ${end}; it was to ${expect} if the finding is right`;
}

export function closingWords({ how, stands, ...moment }: Closing): string {
  const words: Readonly<Record<Closing['how'], string>> = {
    agreed: 'stands by agreement',
    evidence: stands ? 'stands by evidence' : 'closed by evidence',
    withdrawn: 'withdrawn',
    fixed: 'fixed',
  };
  return `${words[how]}, ${roundName(moment)}`;
}
