import { type ReactNode, useMemo, useSyncExternalStore } from 'react';
import { PlainText } from './text.tsx';

type CleanMarkdown = (text: string) => string;

/** More than this is no prose; shaping it would hold up the page. */
const LONGEST = 60_000;

/** Words of agents and files as markdown: hostile until cleaned, and nothing in it is loaded. */
export function Markdown({ text }: { readonly text: string }): ReactNode {
  const clean = useSyncExternalStore(onLoaded, loaded);
  const html = useMemo(() => (clean === null || text.length > LONGEST ? null : clean(text)), [clean, text]);
  if (html === null) return <PlainText text={text} />;
  // oxlint-disable-next-line react/no-danger -- cleaned just above
  return <div className="markdown" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />;
}

/** Until its code is there, and where it cannot be loaded, the words are shown as they are. */
let cleanMarkdown: CleanMarkdown | null = null;
let isAsked = false;
const waiting = new Set<() => void>();

const loaded = (): CleanMarkdown | null => cleanMarkdown;

function onLoaded(tell: () => void): () => void {
  waiting.add(tell);
  if (!isAsked) void load();
  return () => waiting.delete(tell);
}

async function load(): Promise<void> {
  isAsked = true;
  try {
    ({ cleanMarkdown } = await import('./clean-markdown.ts'));
    for (const tell of waiting) tell();
  } catch {
    // The next words that are shown ask again.
    isAsked = false;
  }
}
