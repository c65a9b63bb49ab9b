import { type ReactNode, useMemo } from 'react';
import { markdownHtml } from './markdown-html.ts';
import { PlainText, visibleText } from './text.tsx';
import createDOMPurify from 'dompurify';

const TAGS =
  'a b blockquote br code del em h1 h2 h3 h4 h5 h6 hr i li ol p pre s strong sub sup table tbody td th thead tr ul'.split(
    ' ',
  );

/** Only shapes of text: no pictures, forms, styles, ids or scripts; links open elsewhere and say nothing of where they were. */
function cleanHtml(html: string): string {
  return PURIFY.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'align', 'start'],
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });
}

const PURIFY = createDOMPurify(window);

PURIFY.addHook('afterSanitizeAttributes', (node) => {
  // A wide one scrolls by itself, which must be possible with keys.
  if (node.tagName === 'TABLE') node.setAttribute('tabindex', '0');
  const href = node.getAttribute('href');
  if (node.tagName !== 'A' || href === null) return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer nofollow');
  node.setAttribute('title', visibleText(href));
});
PURIFY.addHook('uponSanitizeElement', (node) => {
  // What was written as an entity is the character itself only now.
  if (node.nodeType === Node.TEXT_NODE) node.textContent = visibleText(node.textContent ?? '');
});

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
