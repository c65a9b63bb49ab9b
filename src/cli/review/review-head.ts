import type { ReviewRun } from '../../protocol/review/review-run.ts';
import type { Unverified } from '../../core/unverified.ts';
import type { TextOptions } from '../artifacts/artifacts-text.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import { statusText } from '../../protocol/status-word.ts';
import { paragraph } from './paragraph.ts';

/** Which run, how it stands, and what it is about. */
export function reviewHead(view: ReviewRun, options: TextOptions): string {
  const { run, workflow, task, failure, unverified } = view;
  const line = (label: string, text: string): string =>
    paragraph(label.padEnd(10), text, { ...options, style: 'bold' });
  return [
    line('run', `${run}  ${oneLine(workflow, 40)}`),
    line('status', statusText(view)),
    ...(task === '' ? [] : [line('task', oneLine(task, 300))]),
    ...(failure === null ? [] : [line('failure', oneLine(failure.message, 400))]),
    ...(unverified === null ? [] : offerLines(run, unverified).map((text, at) => line(at === 0 ? 'best' : '', text))),
  ].join('\n');
}

/** What there is all the same, and how it is got. */
const offerLines = (run: string, { implementation, why }: Unverified): readonly string[] => [
  `${implementation}, NOT VERIFIED: ${oneLine(why, 400)}`,
  `look: troupe diff ${run} --agent ${implementation}`,
  `take it marked: troupe deliver ${run} --agent ${implementation} --unverified`,
];
