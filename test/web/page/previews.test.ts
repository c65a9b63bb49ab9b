import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createSandbox, jsonLines, type Sandbox } from '../../cli/sandbox.ts';
import { serve } from '../server/served.ts';
import { entry, eventually, expectAccessible, SLOW, tab, useBrowser } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';

/** A red dot. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="document.title='run'"><script>document.title='run'</script></svg>`;

const NOTES = `# Notes

<script>document.title = 'run'</script>
<img src="http://example.com/spy.png" onerror="document.title='run'">

[a link](javascript:document.title='run') and **bold** words
`;

const HUGE_BYTES = 5_000_000;
const GIANT_BYTES = 17 * 1024 * 1024;

const OUTPUTS = {
  picture: 'out/picture.png',
  vector: 'out/vector.svg',
  notes: 'out/notes.md',
  figures: 'out/figures.json',
  huge: 'out/huge.txt',
  giant: 'out/giant.txt',
  blob: 'out/blob.bin',
};

const WORKFLOW = `name: makes
description: Makes files of many kinds
phases:
  - id: execution
    agent_type: execution
    mode: EXECUTION
    input:
      user_request: '\${user_request}'
    output:
${Object.entries(OUTPUTS)
  .map(([name, path]) => `      ${name}: ${path}`)
  .join('\n')}
`;

const tool = (name: string, given: object): string =>
  `          - { name: ${name}, arguments: ${JSON.stringify(given)} }`;

const SCENARIO = `rules:
  - when: { agent: execution }
    steps:
      - tools:
${[
  tool('write_file', { path: OUTPUTS.vector, content: SVG }),
  tool('write_file', { path: OUTPUTS.notes, content: NOTES }),
  tool('write_file', { path: OUTPUTS.figures, content: '{"b":[1,{"c":null}],"a":"<script>"}' }),
  tool('execute_terminal', {
    command: [
      `printf %s ${PNG} | base64 -d > ${OUTPUTS.picture}`,
      `printf '\\000\\001\\377' > ${OUTPUTS.blob}`,
      `head -c ${HUGE_BYTES} /dev/zero | tr '\\0' x > ${OUTPUTS.huge}`,
      `head -c ${GIANT_BYTES} /dev/zero | tr '\\0' x > ${OUTPUTS.giant}`,
    ].join(' && '),
  }),
].join('\n')}
      - Made.
`;

async function made(): Promise<{ readonly sandbox: Sandbox; readonly run: string }> {
  const sandbox = createSandbox({
    '.troupe/config.yaml': 'models:\n  base: { provider: scripted, scenario: answers.yaml }\n',
    'answers.yaml': SCENARIO,
    'makes.yaml': WORKFLOW,
  });
  const words = ['run', 'makes.yaml', '--input', 'user_request=Make them', '--json', '--no-input'];
  const { code, stdout, stderr } = await sandbox.troupe(words);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return { sandbox, run: String(jsonLines(stdout)[0]?.['run']) };
}

const content = (page: Page) => page.getByRole('region', { name: 'Content' });

async function shown(page: Page, path: string): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Artifacts' })
    .getByRole('button', { name: new RegExp(path.replaceAll(/[./]/g, String.raw`\$&`)) })
    .click();
  await page.getByRole('heading', { name: path }).waitFor();
}

/** What the browser would write to disk. */
async function downloaded(page: Page): Promise<Buffer> {
  const coming = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).click();
  return readFileSync(await (await coming).path());
}

describe.skipIf(CHROMIUM === null)('a look inside of what agents made', SLOW, () => {
  const { open } = useBrowser();

  test('[U2] [W8] pictures are shown, markdown is sanitised, JSON is in order, what is huge or no text is a download, and nothing of it runs', async () => {
    const { sandbox, run } = await made();
    const served = await serve(sandbox);
    const { page, errors, outside } = await tab(await open(), entry(served, `/runs/${run}?tab=artifacts`));

    await shown(page, OUTPUTS.picture);
    const image = content(page).getByRole('img', { name: OUTPUTS.picture });
    await image.waitFor();
    await expect.poll(() => image.evaluate((one) => Reflect.get(one, 'naturalWidth')), eventually).toBe(1);
    expect((await downloaded(page)).toString('base64')).toBe(PNG);

    await shown(page, OUTPUTS.vector);
    await content(page).getByText('document.title=').waitFor();
    expect(await content(page).locator('svg, img, object, iframe').count()).toBe(0);

    await shown(page, OUTPUTS.notes);
    await content(page).getByRole('heading', { name: 'Notes' }).waitFor();
    expect(await content(page).locator('strong').textContent()).toBe('bold');
    expect(await content(page).locator('script, img[src^="http"], [onerror], a[href^="javascript"]').count()).toBe(0);

    await shown(page, OUTPUTS.figures);
    await content(page).getByText('"c": null').waitFor();
    await expectAccessible(page);

    await shown(page, OUTPUTS.huge);
    await content(page).getByText('too much to be shown here').waitFor();
    expect((await downloaded(page)).length).toBe(HUGE_BYTES);

    // More than the server holds at once: it is passed on as it is read.
    await shown(page, OUTPUTS.giant);
    await content(page).getByText('too much to be shown here').waitFor();
    expect((await downloaded(page)).length).toBe(GIANT_BYTES);

    await shown(page, OUTPUTS.blob);
    await content(page).getByText('It is neither text nor an image').waitFor();
    expect([...(await downloaded(page))]).toEqual([0, 1, 255]);
    // The address is the artifact's own.
    await page.reload();
    await content(page).getByText('It is neither text nor an image').waitFor();

    // Opened by itself, the picture that is a document is text in a sandbox.
    const vector = await artifactAddress(page, run, OUTPUTS.vector);
    const alone = await page.context().newPage();
    const answer = await alone.goto(`http://127.0.0.1:${served.port}${vector}`);
    expect(answer?.headers()).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-security-policy': expect.stringMatching(/^sandbox;/),
    });
    expect([await alone.title(), await alone.locator('svg').count()]).toEqual(['', 0]);
    expect([await page.title(), errors, outside]).toEqual([expect.stringContaining('Troupe'), [], []]);
  });
});

async function artifactAddress(page: Page, run: string, path: string): Promise<string> {
  await shown(page, path);
  const id = new URL(page.url()).searchParams.get('artifact') ?? '';
  return `/api/runs/${run}/artifacts/${encodeURIComponent(id)}`;
}
