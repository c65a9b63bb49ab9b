import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { jsonLines } from '../cli/sandbox.ts';
import { reviewProject } from '../cli/review-project.ts';
import { filesHolding } from './support/store-content.ts';

/** The reviewers and authors say the key wherever a review shows what they said. */
const withKey = (scenario: string, key: string): string =>
  scenario
    .replaceAll(/(claim|change|reason|message): ([A-Z][^.]*)\./g, `$1: "$2 ${key}."`)
    .replaceAll('summary: One of them is wrong.', `summary: "One of them is wrong: ${key}."`)
    .replaceAll('export const double', `// ${key}\\nexport const double`);

test('[F69] a key that authors and reviewers say stands in no view of their review', async () => {
  const key = `sk-${randomBytes(12).toString('hex')}`;
  const sandbox = reviewProject();
  const model = '{ provider: openai-compatible, base_url: "http://127.0.0.1:9/v1", model: m, api_key_env: SPOKEN }';
  sandbox.write('.troupe/config.yaml', `${sandbox.read('.troupe/config.yaml')}  spoken: ${model}\n`);
  const scenario = withKey(sandbox.read('answers.yaml'), key);
  expect(scenario.split(key).length).toBeGreaterThan(12);
  sandbox.write('answers.yaml', scenario);
  const said = async (...words: string[]): Promise<string> => {
    const { stdout, stderr } = await sandbox.troupe(words, { environment: { SPOKEN: key } });
    return stdout + stderr;
  };
  const ran = await said('run', 'two_minds', 'Double it.', '--json');
  const outputs: Readonly<Record<string, string>> = {
    run: ran,
    compare: await said('compare', 'last'),
    'compare --json': await said('compare', 'last', '--json'),
    'compare --diff': await said('compare', 'last', '--diff', 'impl_1', 'other'),
    debate: await said('debate', 'last'),
    'debate --json': await said('debate', 'last', '--json'),
    'show --json': await said('show', 'last', '--json'),
    logs: await said('logs', 'last'),
  };
  expect(jsonLines(ran).at(-1)).toMatchObject({ kind: 'run.settled' });
  expect(Object.entries(outputs).filter(([, text]) => text.includes(key))).toEqual([]);
  expect(filesHolding(sandbox.home, key).filter((file) => file.includes('journal'))).toEqual([]);
  for (const output of ['compare --json', 'compare --diff', 'debate', 'debate --json', 'logs']) {
    expect([output, outputs[output]?.includes('[redacted]')]).toEqual([output, true]);
  }
});
