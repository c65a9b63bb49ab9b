import { type ReactNode, useMemo, useState } from 'react';
import { shortCount } from '../../src/core/look/amount-text.ts';

/**
 * Words of agents and names of files may hide what they say: escape sequences of terminals, marks that turn the direction of
 * writing, characters without a shape. Sequences are taken out; the others are shown for what they are.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll(ESCAPES, '')
    .replaceAll('\r\n', '\n')
    .replaceAll(CONTROLS, (mark) => String.fromCodePoint(0x24_00 + (mark.codePointAt(0) ?? 0)).replace('\u{247F}', '␡'))
    .replaceAll(HIDDEN, (marks) => hiddenSign(Array.from(marks)));
}

/** CSI, OSC (ended by BEL or ST), and the two-character sequences. */
const ESCAPES =
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  /\u001B\[[0-?]*[ -/]*[@-~]|\u001B[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)?|\u009B[0-?]*[ -/]*[@-~]|\u001B[ -/]*[0-~]/g;

// oxlint-disable-next-line no-control-regex -- these are what is looked for
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F]/g;

/** Direction marks, C1 controls, shapeless characters and tags. The joiner that emoji are built with stays. */
const HIDDEN =
  /[\u0080-\u009F\u00AD\u061C\u115F\u1160\u180E\u200B\u200E\u200F\u2028\u2029\u202A-\u202E\u2060-\u2064\u2066-\u206F\u3164\uFEFF\uFFA0\u{E0000}-\u{E007F}]+/gu;

function hiddenSign(marks: readonly string[]): string {
  const names = marks.map((mark) => `U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
  return names.length > 4 ? `⟦${names.length} hidden characters⟧` : `⟦${names.join(' ')}⟧`;
}

const FIRST = 40_000;

/** Text as it is: no markup, no terminal's colours, nothing hidden. Long ones are shown in part until asked. */
export function PlainText({ text, className = '' }: { readonly text: string; readonly className?: string }): ReactNode {
  const [shown, setShown] = useState(FIRST);
  const visible = useMemo(() => visibleText(text.slice(0, shown)), [text, shown]);
  const left = text.length - shown;
  return (
    <>
      <pre className={`whitespace-pre-wrap wrap-anywhere font-mono text-sm ${className}`}>{visible}</pre>
      {left > 0 && (
        <button type="button" className="text-accent underline" onClick={() => setShown(shown * 5)}>
          Show more ({shortCount(left)} characters left)
        </button>
      )}
    </>
  );
}
