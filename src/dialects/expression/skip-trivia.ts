const TRIVIA = /(?:\s|\/\/.*|\/\*[^]*?\*\/)*/y;

/** Where the next token starts: after white space and comments. Nothing follows the loop in the pattern, so it never backtracks. */
export function skipTrivia(source: string, from: number): number {
  TRIVIA.lastIndex = from;
  TRIVIA.test(source);
  return TRIVIA.lastIndex;
}
