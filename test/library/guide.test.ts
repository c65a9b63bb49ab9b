import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { libraryProject, type LibraryProject } from './library.ts';

const ROOT = join(import.meta.dirname, '../..');
/** As it is installed. */
const INDEX = pathToFileURL(join(ROOT, 'dist/index.js')).href;
const GUIDE = readFileSync(join(ROOT, 'docs/guide/library.md'), 'utf8');

/** The programs of the guide, by the file name in their first line. */
const PROGRAMS = new Map(
  [...GUIDE.matchAll(/```ts\n\/\/ ([\w-]+\.ts)\n([^]*?)```/g)].map(([, name = '', code = '']) => [name, code]),
);

/** Runs a program of the guide as its reader does: in the project, with a model in the reader's own settings. */
async function run({ folder, home, model }: LibraryProject, name: string, ...words: readonly string[]) {
  const program = join(folder, name);
  const settings = join(home, 'settings');
  mkdirSync(join(settings, 'troupe'), { recursive: true });
  writeFileSync(
    join(settings, 'troupe/config.yaml'),
    `models: { base: { provider: openai-compatible, base_url: "${model.url}/v1", model: scripted } }\n`,
  );
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules/zod'), join(folder, 'node_modules/zod'));
  writeFileSync(program, (PROGRAMS.get(name) ?? '').replace("'troupe'", JSON.stringify(INDEX)));
  return await again({ folder, home }, name, ...words);
}

async function again(
  { folder, home }: Pick<LibraryProject, 'folder' | 'home'>,
  name: string,
  ...words: readonly string[]
) {
  const environment = { PATH: process.env['PATH'] ?? '', TROUPE_HOME: home, XDG_CONFIG_HOME: join(home, 'settings') };
  const child = spawn(process.execPath, [join(folder, name), ...words], { cwd: folder, env: environment });
  const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { printed: printed.trim(), errors };
}

test('[R3] the guide has the programs that are run here', () => {
  expect([...PROGRAMS.keys()]).toEqual(['story.ts', 'approval.ts', 'stock.ts']);
});

test('[R3] story.ts of the guide follows its run and prints the text', async () => {
  const project = await libraryProject({ rules: [{ reply: 'Roses are red.' }] });
  const { printed, errors } = await run(project, 'story.ts');
  expect(errors).toBe('');
  const lines = printed.split('\n');
  expect([lines[0], lines.at(-1)]).toEqual(['run.started', 'Roses are red.']);
  expect(JSON.stringify(project.model.requests[0]?.body)).toContain('Write 100 words about Roses.');
});

test('[R3] approval.ts of the guide goes on in one process after the other', async () => {
  const project = await libraryProject({
    rules: [
      { when: { visit: 1 }, reply: 'A long draft.' },
      { when: { visit: 2 }, reply: 'A draft.' },
    ],
  });
  const { printed, errors } = await run(project, 'approval.ts');
  expect(errors).toBe('');
  expect(printed).toMatch(/^waits \w+ Publish it\? A long draft\.$/);
  const [, id = ''] = printed.split(' ');
  expect((await again(project, 'approval.ts', id, 'Shorter.')).printed).toBe(`waits ${id} Publish it? A draft.`);
  expect((await again(project, 'approval.ts', id, 'yes')).printed).toBe("ended { text: 'A draft.', rounds: 2 }");
  expect(project.model.requests).toHaveLength(2);
});

test('[R3] stock.ts of the guide gives an agent its own tool', async () => {
  const project = await libraryProject({
    rules: [{ steps: [{ tools: [{ name: 'stock', arguments: { article: 'roses' } }] }, 'There are 5.'] }],
  });
  const { printed, errors } = await run(project, 'stock.ts');
  expect(errors).toBe('');
  expect(printed).toBe('ok There are 5.');
  expect(JSON.stringify(project.model.requests[1]?.body)).toContain('5 pieces of roses in main');
});
