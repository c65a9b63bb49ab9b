/**
 * Where a function is defined in a file: by the forms that the common languages have for it, line by line. No parser: it
 * only has to tell once from never and from several times, and words in comments and texts are left out.
 */
export function locateFunction(text: string, name: string): readonly number[] {
  const { owner, own } = partsOf(name);
  if (own === null) return [];
  const lines = withoutWords(text).split('\n');
  const found = [...lines.keys()].filter((at) => definesAt(lines, at, own));
  const owned = owner === null ? found : found.filter((at) => isWithin(lines, at, owner));
  return owned.map((at) => at + 1);
}

/** `total`, `total()`, `Cart.total`, `Cart::total`, `Cart#total`. */
function partsOf(name: string): { readonly owner: string | null; readonly own: string | null } {
  const names = name
    .trim()
    .replace(/\(.*\)$/s, '')
    .split(/::|[.#]/);
  const areNames = names.every((one) => /^[\p{L}_$][\p{L}\p{N}_$]*[?!]?$/u.test(one));
  const [own = null, owner = null] = areNames ? names.reverse() : [];
  return { owner, own };
}

function definesAt(lines: readonly string[], at: number, name: string): boolean {
  const line = lines[at] ?? '';
  if (!line.includes(name) || line.length > LONGEST_LINE) return false;
  const word = escaped(name);
  if (FORMS.some((form) => new RegExp(form.replaceAll('NAME', word), 'u').test(line))) return true;
  return isMember(lines, at, word);
}

/** A longer line was generated. */
const LONGEST_LINE = 5000;

/** Characters that, next to a name, make it part of a longer one. */
const START = String.raw`(?<![\p{L}\p{N}_$.])`;
const END = String.raw`(?![\p{L}\p{N}_$?!])`;
const NAME = `${START}NAME${END}`;

const FORMS: readonly string[] = [
  // def, function, func, fn, fun, sub, proc, defun and their like, with what stands between keyword and name:
  // `def self.f`, `func (s *T) f`, `fun <T> T.f`, `local function m.f`, `defp f`, `function* f`.
  String.raw`(?<![\p{L}\p{N}_$.])(?:defp?|defmacro|function\*?|func|fn|fun|sub|proc|procedure|method|macro_rules!|defn-?|defun)\s+(?:\([^)]*\)\s*|<[^>]*>\s*|&\s*)?(?:[\p{L}\p{N}_$?<>]+[.:])*NAME${END}`,
  // function* f, where the star stands at the name.
  String.raw`(?<![\p{L}\p{N}_$.])function\s*\*\s*NAME${END}`,
  // const f = (…) =>, let f = async x =>, exports.f = function, f = lambda; not the argument of a call.
  String.raw`^[\p{L}\p{N}_$.\s]*?(?<![\p{L}\p{N}_$])NAME\s*(?::[^=]+)?=\s*(?:async\b\s*)?(?:function\b|lambda\b|fun\b|(?:<[^>]*>\s*)?\([^)]*\)\s*(?::[^=]+)?=>|[\p{L}_$][\p{L}\p{N}_$]*\s*=>)`,
  // const f = (, with parameters on the lines below
  String.raw`(?:const|let|var)\s+${NAME}\s*(?::[^=]+)?=\s*(?:async\s*)?(?:<[^>]*>\s*)?\(\s*$`,
  // f: function (…), f: (…) =>
  String.raw`^\s*['"]?${NAME}['"]?\s*:\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*=>)`,
  // f <- function(…)
  String.raw`${NAME}\s*(?:<-|<<-)\s*function\b`,
  // f() { in shells
  String.raw`^\s*${NAME}\s*\(\s*\)\s*\{?\s*$`,
  // f :: Int -> Int
  String.raw`^${NAME}\s*::`,
];

/** Keywords that come before a parenthesis without a definition. */
const NO_TYPES = new Set(
  'return await new throw else yield delete typeof not and or in of if while for switch case import assert raise print echo'.split(
    ' ',
  ),
);

/**
 * `f(…) {` in a class, `int f(…) {`, `public static List<T> f(…)`: a name with parameters and a body, behind nothing or
 * behind words that are modifiers and types. The body may begin on one of the next lines.
 */
function isMember(lines: readonly string[], at: number, word: string): boolean {
  const found = new RegExp(
    String.raw`^(?<before>[\p{L}\p{N}_$<>\[\],.:*&?@~\s#]*?)${START}${word}\s*(?:<[^>()]*>)?\((?<rest>.*)$`,
    'u',
  ).exec(lines[at] ?? '');
  if (found?.groups === undefined) return false;
  const before = found.groups['before'] ?? '';
  const words = before.trim().split(/[^\p{L}\p{N}_$]+/u);
  if (words.some((each) => NO_TYPES.has(each)) || /[.:]\s*$/.test(before.replace(/::\s*$/, ''))) return false;
  return hasBody(lines, at, found.groups['rest'] ?? '');
}

/** Parameters on many lines are rare above this. */
const MOST_LINES = 30;

/** After the closing parenthesis comes a brace, an arrow, or `=` with an expression, not an end or an operator. */
function hasBody(lines: readonly string[], at: number, rest: string): boolean {
  let depth = 1;
  let line = rest;
  for (let ahead = 0; ahead < MOST_LINES; ahead += 1) {
    for (const [offset, character] of Array.from(line).entries()) {
      if (character === '(') depth += 1;
      if (character === ')') depth -= 1;
      if (depth === 0)
        return opens(
          Array.from(line)
            .slice(offset + 1)
            .join(''),
          lines[at + ahead + 1] ?? '',
        );
    }
    line = lines[at + ahead + 1] ?? '';
  }
  return false;
}

function opens(after: string, next: string): boolean {
  const end = after.trim();
  if (end === '') return /^\s*(?:\{|:\s|throws\b|const\b|noexcept\b|where\b)/.test(next);
  return (
    /^(?:(?:const|noexcept|override|final|async|throws)\b[^;{]*|:[^;={]+|->[^;{]+)?(?:\{|=>|=\s*default|$)/.test(end) &&
    !end.startsWith(';')
  );
}

/** A receiver or a prefix names the owner, or the nearest thing around it that has a name does. */
function isWithin(lines: readonly string[], at: number, owner: string): boolean {
  const word = `(?<![\\p{L}\\p{N}_$])${escaped(owner)}`;
  const line = lines[at] ?? '';
  // `func (c *Cart) total`, `Cart.total = function`, `void Cart::total(`.
  if (new RegExp(String.raw`${word}(?:\)|::|\.|:)`, 'u').test(line)) return true;
  const around = aroundOf(lines, at).find(
    (text) => OPENS.test(text) || new RegExp(String.raw`${word}\s*[=:]\s*\{`, 'u').test(text),
  );
  return around !== undefined && new RegExp(String.raw`${word}(?![\p{L}\p{N}_$])`, 'u').test(around);
}

const OPENS = /(?:class|struct|interface|trait|impl|module|object|enum|record|extension|namespace|protocol)\b/;

/** The lines that it is indented under, the nearest first. */
function aroundOf(lines: readonly string[], at: number): readonly string[] {
  const around: string[] = [];
  let indent = indentOf(lines[at] ?? '');
  for (const text of lines.slice(0, at).toReversed()) {
    if (text.trim() === '' || indentOf(text) >= indent) continue;
    indent = indentOf(text);
    around.push(text);
  }
  return around;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

const escaped = (text: string): string => text.replaceAll(/[$?!]/g, String.raw`\$&`);

/** The text with comments and texts in quotes blanked out, line for line. */
function withoutWords(text: string): string {
  return text.replaceAll(WORDS, (whole) => whole.replaceAll(/[^\n]/g, ' '));
}

/** Longest first. A quote that does not end on its line is taken for what it is: an apostrophe, a lifetime, a typo. */
const WORDS =
  /"""[\s\S]*?"""|'''[\s\S]*?'''|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|(?<=^|\s)(?:\/\/|#(?![[!{]|include|define|if|else|endif|pragma|\w+\()|--(?!\s*>)\s|;;|%\s).*$/gm;
