import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSandbox, jsonLines } from '../../cli/sandbox.ts';
import { TWO_STEPS } from '../../cli/projects.ts';
import { serve } from '../server/served.ts';
import { entry, expectAccessible, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';

/** A client that says something on each of its outputs, and dies. */
const DYING = `#!/bin/sh
if [ "$1" = --version ]; then echo '2.1.400 (Claude Code)'; exit 0; fi
echo '{"type":"system","subtype":"init","note":"it began"}'
echo 'no room left <script>alert(1)</script>' >&2
exit 37
`;

describe.skipIf(CHROMIUM === null)('agents that are separate programs', SLOW, () => {
  const { open } = useBrowser();

  test('[U2] [L7] when one dies, its exit code, its error output and what it printed are there without looking for them', async () => {
    const sandbox = createSandbox({
      '.troupe/roles/roles.json': JSON.stringify({ worker: { level: 'base', systemMessage: 'You work.' } }),
      '.troupe/workflows/two_steps.json': JSON.stringify(TWO_STEPS),
    });
    const bin = join(dirname(sandbox.project), 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'claude'), DYING);
    chmodSync(join(bin, 'claude'), 0o755);
    const environment = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, ANTHROPIC_API_KEY: 'sk-ant-very-secret' };
    const words = ['run', 'two_steps', 'Go', '--actor', 'worker=claude-code', '--no-input', '--json'];
    const { stdout, stderr } = await sandbox.troupe(words, { environment });
    const run = jsonLines(stdout)[0]?.['run'];
    if (typeof run !== 'string') throw new Error(stderr);
    const served = await serve(sandbox);
    const { page, errors } = await tab(await open(), entry(served, `/runs/${run}`));
    // The tab says how many there are before anybody opens it.
    await page.getByRole('tab', { name: /^Problems\s*[1-9]/ }).click();
    const stands = page.getByRole('region', { name: 'Stands' });
    await stands
      .getByText(/exit code 37/)
      .first()
      .waitFor();
    await stands
      .getByText(/no room left <script>alert\(1\)<\/script>/)
      .first()
      .waitFor();
    await stands.getByText('the run ended with it').waitFor();
    await page.getByText('"note":"it began"').first().waitFor();
    await expectAccessible(page);
    expect(errors).toEqual([]);
  });
});
