import { isJsonObject } from '../json.ts';
import { readKeywords, type ProseAbout } from './read-keywords.ts';

/** What a reviewer meant that handed nothing in: a JSON object in its text, else what its prose says. For `takeReview` and `takePosition`. */
export function readReply(text: string, about: ProseAbout): unknown {
  return objectIn(text) ?? readKeywords(text, about);
}

/** The last object with a verdict, of those that stand in a fence or are the whole text. */
function objectIn(text: string): unknown {
  const blocks = [...text.matchAll(/^\s*```(?:json)?[ \t]*\n([\s\S]*?)^\s*```/gm)].map((match) => match[1] ?? '');
  return [text, ...blocks].map(parsed).findLast((value) => isJsonObject(value) && 'verdict' in value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
