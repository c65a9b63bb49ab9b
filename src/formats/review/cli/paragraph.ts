import { oneLine, plainText } from '../../../protocol/plain-text.ts';
import { wrapWords } from '../../../cli/terminal/wrap-words.ts';
import type { TextOptions } from '../../../cli/terminal/terminal.ts';
import type { Style } from '../../../cli/terminal/colour.ts';
import type { ReviewRun } from '../views/review-run.ts';
import type { Unverified } from '../../../core/look/unverified.ts';
import { statusText } from '../../../protocol/status-word.ts';

/** Text next to a label, in lines that fit; keeps line breaks in a model's text. */
export function paragraph(label: string, text: string, { width, paint, style }: ParagraphOptions): string {
  const room = Math.max(label.length + 20, width);
  const indent = ' '.repeat(label.length <= SHORT ? label.length : label.search(/\S|$/) + STEP);
  const lines = plainText(text).trim().split('\n');
  const wrapped = lines.map((line) => wrapWords(line.trimEnd(), { width: room, first: label.length, indent }));
  const head = style === undefined ? label : paint(style, label);
  return wrapped.map((line, index) => `${index === 0 ? head : indent}${line}`.trimEnd()).join('\n');
}

/** Below a longer label its text would be a narrow strip at the right. */
const SHORT = 12;
const STEP = 4;

interface ParagraphOptions extends TextOptions {
  /** The style of the label. */
  readonly style?: Style;
}

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

/** The unverified result, and how to get it. */
const offerLines = (run: string, { implementation, why }: Unverified): readonly string[] => [
  `${implementation}, NOT VERIFIED: ${oneLine(why, 400)}`,
  `look: troupe diff ${run} --agent ${implementation}`,
  `take it marked: troupe deliver ${run} --agent ${implementation} --unverified`,
];
