import createDOMPurify from 'dompurify';
import { markdownHtml } from './markdown-html.ts';
import { visibleText } from './text.tsx';

/** Words of agents and files as HTML that can be shown. Loaded when the first of them is shown: it is a quarter of the page. */
export const cleanMarkdown = (text: string): string => cleanHtml(markdownHtml(text));

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
