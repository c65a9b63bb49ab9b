import { createSandbox, type Sandbox } from './sandbox.ts';

const WORKFLOW = `name: two_minds
implementers: [base, { model: base, name: other }, { model: base, name: lazy }]
reviewers: [base, { model: base, name: ann }]
verify: node --test test.mjs
max_rounds: 3
final_rounds: 2
`;

const TEST = `import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { double } from './double.mjs';
test('doubles', () => assert.equal(double(2), 4));
`;

/** Three write a function, one of them wrongly and one not at all; two reviewers find it and differ about a name. */
const ANSWERS = `
rules:
  - when: { agent: impl_1, state: implement, call: 1 }
    reply:
      tools: [{ name: write_file, arguments: { path: double.mjs, content: "export const double = (n) => n + n;\\n" } }]
  - when: { agent: impl_1, state: revise, call: 1 }
    reply:
      tools: [{ name: write_file, arguments: { path: double.mjs, content: "export const double = (value) => value + value;\\n" } }]
  - when: { agent: other, state: implement, call: 1 }
    reply:
      tools:
        - { name: write_file, arguments: { path: double.mjs, content: "// Squares it.\\nexport const double = (n) => n ** 3;\\n" } }
        - { name: write_file, arguments: { path: test.mjs, content: "// Nothing.\\n" } }
  - when: { agent: lazy }
    reply: { status: 400, message: It does not want to. }
  - when: { agent: [impl_1, other] }
    reply: Done.
  - when: { agent: rev_1, state: review }
    reply:
      tools:
        - name: hand_in_review
          arguments:
            verdict: REVISE_BEST
            ranking: [impl_1, other]
            summary: One of them is wrong.
            findings:
              - { implementation: other, severity: critical, priority: 1, file: double.mjs, line: 2, claim: It is a cube., change: Add it. }
  - when: { agent: ann, state: review }
    reply:
      tools:
        - name: hand_in_review
          arguments:
            verdict: REVISE_BEST
            ranking: [impl_1, other]
            summary: ""
            findings:
              - { implementation: impl_1, severity: minor, priority: 3, file: double.mjs, line: 1, claim: The name says nothing., change: Call it value. }
  - when: { agent: rev_1, state: debate, visit: 1 }
    reply:
      tools:
        - name: hand_in_position
          arguments:
            verdict: REVISE_BEST
            ranking: [impl_1, other]
            stances: [{ finding: F1, stance: agree, reason: So it is. }, { finding: F2, stance: agree, reason: So it is. }, { finding: F3, stance: agree, reason: So it is. }]
  - when: { agent: ann, state: debate, visit: 2 }
    reply:
      HOW
      tools:
        - name: hand_in_position
          arguments:
            verdict: REVISE_BEST
            ranking: [impl_1, other]
            stances: [{ finding: F1, stance: agree, reason: I tried it. }, { finding: F2, stance: agree, reason: I tried it. }, { finding: F3, stance: agree, reason: I tried it. }]
  - when: { agent: [rev_1, ann], state: debate }
    reply:
      tools:
        - name: hand_in_position
          arguments:
            verdict: APPROVE
            ranking: [impl_1]
            stances: [{ finding: F2, stance: fixed, reason: It is gone. }, { finding: F3, stance: fixed, reason: It is gone. }]
`;

interface ReviewOptions {
  /** The second one to speak in the debate thinks for an hour. */
  readonly stuck?: boolean;
}

export const reviewAnswers = (isStuck = false): string =>
  ANSWERS.replace('HOW', `delay_ms: ${isStuck ? 3_600_000 : 0}`);

/** A review on the scripted model, with real files, tests and merges. */
export function reviewProject({ stuck = false }: ReviewOptions = {}): Sandbox {
  const answers = reviewAnswers(stuck);
  const price = 'price: { input: 1, output: 2 }';
  return createSandbox({
    '.troupe/config.yaml': `models:\n  base: { provider: scripted, scenario: answers.yaml, ${price} }\n`,
    '.troupe/workflows/two_minds.yaml': WORKFLOW,
    'answers.yaml': answers,
    'test.mjs': TEST,
    'outer.ts': OUTER,
  });
}

const OUTER = `import { defineWorkflow } from 'troupe';
export const outer = defineWorkflow({
  name: 'outer',
  data: {},
  states: {
    start: { work: { kind: 'call', workflow: 'two_minds', input: { task: "'Double it.'" } }, transitions: ['done'] },
    done: { kind: 'end' },
  },
});
`;

/** Runs it to its end; the answer is its run. */
export async function runReview(
  sandbox: Sandbox,
  words: readonly string[] = ['two_minds', 'Double it.'],
): Promise<{ readonly run: string; readonly code: number | null }> {
  const { code, stdout, stderr } = await sandbox.troupe(['run', ...words, '--json']);
  const [first = ''] = stdout.split('\n');
  if (first === '') throw new Error(stderr);
  return { run: (JSON.parse(first) as { readonly run: string }).run, code };
}
