import { describe, expect, test } from 'vitest';
import { ASKING, scriptedProject } from '../../cli/projects.ts';
import { jsonLines, type Sandbox } from '../../cli/sandbox.ts';
import { breakChain } from '../server/damage.ts';
import { serve } from '../server/served.ts';
import { entry, expectAccessible, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';

async function asking(sandbox: Sandbox, file: string): Promise<string> {
  const { stdout } = await sandbox.troupe(['run', file, '--no-input', '--json']);
  return String(jsonLines(stdout)[0]?.['run']);
}

describe.skipIf(CHROMIUM === null)('an inbox that cannot look everywhere', SLOW, () => {
  const { open } = useBrowser();

  test('[WL16] a run that cannot be read is named with the reason beside the questions of the others, also when there are none', async () => {
    const sandbox = scriptedProject({ 'asking.ts': ASKING, 'frail.ts': ASKING.replaceAll('colour', 'shade') });
    const [sound, frail] = [await asking(sandbox, 'asking.ts'), await asking(sandbox, 'frail.ts')];
    breakChain(sandbox.home, 'Which shade?');
    const served = await serve(sandbox);
    const { page, errors } = await tab(await open(), entry(served, '/inbox'));
    await page.getByText('Which colour?').waitFor();
    const note = page.getByRole('status').filter({ hasText: 'asks is not known' });
    await note.getByText(/damaged/).waitFor();
    expect(await note.getByRole('link', { name: frail }).getAttribute('href')).toBe(`/runs/${frail}`);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'blue' }).click();
    await page.getByText('Which colour?').waitFor({ state: 'detached' });
    await note.waitFor();
    expect([await page.getByText('Nothing waits for you').count(), errors]).toEqual([0, []]);
    expect((await sandbox.troupe(['show', sound, '--json'])).stdout).toContain('blue');
  });
});
