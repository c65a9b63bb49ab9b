import { describe, expect, test } from 'vitest';
import { serve } from '../server/served.ts';
import { expectAccessible, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';
import { demoProject } from './demo.ts';

describe.skipIf(CHROMIUM === null)('the page of a workflow', SLOW, () => {
  const { open } = useBrowser();

  test('[U2] it shows the graph, who acts in it and what it asks for, and starts it', async () => {
    const served = await serve(demoProject());
    const { page, errors } = await tab(await open(), served.url);
    await page.getByRole('link', { name: 'Workflows' }).click();
    await page.getByRole('link', { name: 'slug_review' }).click();
    await page.getByRole('button', { name: /^choice debate one of smart_reviewer, base_reviewer/ }).waitFor();
    await page.getByText('no problems').waitFor();
    await page.getByRole('tab', { name: /^Roles/ }).click();
    await page.getByText('smart_reviewer').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('tab', { name: /^Inputs/ }).click();
    await page.getByText('What is to be made, in your own words').waitFor();
    await page.getByRole('button', { name: 'Start a run' }).last().click();
    const form = page.getByRole('dialog', { name: 'Start a run' });
    await expect.poll(() => form.getByLabel('Workflow').inputValue()).toBe('slug_review');
    expect(errors).toEqual([]);
  });

  test('[U2] a broken file says what is wrong at its line, and is whole again when it is fixed', async () => {
    const sandbox = demoProject();
    const served = await serve(sandbox);
    const url = new URL(served.url);
    url.pathname = '/workflows/broken';
    const { page } = await tab(await open(), url.href);
    await page.getByText('3 errors').waitFor();
    await page.getByText('The key "modell" is not known in implementers[0].').waitFor();
    await page.getByText('Did you mean "model"?').waitFor();
    await page.getByText('KEY_UNKNOWN · .troupe/workflows/broken.yaml:4').waitFor();
    await page.getByText('The file is too broken to be drawn').waitFor();
    await expectAccessible(page);
    sandbox.write(
      '.troupe/workflows/broken.yaml',
      sandbox.read('.troupe/workflows/slug_review.yaml').replace('slug_review', 'broken'),
    );
    await page.reload();
    await page.getByText('no problems').waitFor();
    expect(await page.getByText('KEY_UNKNOWN').count()).toBe(0);
  });
});
