import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Fact } from '../../../src/core/record/fact.ts';
import type { ToolCall } from '../../../src/core/model/message.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { ASKING, scriptedProject } from '../../cli/projects.ts';
import type { Sandbox } from '../../cli/sandbox.ts';
import { answers as answered, asks, said, turns, WrittenRun } from '../live/written-run.ts';
import { breakChain } from '../server/damage.ts';
import { path, serve, serveToRestart, type Served } from '../server/served.ts';
import { eventually, SLOW, tab, useBrowser, type Tab } from './browser.ts';
import { CHROMIUM } from './chromium-program.ts';

/** An address without a listener; a request to it means that the page was led out. */
const OUTSIDE = 'http://attacker.invalid';

const WORDS = [
  '# Done <script>window.hacked = 1</script>',
  `<img src="x" onerror="window.hacked = 2"> ![spy](${OUTSIDE}/pixel.png)`,
  '[press me](javascript:window.hacked=3) [data](data:text/html,<script>window.hacked=4</script>)',
  `<iframe src="${OUTSIDE}"></iframe><style>@import "${OUTSIDE}/x.css"; body { display: none }</style>`,
  `<svg onload="window.hacked=5"><a xlink:href="javascript:window.hacked=6">x</a></svg>`,
  'red: \u001B[31mred\u001B[0m title: \u001B]0;owned\u0007 turned: \u202Eevil\u202C zero\u200Bwidth',
  'as entities: &#x202E;turned&#8238; zero&ZeroWidthSpace;width [there](https://example.org/&#x202E;gnp)',
  `<form action="${OUTSIDE}"><button>Approve</button></form> | a | b |\n| - | - |\n| <b onclick=alert(1)>c</b> | d |`,
].join('\n\n');

const FILE = 'src/<img src=x onerror=alert(1)>\u202Egnp.exe.txt';

const answers = JSON.stringify({
  rules: [
    {
      when: { state: 'start' },
      steps: [
        {
          say: WORDS,
          tools: [
            { name: 'write_file', arguments: { path: FILE, content: `${WORDS}\n` } },
            { name: 'read_file', arguments: { path: '<b>\u202Enothing</b>' } },
          ],
        },
        { say: WORDS },
      ],
    },
    { reply: WORDS },
  ],
});

async function started(
  served: Served,
  workflow: string,
  input: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { body } = await served.post('/api/runs', { workflow, input });
  return String(body['run']);
}

const address = (served: Served, pathname: string, search = ''): string => {
  const url = new URL(served.url);
  Object.assign(url, { pathname, search });
  return url.href;
};

/** Nothing was run, loaded or opened, and nothing on the page could be. */
async function expectInert({ page, errors, outside }: Tab): Promise<void> {
  const found = await page.evaluate(() => ({
    hacked: 'hacked' in globalThis,
    scripts: document.querySelectorAll('script:not([src])').length,
    loads: [...document.querySelectorAll('img, iframe, object, embed, form[action], svg a, style')]
      .map((element) => element.outerHTML)
      .filter((html) => html.includes('attacker') || html.includes('onerror')),
    links: [...document.querySelectorAll('a[href]')]
      .map((link) => link.getAttribute('href') ?? '')
      .filter((href) => /^\s*(?:javascript|data|vbscript):/i.test(href)),
    handlers: document.querySelectorAll('[onerror],[onclick],[onload]').length,
    hidden: [...document.querySelectorAll('body, [title], [aria-label], [alt]')]
      .flatMap((element) => [
        element === document.body ? element.textContent : '',
        ...['title', 'aria-label', 'alt'].map((name) => element.getAttribute(name) ?? ''),
      ])
      .flatMap((text) => text.match(/.{0,40}[\u200B\u202A-\u202E\u2066-\u2069].{0,40}/g) ?? []),
  }));
  expect(found).toEqual({ hacked: false, scripts: 0, loads: [], links: [], handlers: 0, hidden: [] });
  expect([errors, outside]).toEqual([[], []]);
}

const calling = (task: string, toolCalls: readonly ToolCall[]): Fact => {
  const fact = answered(task, 'I write.');
  return fact.kind === 'call.answered' ? { ...fact, message: { ...fact.message, toolCalls } } : fact;
};

/** A journal of the test's own beside the server's. */
async function journalOf({ home }: Sandbox) {
  const journal = await openSqliteJournal({ home });
  onTestFinished(() => journal.close());
  return journal;
}

const nodeCount = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length);

describe.skipIf(CHROMIUM === null)('bad input', SLOW, () => {
  const { open } = useBrowser();

  test('[U2] words, names and files that are meant to do harm are shown as what they are, and nothing leaves', async () => {
    const sandbox = scriptedProject({ 'answers.yaml': answers });
    const served = await serve(sandbox);
    const run = await started(served, 'two_steps', { task: WORDS });
    await sandbox.troupe(['watch', run]);
    const shown = await tab(await open(), served.url);
    const { page } = shown;
    const popups: string[] = [];
    page.on('dialog', (dialog) => (popups.push(dialog.message()), void dialog.dismiss()));
    await page.getByRole('link', { name: /Done <script>/ }).waitFor();
    await expectInert(shown);
    for (const [name, words] of [
      ['agents', 'press me'],
      ['transcript', '⟦U+202E⟧evil'],
      ['changes', '\\u{202e}gnp.exe.txt'],
      ['events', '⟦U+202E⟧'],
      ['problems', '⟦U+202E⟧nothing'],
    ] as const) {
      await page.goto(address(served, `/runs/${run}`, `?tab=${name}`));
      await page.getByRole('tabpanel').getByText(words).first().waitFor();
      await expectInert(shown);
    }
    await page.goto(address(served, `/runs/${run}`, '?tab=transcript&q=%3Cscript%3E'));
    await page.getByRole('region', { name: 'Where it stands' }).getByRole('button').first().waitFor();
    await expectInert(shown);
    expect(popups).toEqual([]);
    expect(await page.title()).not.toContain('owned');
  });

  test('[U2] a question that no reader of markdown can take is still asked', async () => {
    const sandbox = scriptedProject();
    const served = await serve(sandbox);
    const run = await WrittenRun.begin(await journalOf(sandbox), 'odd', { title: 'An odd run' });
    await run.add(asks('t1', `${'>'.repeat(10_000)} May I?`));
    const { page, errors } = await tab(await open(), served.url);
    for (const pathname of ['/', '/inbox', '/runs/odd']) {
      await page.goto(address(served, pathname));
      await page.getByText('May I?').first().waitFor();
      await page.getByRole('textbox', { name: 'Your answer' }).first().waitFor();
    }
    expect(errors).toEqual([]);
  });

  test('[U2] of five thousand messages only what is seen is on the page, and ten million characters come when asked for', async () => {
    const sandbox = scriptedProject();
    const served = await serve(sandbox);
    const run = await WrittenRun.begin(await journalOf(sandbox), 'longrun', { title: 'A long talk' });
    for (let page = 0; page < 10; page += 1)
      await run.add(
        ...Array.from({ length: 500 }, (_, place) => said(`message ${page * 500 + place}, and more of it`)),
      );
    await run.add(said(`The largest one: ${'x'.repeat(10_000_000)} and its end`));
    await run.settle();
    const { page, errors } = await tab(await open(), address(served, '/runs/longrun', '?tab=transcript'));
    const talk = page.getByRole('region', { name: 'Conversation' });
    await talk.getByText('message 0, and more of it').waitFor();
    expect(await nodeCount(page)).toBeLessThan(2500);
    await page.getByRole('button', { name: 'Newest' }).click();
    await talk.getByRole('button', { name: /^Show all \(10.*characters\)/ }).waitFor();
    expect(await nodeCount(page)).toBeLessThan(2500);
    await talk.getByRole('button', { name: /Show all/ }).click();
    await talk.getByRole('button', { name: /Show more/ }).waitFor();
    await page.goto(address(served, '/runs/longrun', '?tab=events&seq=2503'));
    await page.getByText('"content": "message 2500, and more of it"').waitFor();
    expect(await nodeCount(page)).toBeLessThan(2500);
    expect(errors).toEqual([]);
  });

  test('[U2] what was given to a tool says that it is cut, and is there as a whole when asked for', async () => {
    const sandbox = scriptedProject();
    const served = await serve(sandbox);
    const run = await WrittenRun.begin(await journalOf(sandbox), 'writing', { title: 'It writes' });
    const content = `${'x\n'.repeat(15_000)}and its end`;
    const toolCalls = [{ id: 'c1', name: 'write_file', arguments: { path: 'a.txt', content } }];
    await run.add(turns('t1'), calling('t1', toolCalls));
    await run.settle();
    const { page, errors } = await tab(await open(), address(served, '/runs/writing', '?tab=transcript'));
    await page.getByRole('button', { name: /write_file a\.txt/ }).click();
    expect(await page.getByText('and its end').count()).toBe(0);
    await page.getByRole('button', { name: 'The input is cut: show all (30k characters)' }).click();
    await page.getByText('and its end').waitFor();
    expect(errors).toEqual([]);
  });

  test('[U2] [J4] a run that is damaged while it is looked at says so, and keeps what was read', async () => {
    const sandbox = scriptedProject();
    const served = await serve(sandbox);
    const journal = await journalOf(sandbox);
    const run = await WrittenRun.begin(journal, 'frail', { title: 'A frail run' });
    await run.add(said('the first words'));
    await WrittenRun.begin(journal, 'sound', { title: 'A sound run' });
    const { page } = await tab(await open(), address(served, '/runs/frail', '?tab=transcript'));
    await page.getByText('the first words').first().waitFor();
    await page.getByRole('button', { name: 'Live', exact: true }).waitFor();
    breakChain(sandbox.home, 'the first words');
    await run.add(said('after the damage'));
    const trouble = page.getByRole('alert').filter({ hasText: 'The page shows what could be read' });
    await trouble.getByText('JOURNAL_DAMAGED').waitFor();
    expect(await page.getByText('the first words').count()).toBeGreaterThan(0);
    await page.reload();
    await page.getByText('JOURNAL_DAMAGED').first().waitFor();
    await page.goto(address(served, '/'));
    await page.getByRole('link', { name: 'A sound run' }).waitFor();
    await page.getByRole('article').filter({ hasText: 'A frail run' }).getByText('is damaged').waitFor();
  });

  test('[U2] a run that goes away while it is looked at says so when it is looked for again', async () => {
    const sandbox = scriptedProject();
    const served = await serveToRestart(sandbox);
    const run = await started(served, 'two_steps', { task: 'Here today' });
    await sandbox.troupe(['watch', run]);
    const { page } = await tab(await open(), address(served, `/runs/${run}`, '?tab=transcript'));
    await page.getByText('A long answer.').first().waitFor();
    served.running.child.kill('SIGKILL');
    await served.running.ended;
    for (const file of readdirSync(sandbox.home).filter((name) => name.startsWith('journal.')))
      rmSync(join(sandbox.home, file));
    const again = await serve(sandbox, ['--port', String(served.port)]);
    await page.getByText('RUN_UNKNOWN').first().waitFor();
    await page.goto(address(again, '/'));
    await page.getByText('No runs yet').waitFor();
    expect(await page.getByRole('article').count()).toBe(0);
  });

  test('[U2] a run page goes on when its server is killed and comes back: what happened meanwhile is there', async () => {
    const sandbox = scriptedProject({ 'asking.ts': ASKING });
    const served = await serveToRestart(sandbox);
    const run = await started(served, 'asking.ts');
    const { page } = await tab(await open(), address(served, `/runs/${run}`));
    await page.getByText('This run needs you').waitFor();
    // A part of the page that could not be loaded any more would be a reason to load it again.
    await page.locator('.react-flow__viewport').waitFor();
    await page.locator('[data-question] .markdown').waitFor();
    await page.evaluate(() => Object.assign(globalThis, { isSame: true }));
    served.running.child.kill('SIGKILL');
    await served.running.ended;
    await page.getByText('Connection lost, trying again').waitFor();
    expect((await sandbox.troupe(['answer', run, 'q1', 'blue'])).code).toBe(0);
    await serve(sandbox, ['--port', String(served.port)]);
    await page.getByText('This run needs you').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Live', exact: true }).waitFor();
    expect(await page.evaluate(() => 'isSame' in globalThis)).toBe(true);
  });

  test('[U2] of two people who answer at once one is first, and the other gets an error', async () => {
    const sandbox = scriptedProject({ 'asking.ts': ASKING });
    const served = await serve(sandbox);
    const run = await started(served, 'asking.ts');
    const people = await Promise.all(
      ['red', 'blue'].map(async (colour) => {
        const { page } = await tab(await open(), address(served, `/runs/${run}`));
        const button = page.getByRole('button', { name: colour });
        await button.waitFor();
        return { colour, page, button };
      }),
    );
    const answers: Route[] = [];
    for (const { page } of people) await page.route('**/answer', (route) => void answers.push(route));
    const answered = people.map(({ page }) => page.waitForResponse((response) => response.url().endsWith('/answer')));
    for (const { button } of people) await button.click();
    // Neither has heard of the other's answer when both are sent.
    await expect.poll(() => answers.length, eventually).toBe(2);
    for (const route of answers) void route.continue();
    const statuses = await Promise.all(answered.map(async (response) => (await response).status()));
    expect(new Set(statuses)).toEqual(new Set([200, 409]));
    const [first, second] = [statuses.indexOf(200), statuses.indexOf(409)].map((place) => people[place]);
    await expect
      .poll(async () => (await second?.page.getByRole('alert').allTextContents())?.join(' '), eventually)
      .toMatch(/answered|closed/i);
    for (const { page } of people) await page.getByText('This run needs you').waitFor({ state: 'detached' });
    expect((await served.get(path(run))).body).toMatchObject({ data: { colour: first?.colour } });
  });
});
