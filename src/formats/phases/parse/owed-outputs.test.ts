import { expect, test } from 'vitest';
import { declaredOutputs } from './owed-outputs.ts';

/** The rows of the document's list of artifact types (PH4), and the examples of its agent section. */
test.each([
  ['plan', 'specs/auth_plan.md', 'plan'],
  ['tasks', 'specs/auth_tasks.json', 'plan'],
  ['task', 'task.json', 'plan'],
  ['module', 'models/user.py', 'code'],
  ['component', 'components/login.js', 'code'],
  ['types', 'src/types.ts', 'code'],
  ['walkthrough', 'docs/walkthrough_auth.md', 'report'],
  ['report', 'outputs/report.json', 'report'],
  ['integration_report', 'outputs/integration_report.md', 'report'],
  ['measurements', 'outputs/measurements.json', 'data'],
  ['settings', 'deploy/settings.yml', 'data'],
])('[PH4] %s in %s is a %s artifact', (name, path, type) => {
  expect(declaredOutputs({ [name]: path }, 'a')).toEqual({ owed: [{ name, form: 'file', path, type }], known: {} });
});

test('[PH1] the forms an output may have: a path, patterns, [] for what changes, words, and fields written out', () => {
  const { owed, known } = declaredOutputs(
    {
      note: 'outputs/note-${feature_name}.md',
      pages: 'pages/*.tsx',
      artifacts: ['components/*', 'models/user.py (created)'],
      changed: [],
      status: 'success',
      changes: 'Added email validation in __init__',
      report: { tests_failed: 2 },
    },
    'check',
  );
  expect(owed.map(({ name, form, path }) => [name, form, path])).toEqual([
    ['note', 'file', 'outputs/note-${feature_name}.md'],
    ['pages', 'files', 'pages/*.tsx'],
    ['artifacts', 'files', 'components/*'],
    ['artifacts', 'files', 'models/user.py'],
    ['changed', 'changed', null],
    ['report', 'file', 'outputs/check_report.json'],
  ]);
  expect(known).toEqual({
    status: 'success',
    changes: 'Added email validation in __init__',
    report: { tests_failed: 2 },
  });
});
