import { expect, test } from 'vitest';
import { parseConfig } from '../config/parse-config.ts';
import { STARTER_FILES, checksLine, checksText } from './starter-files.ts';

const FOUND = [
  { name: 'lint', command: 'npm run lint', from: 'package.json' },
  { name: 'test', command: 'make test', from: 'Makefile' },
] as const;

test('[Q6] a new config shows what Ward was found to be, in comments that leave it valid', () => {
  expect(checksText(FOUND)).toContain(
    '# Found in package.json, Makefile; to have others run instead, say:\n# ward:\n#   - npm run lint\n#   - make test\n',
  );
  const text = `${STARTER_FILES['config.yaml']}${checksText(FOUND)}`;
  expect(text.split('\n').filter((line) => line.includes('ward'))).toHaveLength(1);
  expect(parseConfig(text, { file: 'config.yaml', folder: '.' })).toMatchObject({ ok: true });
});

test('[Q6] where nothing was found that is said, too', () => {
  expect(checksText([])).toContain('# Nothing was found that checks this project');
  expect(checksLine([])).toContain('nothing found');
  expect(checksLine(FOUND)).toBe('Ward: npm run lint, make test');
});
