// Pictures of every page, in both themes and at two widths, made from the demo's run by a real server and a real browser:
// to look at what people will see. `npm run shots -- --out FOLDER --only board,debate --theme dark --width 390`.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { CHROMIUM } from '../test/web/page/chromium-program.ts';
import { demoFiles, TASK } from '../test/web/page/demo-files.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = join(root, 'bin/troupe.js');
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(tmpdir(), 'troupe-shots') },
    only: { type: 'string' },
    theme: { type: 'string' },
    width: { type: 'string' },
  },
});
if (CHROMIUM === null) fail('Chromium is needed: apt-get install chromium');
if (!existsSync(join(root, 'dist/web'))) fail('The page is not built: npm run build');

const out = resolve(values.out);
mkdirSync(out, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'troupe-shots-'));
const project = join(folder, 'project');
const environment = { ...process.env, TROUPE_HOME: join(folder, 'home'), TROUPE_SANDBOX: 'best' };
for (const [path, content] of Object.entries(demoFiles({ isPicked: true }))) write(path, content);
for (const words of [
  ['init', '-q'],
  ['add', '-A'],
  ['-c', 'user.name=demo', '-c', 'user.email=demo@example.invalid', 'commit', '-q', '-m', 'A small project'],
])
  spawnSync('git', words, { cwd: project, stdio: 'ignore' });

const server = await serve();
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
try {
  await shoot('empty', [['board', '/']]);
  const done = play(['run', 'slug_review', TASK]);
  troupe(['answer', done, 'q1', 'REVISE_BEST smart_coder']);
  const fork = play(['fork', done, '--at', 'review', '--title', 'The same, reviewed again']);
  const feature = play(['run', 'feature', '--input', 'user_request=Greet people by their name']);
  const asking = play(['run', 'slug_review', `${TASK}, and one for its parts`]);
  await shoot('', pages({ done, fork, feature, asking }));
} finally {
  await browser.close();
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`The pictures are in ${out}`);

/** A name, an address, and what is done there before the picture is taken. */
function pages({ done, fork, feature, asking }) {
  const tabs = ['agents', 'transcript', 'debate', 'changes', 'events', 'problems'];
  const dialogs = ['fork', 'deliver', 'rollback'];
  const press = (key) => (page) => page.keyboard.press(key);
  return [
    ['board', '/'],
    ['inbox', '/inbox'],
    ['workflows', '/workflows'],
    ['workflow', '/workflows/slug_review'],
    ['workflow-broken', '/workflows/broken'],
    ['locked', '/', lockOut],
    ['missing', '/runs/no-such-run'],
    ['start', '/', press('c')],
    ['palette', '/', press('Control+k')],
    ['help', `/runs/${done}`, press('?')],
    ['run-asking', `/runs/${asking}`],
    ['run-selected', `/runs/${done}?state=review`],
    ['run-fork', `/runs/${fork}`],
    ['run-feature', `/runs/${feature}`],
    ...tabs.map((tab) => [`run-${tab}`, `/runs/${done}?tab=${tab}`]),
    ['run-artifacts', `/runs/${feature}?tab=artifacts`],
    ['run-artifact', `/runs/${feature}?tab=artifacts`, (page) => page.getByText('specs/plan.md').first().click()],
    ['run-finding', `/runs/${done}?tab=debate&finding=F3`],
    ['run-search', `/runs/${done}?tab=transcript&q=accents`],
    ...dialogs.map((dialog) => [`dialog-${dialog}`, `/runs/${done}?dialog=${dialog}`]),
    ...['pause', 'resume', 'cancel'].map((dialog) => [`dialog-${dialog}`, `/runs/${asking}?dialog=${dialog}`]),
  ];
}

async function lockOut(page) {
  await page.context().clearCookies();
  await page.goto(`${origin()}/inbox#t=of-another-server`);
}

async function shoot(prefix, list) {
  const wanted = values.only?.split(',');
  for (const theme of ['light', 'dark'].filter((one) => (values.theme ?? one) === one)) {
    for (const width of [1280, 390].filter((one) => Number(values.width ?? one) === one)) {
      const viewport = { width, height: width === 390 ? 844 : 800 };
      const context = await browser.newContext({ viewport, colorScheme: theme, reducedMotion: 'reduce' });
      for (const [name, address, act] of list) {
        const file = [prefix, name].filter(Boolean).join('-');
        if (wanted !== undefined && !wanted.includes(file)) continue;
        await picture(context, { address, act, file: join(out, `${file}-${theme}-${width}.png`) });
      }
      await context.close();
    }
  }
}

async function picture(context, { address, act, file }) {
  const page = await context.newPage();
  await page.goto(`${origin()}${address}${server.hash}`);
  await settled(page);
  await act?.(page);
  await settled(page);
  await page.screenshot({ path: file });
  await page.close();
}

/** Nothing is loading, and what is drawn stays as it is for a moment. */
async function settled(page) {
  await page.evaluate(() => document.fonts.ready);
  await page.waitForFunction(() => !/(?:Reading|Loading|Drawing|Comparing)[^.]* …/.test(document.body.textContent));
  let before = '';
  for (;;) {
    const now = await page.evaluate(() => document.body.innerHTML.replaceAll(/\d+/g, ''));
    if (now === before) return;
    before = now;
    await page.waitForTimeout(350);
  }
}

function origin() {
  return server.origin;
}

async function serve() {
  const words = [program, 'serve', '--json', '--no-open'];
  const child = spawn(process.execPath, words, {
    cwd: project,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { origin, hash } = new URL(JSON.parse(line).url);
    return { origin, hash, kill: () => child.kill() };
  }
  return fail('The server did not start.');
}

/** Lets a run go as far as it does by itself, and gives its id. */
function play(words) {
  const stdout = troupe([...words, '--no-input', '--json']);
  return JSON.parse(stdout.split('\n')[0]).run;
}

function troupe(words) {
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: project,
    env: environment,
    encoding: 'utf8',
  });
  return stdout === '' ? fail(stderr) : stdout;
}

function write(path, content) {
  const file = join(project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function fail(sentence) {
  console.error(sentence);
  return process.exit(1);
}
