import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSandbox, jsonLines, root, type Result, type Sandbox } from './sandbox.ts';

const FIXTURES = join(root, 'src/formats/phases/parse/fixtures');

const PLANNING = `
  - when: { agent: planning }
    steps:
      - tools:
          - { name: report_progress, arguments: { progress: 0.45, message: "Analyzing codebase..." } }
          - { name: submit_output, arguments: { name: plan, content: "# Hello\\n" } }
          - { name: submit_output, arguments: { name: tasks, content: '[{"id":1,"description":"Say hello","files":["src/hello.ts"],"risk":"low"}]' } }
      - Planned.`;

const EXECUTION = `
  - when: { agent: execution }
    steps:
      - tools:
          - { name: write_file, arguments: { path: src/hello.ts, content: "export const hello = 'helo';\\n" } }
          - { name: write_file, arguments: { path: src/data.bin, content: "a\\0b" } }
          - { name: write_file, arguments: { path: outputs/execution_report.json, content: '{"status":"success"}' } }
      - Built.`;

const report = (failed: number): string => `
      - tools:
          - { name: submit_output, arguments: { name: walkthrough, content: "# Seen\\n" } }
          - { name: submit_output, arguments: { name: report, content: '{"tests_failed":${failed},"failures":[]}' } }
      - Seen.`;

const VERIFICATION = `
  - when: { agent: verification }
    steps:${report(0)}`;

/** All phases come out well. */
export const GOOD = `rules:${PLANNING}${EXECUTION}${VERIFICATION}\n`;

/** The first check fails, and is fixed once. */
export const FIXED = `rules:${PLANNING}${EXECUTION}
  - when: { agent: verification, contains: "'helo'" }
    steps:${report(1)}${VERIFICATION}
  - when: { agent: fix }
    steps:
      - tools:
          - { name: write_file, arguments: { path: src/hello.ts, content: "export const hello = 'hello';\\n" } }
      - Fixed.
`;

/** The execution does half of what it owes. */
export const HALF = GOOD.replace(/^ +- .*execution_report.*\n/m, '');

/** The document's two-phase feature on a scripted model. */
export function phaseProject(answers: string, files: Readonly<Record<string, string>> = {}): Sandbox {
  return createSandbox({
    '.troupe/config.yaml': 'models:\n  base: { provider: scripted, scenario: answers.yaml }\n',
    'answers.yaml': answers,
    'two_phase_feature.yml': readFileSync(join(FIXTURES, 'two_phase_feature.yml'), 'utf8'),
    ...files,
  });
}

export interface PhaseRun extends Result {
  readonly run: string;
  readonly records: readonly Readonly<Record<string, unknown>>[];
}

export async function runPhases(sandbox: Sandbox): Promise<PhaseRun> {
  const input = ['--input', 'user_request=Say hello', '--input', 'feature_name=hello'];
  const result = await sandbox.troupe(['run', 'two_phase_feature.yml', ...input, '--json']);
  if (result.stdout === '') throw new Error(result.stderr);
  const records = jsonLines(result.stdout);
  return { ...result, records, run: String(records[0]?.['run']) };
}

/** No line is wider than a plain terminal. */
export const widest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));
