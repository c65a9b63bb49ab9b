import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jsonText, operationsText } from './reference-text.ts';

const FOLDER = join(import.meta.dirname, '../../docs/reference');

test('[R2] the reference of operations is what their schemas say (update with vitest --update=all)', async () => {
  await expect(operationsText()).toMatchFileSnapshot(join(FOLDER, 'operations.md'));
});

test('[R2] the reference of --json is what the schemas of the commands say', async () => {
  await expect(jsonText()).toMatchFileSnapshot(join(FOLDER, 'json.md'));
});
