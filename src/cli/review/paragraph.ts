import { plainText } from '../../protocol/plain-text.ts';
import { wrapWords } from '../terminal/wrap-words.ts';
import type { TextOptions } from '../artifacts/artifacts-text.ts';
import type { Style } from '../terminal/colour.ts';

/** Text beside a label, all of it, in lines that fit; what a model wrote may have lines of its own. */
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
  /** Of the label. */
  readonly style?: Style;
}
