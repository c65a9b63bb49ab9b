import { useMemo, type ReactNode } from 'react';
import { cleanHtml } from './clean-html.ts';
import { markdownHtml } from './markdown-html.ts';
import { PlainText } from './plain-text.tsx';

/** More than this is no prose; shaping it would hold up the page. */
const LONGEST = 60_000;

/** Words of agents and files as markdown: hostile until cleaned, and nothing in it is loaded. */
export function Markdown({ text }: { readonly text: string }): ReactNode {
  const isLong = text.length > LONGEST;
  const html = useMemo(() => (isLong ? '' : cleanHtml(markdownHtml(text))), [text, isLong]);
  if (isLong) return <PlainText text={text} />;
  // oxlint-disable-next-line react/no-danger -- cleaned just above
  return <div className="markdown" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />;
}
