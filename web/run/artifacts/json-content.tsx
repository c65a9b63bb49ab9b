import { useMemo, type ReactNode } from 'react';
import type { Json } from '../../../src/core/json.ts';
import { PlainText } from '../../ui/plain-text.tsx';

/** JSON with its lines in order; what is none is text. */
export function JsonContent({ text }: { readonly text: string }): ReactNode {
  const shaped = useMemo(() => {
    try {
      return JSON.stringify(JSON.parse(text) as Json, null, 2);
    } catch {
      return null;
    }
  }, [text]);
  return (
    <>
      {shaped === null && <p className="pb-2 text-warn">It is not JSON, whatever its name says.</p>}
      <PlainText text={shaped ?? text} />
    </>
  );
}
