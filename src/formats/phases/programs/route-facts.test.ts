import { describe, expect, test } from 'vitest';
import type { Json } from '../../../core/model/json.ts';
import { askPrograms } from '../../../host/perform/outputs/testing/program-bench.ts';

const FILES = {
  'utils/helpers.py': 'def calculate_total(x):\n    return x\n\ndef twice():\n    pass\n\ndef twice():\n    pass\n',
  'src/app.ts': 'export const main = (): void => {};\n',
  'bin/tool': Buffer.from([0, 1, 2]),
};

interface Row {
  readonly what: string;
  readonly input: Json;
  readonly isSimple: boolean;
  readonly reasons: readonly string[];
}

const NONE = { file: null, function: null };

const ROWS: readonly Row[] = [
  {
    what: 'the document’s simple task',
    input: { file: 'utils/helpers.py', function: 'calculate_total' },
    isSimple: true,
    reasons: [
      'utils/helpers.py is the one file that is named, and it is there.',
      'calculate_total is found once, in line 1.',
    ],
  },
  {
    what: 'a file alone',
    input: { file: './src/app.ts', function: null },
    isSimple: true,
    reasons: ['src/app.ts is the one file that is named, and it is there.'],
  },
  {
    what: 'a file that is not there',
    input: { file: 'a.py', function: 'f' },
    isSimple: false,
    reasons: ['a.py does not exist.'],
  },
  { what: 'a folder', input: { file: 'src', function: null }, isSimple: false, reasons: ['src is a folder.'] },
  {
    what: 'a path that leads out',
    input: { file: '/etc/passwd', function: null },
    isSimple: false,
    reasons: ['/etc/passwd is an absolute path; give it relative to the folder, such as src/main.ts.'],
  },
  {
    what: 'a function that is not there',
    input: { file: 'src/app.ts', function: 'other' },
    isSimple: false,
    reasons: ['src/app.ts is the one file that is named, and it is there.', 'other is not found in src/app.ts.'],
  },
  {
    what: 'a function that is there twice',
    input: { file: 'utils/helpers.py', function: 'twice' },
    isSimple: false,
    reasons: [
      'utils/helpers.py is the one file that is named, and it is there.',
      'twice is found 2 times in utils/helpers.py, in lines 4, 7.',
    ],
  },
  {
    what: 'a function in what is not text',
    input: { file: 'bin/tool', function: 'f' },
    isSimple: false,
    reasons: ['bin/tool is the one file that is named, and it is there.', 'bin/tool is not text.'],
  },
  {
    what: 'one path in a request',
    input: { ...NONE, request: 'Please add a docstring to `utils/helpers.py:1`.' },
    isSimple: true,
    reasons: ['utils/helpers.py is the one file that is named, and it is there.'],
  },
  {
    what: 'the same path twice, and one that is not there',
    input: { ...NONE, request: 'In src/app.ts (yes, src/app.ts) do as in lib/x.ts' },
    isSimple: true,
    reasons: ['src/app.ts is the one file that is named, and it is there.'],
  },
  {
    what: 'two paths in a request',
    input: { ...NONE, request: 'Move it from src/app.ts to utils/helpers.py.' },
    isSimple: false,
    reasons: ['2 files are named: src/app.ts, utils/helpers.py.'],
  },
  {
    what: 'no path in a request',
    input: { ...NONE, request: 'Add user authentication' },
    isSimple: false,
    reasons: ['No file is named that is there.'],
  },
  {
    what: 'what was asked for beside the file',
    input: { ...NONE, request: { action: 'add_docstring', where: ['src/app.ts'] } },
    isSimple: true,
    reasons: ['src/app.ts is the one file that is named, and it is there.'],
  },
  {
    what: 'a list of two files',
    input: { file: ['src/app.ts', 'utils/helpers.py'], function: null },
    isSimple: false,
    reasons: ['2 files are named: src/app.ts, utils/helpers.py.'],
  },
  { what: 'nothing at all', input: NONE, isSimple: false, reasons: ['No file is named that is there.'] },
];

describe('[PH1] whether a task is simple is computed', () => {
  test.for(ROWS)('$what', async ({ input, isSimple, reasons }) => {
    const { answers } = await askPrograms([{ ask: 'phases.route', input: JSON.stringify(input) }], { files: FILES });
    expect(answers[0]).toMatchObject({ outcome: 'ok', output: { isSimple, reasons } });
  });

  test('with all that was looked at', async () => {
    const input = JSON.stringify({ file: 'utils/helpers.py', function: 'twice' });
    const { answers } = await askPrograms([{ ask: 'phases.route', input }], { files: FILES });
    expect(answers[0]?.output).toMatchObject({
      file: { named: 'utils/helpers.py', isPresent: true },
      function: { named: 'twice', found: 2, lines: [4, 7] },
    });
  });
});
