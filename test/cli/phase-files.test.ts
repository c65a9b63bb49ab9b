import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scriptedProject } from './projects.ts';
import { jsonLines } from './sandbox.ts';

const FIXTURES = join(import.meta.dirname, '../../src/formats/phases/parse/fixtures');
const fixture = (name: string): string => readFileSync(join(FIXTURES, name), 'utf8');

const writes = (path: string) => ({ name: 'write_file', arguments: { path, content: `${path}\n` } });
const hands = (name: string, content: string) => ({ name: 'submit_output', arguments: { name, content } });
const rule = (agent: string, tools: readonly object[]) => ({ when: { agent, call: 1 }, reply: { tools } });

/** Runs one of the document's files by the command line, and gives back its result. */
async function ran(file: string, rules: readonly object[], files: Readonly<Record<string, string>>) {
  const answers = { rules: [...rules, { reply: 'Done.' }] };
  const sandbox = scriptedProject({ [file]: fixture(file), ...files, 'answers.yaml': JSON.stringify(answers) });
  const { code, stdout } = await sandbox.troupe(['run', file, '--json']);
  return { code, last: jsonLines(stdout).findLast((line) => line['kind'] === 'run.settled') };
}

test("[PH1] the document's parallel feature is run by its file", async () => {
  const specs = ['frontend', 'backend', 'test'].map((name) => [`specs/${name}_spec.md`, 'Make it.\n']);
  const { code, last } = await ran(
    'parallel_feature.yml',
    [
      rule('frontend', [writes('components/a.ts'), writes('pages/b.ts')]),
      rule('backend', [writes('api/c.ts'), writes('models/d.ts')]),
      rule('tests', [writes('tests/e.ts')]),
      rule('aggregation', [hands('integration_report', '# All of it\n')]),
    ],
    Object.fromEntries(specs) as Record<string, string>,
  );
  expect(last).toMatchObject({ outcome: 'ok', output: { phases: { aggregation: { outcome: 'ok' } } } });
  expect(code).toBe(0);
});

test("[PH2] the document's simple task is run by its file", async () => {
  const { code, last } = await ran('simple_task.yml', [rule('execution', [writes('utils/helpers.py')])], {
    'utils/helpers.py': 'def calculate_total(items):\n    return sum(items)\n',
  });
  expect(last).toMatchObject({ outcome: 'ok', output: { way: { isSimple: true } } });
  expect(code).toBe(0);
});
