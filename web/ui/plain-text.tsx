import { useMemo, useState, type ReactNode } from 'react';
import { shortCount } from '../../src/core/amount-text.ts';
import { visibleText } from './visible-text.ts';

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
