/** Follows the conversation in every wire format: the tools and what comes after them. Inside a text it would be quoted. */
const TOOLS = '"tools":[';

/** Compared in chunks: string comparison is faster than a loop over characters. */
const CHUNK = 4096;

/** Where the tools and what follows them begin; the end of the text if there are none. */
export function tailOf(text: string): number {
  const at = text.lastIndexOf(TOOLS);
  return at === -1 ? text.length : at;
}

/** How many characters at the start two requests share, and whether they have the same tail. No text of a message is cut. */
export function commonEnds(before: string, now: string): { readonly start: number; readonly end: number } {
  const tail = tailOf(now);
  const most = Math.min(before.length, tail);
  let same = 0;
  while (same + CHUNK <= most && before.slice(same, same + CHUNK) === now.slice(same, same + CHUNK)) same += CHUNK;
  while (same < most && before.charCodeAt(same) === now.charCodeAt(same)) same += 1;
  const end = now.length - tail;
  const start = startBefore(now, same);
  return { start, end: before.length - start >= end && before.endsWith(now.slice(tail)) ? end : 0 };
}

/** The nearest position before it that is outside of texts: inside one the quotation mark would be escaped. */
function startBefore(text: string, at: number): number {
  const isBetween = /[^\\]"[}\]]+$/.test(text.slice(Math.max(0, at - 12), at));
  return isBetween || at === 0 ? at : Math.max(0, text.lastIndexOf('{"', at - 1));
}
