/** How many tests a run of them says passed and failed. */
export interface TestCounts {
  readonly passed: number | null;
  readonly failed: number | null;
}

/** Read from what common runners print at the end; null where none of them is known. The exit code decides, not these. */
export function testCounts(output: string): TestCounts {
  for (const read of READERS) {
    const counts = read(output);
    if (counts !== null) return counts;
  }
  return { passed: null, failed: null };
}

type Reader = (output: string) => TestCounts | null;

/** The number before a word, in one line; none when it is not there. */
const before = (line: string, word: RegExp): number => Number(new RegExp(`(\\d+) ${word.source}`).exec(line)?.[1] ?? 0);

/** All lines of a kind are summed: a workspace of packages prints one each. */
function lines(pattern: RegExp, read: (line: string) => readonly [number, number]): Reader {
  return (output) => {
    const found = output.match(pattern);
    if (found === null) return null;
    let [passed, failed] = [0, 0];
    for (const line of found) {
      const [good, bad] = read(line);
      passed += good;
      failed += bad;
    }
    return { passed, failed };
  };
}

/** Two lines, such as `# pass 3` and `# fail 0`. */
function pair(good: RegExp, bad: RegExp): Reader {
  return (output) => {
    const [passed, failed] = [sum(output, good), sum(output, bad)];
    return passed === null && failed === null ? null : { passed: passed ?? 0, failed: failed ?? 0 };
  };
}

function sum(output: string, pattern: RegExp): number | null {
  const found = [...output.matchAll(pattern)];
  return found.length === 0 ? null : found.reduce((total, [, number]) => total + Number(number), 0);
}

const count = (output: string, pattern: RegExp): number => output.match(pattern)?.length ?? 0;

const READERS: readonly Reader[] = [
  // vitest: "Tests  1 failed | 5 passed (6)"; jest: "Tests: 1 failed, 5 passed, 6 total"
  lines(/^\s*Tests:?\s+\d+ \w.*$/gm, (line) => [before(line, /passed/), before(line, /failed/)]),
  // cargo: "test result: ok. 5 passed; 0 failed; …"; deno: "ok | 5 passed | 0 failed (3ms)"
  lines(/^(?:test result: |(?:ok|FAILED) \| ).*\d+ passed.*$/gm, (line) => [
    before(line, /passed/),
    before(line, /failed/),
  ]),
  // node:test, in both of its forms
  pair(/^(?:#|ℹ) pass (\d+)$/gm, /^(?:#|ℹ) fail (\d+)$/gm),
  // pytest: "==== 1 failed, 5 passed in 0.12s ===="
  lines(/^(?:=+ )?(?:\d+ \w+, )*\d+ (?:passed|failed|errors?)\b.* in [\d.]+s.*$/gm, (line) => [
    before(line, /passed/),
    before(line, /failed/) + before(line, /errors?/),
  ]),
  // unittest
  (output) => {
    const ran = sum(output, /^Ran (\d+) tests? in /gm);
    if (ran === null) return null;
    const failed = sum(output, /\b(?:failures|errors)=(\d+)/g) ?? 0;
    return { passed: Math.max(0, ran - failed), failed };
  },
  // mocha
  pair(/^\s+(\d+) passing\b/gm, /^\s+(\d+) failing\b/gm),
  // bun
  pair(/^\s*(\d+) pass$/gm, /^\s*(\d+) fail$/gm),
  // rspec: "6 examples, 1 failure"
  lines(/^\d+ examples?, \d+ failures?.*$/gm, (line) => {
    const failed = before(line, /failures?/);
    return [before(line, /examples?/) - failed, failed];
  }),
  // go: single tests with -v, else packages
  (output) => {
    const [passed, failed] = [count(output, /^\s*--- PASS: /gm), count(output, /^\s*--- FAIL: /gm)];
    if (passed + failed > 0) return { passed, failed };
    const [good, bad] = [count(output, /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/gm), count(output, /^FAIL\t\S+/gm)];
    return good + bad > 0 ? { passed: good, failed: bad } : null;
  },
  // TAP without a summary
  (output) => {
    if (!/^1\.\.\d+/m.test(output)) return null;
    return { passed: count(output, /^ok\b/gm), failed: count(output, /^not ok\b/gm) };
  },
];
