/** How far a form was found at one place of a text. */
export interface MatchLength {
  /** Behind its last character; null when it is not there, or not all of it. */
  readonly end: number | null;
  /** The text ended before the form did. */
  readonly isCut: boolean;
}

/** More white space than this at one place does not come from wrapping lines. */
export const LONGEST_GAP = 80;

/** Compares from `start`. Line breaks and indentation between characters do not count: encoders wrap their lines. */
export function matchLength(text: string, start: number, form: string): MatchLength {
  let at = start;
  for (let index = 0; index < form.length; index += 1) {
    if (at < text.length && text.charCodeAt(at) !== form.charCodeAt(index) && index > 0) at += whiteSpaceAt(text, at);
    if (at >= text.length) return CUT;
    if (text.charCodeAt(at) !== form.charCodeAt(index)) return isCutEscape(text, at) ? CUT : NOT_THERE;
    at += 1;
  }
  return { end: at, isCut: false };
}

const CUT: MatchLength = { end: null, isCut: true };
const NOT_THERE: MatchLength = { end: null, isCut: false };

/** A backslash at the very end: the line break it stands for may follow. */
const isCutEscape = (text: string, at: number): boolean => at === text.length - 1 && text[at] === '\\';

/** How many characters from here on are white space, or stand for it in a JSON text. */
function whiteSpaceAt(text: string, from: number): number {
  let at = from;
  while (at < text.length && at - from < LONGEST_GAP) {
    if (isWhiteSpace(text.charCodeAt(at))) at += 1;
    else if (text[at] === '\\' && isEscaped(text[at + 1])) at += 2;
    else break;
  }
  return at - from;
}

/** The same, backwards from the character before `to`. */
export function whiteSpaceBehind(text: string, to: number): number {
  let at = to;
  while (at > 0 && to - at < LONGEST_GAP) {
    if (isWhiteSpace(text.charCodeAt(at - 1))) at -= 1;
    else if (text[at - 2] === '\\' && isEscaped(text[at - 1])) at -= 2;
    else break;
  }
  return to - at;
}

const isWhiteSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);
const isEscaped = (letter: string | undefined): boolean => letter === 'n' || letter === 'r' || letter === 't';
