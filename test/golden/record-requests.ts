// Writes the golden requests again: `node test/golden/record-requests.ts [WORKFLOW…]`. Look at the difference before you commit it.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GOLDEN_NAMES, goldenRun, isKept } from '../requests/golden-runs.ts';
import { goldenFiles, toolsFile } from '../requests/golden-text.ts';
import { recordRun } from '../requests/record-run.ts';

const OUT = join(import.meta.dirname, 'requests');

mkdirSync(OUT, { recursive: true });
writeFileSync(join(OUT, 'tools.md'), toolsFile());
const asked = process.argv.slice(2);
for (const name of asked.length === 0 ? GOLDEN_NAMES : asked) {
  const folder = join(OUT, name);
  const recorded = await recordRun(await goldenRun(name));
  if (recorded.rest.outcome !== 'ok')
    throw new Error(`${name} came out ${recorded.rest.outcome}: ${recorded.rest.failure?.message}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of goldenFiles(recorded)) if (isKept(name, file)) writeFileSync(join(folder, file), text);
}
process.exit(0);
