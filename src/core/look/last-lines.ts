const MOST_LINES = 20;
const MOST_CHARS = 2000;
const MOST_TESTS = 5;

/** The end of what a check printed, after the lines before it that name failed tests. */
export function lastLines(output: string): string {
  const lines = output.replaceAll(COLOURS, '').trimEnd().split('\n');
  const end = lines.slice(-MOST_LINES);
  const tests = lines.slice(0, -MOST_LINES).filter((line) => FAILED_TEST.test(line));
  const named = tests.slice(0, MOST_TESTS).map((line) => line.slice(0, MOST_CHARS / (2 * MOST_TESTS)));
  const head = lines.length > end.length ? [...named, '[…]'] : [];
  return [...head, end.join('\n').slice(-MOST_CHARS)].join('\n').toWellFormed();
}

const COLOURS = new RegExp(String.raw`\u001B\[[\d;]*[A-Za-z]`, 'g');

/** As Vitest, Jest, pytest, Go, Cargo, TAP and Node print them. */
const FAILED_TEST = /^\s*(?:FAIL(?:ED)?\b|--- FAIL:|not ok\b|[✗✖×✕] |test .* \.\.\. FAILED)/;
