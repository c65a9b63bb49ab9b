import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { OURS, type Interpreter } from '../conformance/interpreter.ts';
import { IS_PROOF } from '../sample.ts';

/** A defect: in one file of the core, one piece of text replaced by another. */
export interface Mutant {
  readonly what: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** The number of the case that shows the defect, from 1, where many do not: it is tried before the others. */
  readonly shownBy?: number;
}

/** Enough cases for most defects: those that take more of them name the case that shows them. */
const FEW = 30;

/** Whether a defect shows in one of these cases. */
export function isShown<T>({ shownBy = 1 }: Mutant, cases: readonly T[], shows: (one: T) => boolean): boolean {
  return cases.slice(shownBy - 1, shownBy).some(shows) || cases.some(shows);
}

/** What an unchanged copy must pass: all cases in a proof, else a few and each one that a mutant names. */
export function casesOf<T>(mutants: readonly Mutant[], cases: readonly T[]): readonly T[] {
  const named = new Set(mutants.map(({ shownBy = 1 }) => shownBy - 1));
  return cases.filter((_, index) => IS_PROOF || index < FEW || named.has(index));
}

const CORE = fileURLToPath(new URL('../../src/core/', import.meta.url));

/** Where the functions of an interpreter stand. */
const FILES = [
  'step/start.ts',
  'step/step.ts',
  'step/recover.ts',
  'fold/fold.ts',
  'history/fork.ts',
  'history/rewind.ts',
  'step/step-end.ts',
];

/** An interpreter with the defect in it. */
export async function plant(mutant: Mutant): Promise<Interpreter> {
  const functions = await plantIn(mutant, { files: FILES, names: Object.keys(OURS) });
  return functions as unknown as Interpreter;
}

interface Wanted {
  /** Of the core, from its folder. */
  readonly files: readonly string[];
  /** Functions that must be there. */
  readonly names: readonly string[];
}

/** What files of the core export, with the defect in it. Refuses when the text is not there exactly once. */
export async function plantIn(mutant: Mutant, { files, names }: Wanted): Promise<Readonly<Record<string, unknown>>> {
  const code = await bundled(files, { [join(CORE, mutant.file)]: await changed(mutant) });
  const address = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;
  const all = (await import(/* @vite-ignore */ address)) as Readonly<Record<string, unknown>>;
  for (const name of names) {
    if (typeof all[name] !== 'function') throw new Error(`The copied core has no ${name}.`);
  }
  return all;
}

async function changed({ file, find, replace }: Mutant): Promise<string> {
  const source = await readFile(join(CORE, file), 'utf8');
  const found = source.split(find).length - 1;
  if (found !== 1) throw new Error(`${file} should have this exactly once, and has it ${found} times: ${find}`);
  return source.replace(find, () => replace);
}

const ENTRY = 'planted.ts';

/** All in one piece: dozens of copies are loaded, and a file costs more than what is in it. */
async function bundled(files: readonly string[], sources: Readonly<Record<string, string>>): Promise<string> {
  const entry = files.map((file) => `export * from ${JSON.stringify(join(CORE, file))};`).join('\n');
  // Filters keep all other files out of JavaScript.
  const given: Readonly<Record<string, string>> = { ...sources, [ENTRY]: entry };
  const bundle = await rolldown({
    input: ENTRY,
    plugins: [
      {
        name: 'plant',
        resolveId: { filter: { id: /^planted\.ts$/ }, handler: (id) => id },
        load: {
          filter: { id: Object.keys(given).map((id) => new RegExp(`${basename(id)}$`)) },
          handler: (id) => given[id] ?? null,
        },
      },
    ],
  });
  try {
    const { output } = await bundle.generate({ format: 'esm' });
    return output[0].code;
  } finally {
    await bundle.close();
  }
}
