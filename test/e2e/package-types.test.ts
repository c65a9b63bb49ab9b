import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const TYPES = 'dist/types';

/** A project that has the package installed as npm would pack it, as far as the compiler looks. */
let consumer = '';

beforeAll(() => {
  consumer = mkdtempSync(join(tmpdir(), 'troupe-types-'));
  const installed = join(consumer, 'node_modules', 'troupe');
  mkdirSync(join(consumer, 'node_modules', '@types'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(installed, 'package.json'));
  for (const name of ['@types/node', 'undici-types', 'zod'])
    symlinkSync(join(ROOT, 'node_modules', name), join(consumer, 'node_modules', name));
  // As npm writes them for a package. The sources are checked elsewhere; what is written from them is checked below.
  const emitted = tsc(['-p', join(ROOT, 'tsconfig.types.json'), '--noCheck', '--outDir', join(installed, TYPES)]);
  if (emitted.status !== 0) throw new Error(emitted.printed);
  writeFileSync(join(consumer, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(consumer, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        module: 'nodenext',
        target: 'es2022',
        lib: ['es2022'],
        types: ['node'],
        strict: true,
        noEmit: true,
        skipLibCheck: false,
      },
    }),
  );
  // All types of the package are written once, which takes long on a machine that does other things.
}, 120_000);

afterAll(() => rmSync(consumer, { recursive: true, force: true }));

function tsc(words: readonly string[]): { readonly status: number | null; readonly printed: string } {
  const { status, stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), words, { cwd: consumer, encoding: 'utf8' });
  return { status, printed: stdout };
}

test('[U3] the types that the package names are among the files it packs', () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly files: readonly string[];
    readonly scripts: Readonly<Record<string, string>>;
    readonly exports: { readonly '.': { readonly types: string } };
  };
  expect(manifest.exports['.'].types).toBe(`./${TYPES}/index.d.ts`);
  expect(manifest.files).toContain('dist');
  // npm runs it for a package, and in a clone that another project links to.
  expect(manifest.scripts['prepare']).toContain('tsc -p tsconfig.types.json --noCheck');
});

test('[U3] a project with no special settings compiles against the package, and mistakes are seen', () => {
  writeFileSync(
    join(consumer, 'use.ts'),
    `import { createScriptedActor, defineTool, defineWorkflow, openTroupe, parseScenario, type RunEnd } from 'troupe';
import { z } from 'zod';

const shout = defineTool<{ readonly text: string }>({
  name: 'shout', description: 'Louder', parameters: { type: 'object' }, repeat: 'safe', run: ({ text }) => text.toUpperCase(),
});
const flow = defineWorkflow({ name: 'flow', states: { start: { transitions: ['done'] }, done: { kind: 'end' } } });
const parsed = parseScenario({ rules: [] });
if (parsed.kind !== 'parsed') throw new Error('no scenario');
const troupe = await openTroupe({ tools: [shout], actor: createScriptedActor(parsed.scenario) });
const run = await troupe.start(flow);
const end: RunEnd = await run.result();
const { outcome } = end;
// @ts-expect-error -- there is no such outcome
export const isWrong = outcome === 'fine';
const typed = defineWorkflow({
  name: 'typed',
  input: z.object({ topic: z.string() }),
  output: z.object({ length: z.number() }),
  states: {
    start: { transitions: [{ target: 'done', when: (run) => run.common_data.topic !== '' }, 'done'] },
    done: { kind: 'end', output: ({ common_data }) => ({ length: common_data.topic.length }) },
  },
});
const second = await (await troupe.start(typed, { input: { topic: 'Roses' } })).result();
export const length: number = second.outcome === 'ok' ? second.output.length : 0;
// @ts-expect-error -- the topic is missing
await troupe.start(typed, { input: {} });
// @ts-expect-error -- there is no such state
defineWorkflow({ name: 'flow', states: { start: { transitions: ['doen'] }, done: { kind: 'end' } } });
`,
  );
  expect(tsc(['-p', 'tsconfig.json'])).toEqual({ status: 0, printed: '' });
});
