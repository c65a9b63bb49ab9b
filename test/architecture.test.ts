import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { FAMILY_LOOKS, FAMILY_STARTS } from '../src/formats/registry/cli.ts';
import { FAMILY_VIEWS } from '../src/formats/registry/views.ts';

const BELOW_SERVER = [
  'core',
  'lib',
  'secrets',
  'sandbox',
  'source',
  'rules',
  'formats',
  'journal',
  'workspace',
  'tools',
  'actors',
  'host',
  'programs',
  'protocol',
  'views',
  'operations',
];

/** Which layers a layer may import from, besides itself. Imports point inwards; nothing is circular. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  lib: [],
  secrets: ['core'],
  sandbox: ['core', 'lib'],
  source: ['core', 'lib'],
  rules: ['core'],
  formats: ['core', 'lib', 'source', 'rules'],
  journal: ['core', 'lib', 'secrets'],
  workspace: ['core', 'lib', 'secrets', 'sandbox'],
  tools: ['core', 'lib', 'secrets', 'sandbox', 'workspace'],
  actors: ['core', 'lib', 'secrets', 'sandbox', 'source', 'tools', 'workspace'],
  host: ['core', 'lib', 'secrets', 'sandbox', 'source', 'formats', 'journal', 'workspace', 'tools', 'actors'],
  programs: [
    'core',
    'lib',
    'secrets',
    'sandbox',
    'source',
    'rules',
    'formats',
    'journal',
    'workspace',
    'tools',
    'actors',
    'host',
  ],
  protocol: ['core', 'rules'],
  views: ['core', 'rules', 'protocol'],
  operations: ['core', 'rules', 'protocol', 'views'],
  telemetry: ['core', 'protocol'],
  app: [...BELOW_SERVER, 'telemetry'],
  server: [...BELOW_SERVER, 'app'],
  cli: [...BELOW_SERVER, 'telemetry', 'app', 'server'],
  'index.ts': [...BELOW_SERVER, 'app'],
};

const files = globSync('src/**/*.ts');
const isTest = (file: string): boolean => /\.test\.ts$|contract\.ts$|\/testing\//.test(file);
const sources = files.filter((file) => !isTest(file));
/**
 * The rules of a format are a separate layer (pure, and read by all that shows what they decided), and so are its programs and
 * its views; the tables of all operations have these in them. Its parts of the application and of the command line belong to those.
 */
const layerOf = (file: string): string =>
  /^src\/formats\/(?:[^/]+\/(?=.*\/)|registry\/)(rules|programs|views|app|cli)\b/.exec(file)?.[1] ??
  (/^src\/protocol\/operations\/(access|printed|tokens|views)\.ts$/.test(file) ? 'operations' : undefined) ??
  file.split('/')[1] ??
  '';

const FAMILIES = globSync('src/formats/*/')
  .map((folder) => folder.replaceAll('\\', '/').split('/')[2] ?? '')
  .filter((folder) => folder !== 'registry');
const ANY_FAMILY = FAMILIES.join('|');

function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^\s*(?:import|export)\b[^'"]*?from\s*'([^']+)'|\bimport\('([^']+)'\)/gm)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
}

const localImports = (file: string): readonly string[] =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => normalize(join(dirname(file), name)));

test('the architecture test sees the whole source tree', () => {
  expect(sources.length).toBeGreaterThan(150);
  expect(sources.flatMap(localImports).length).toBeGreaterThan(500);
});

test('imports point inwards', () => {
  const wrong = sources.flatMap((file) => {
    const layer = layerOf(file);
    const allowed = new Set([layer, ...(MAY_IMPORT[layer] ?? [])]);
    return localImports(file)
      .filter((target) => target.startsWith('src/') && !allowed.has(layerOf(target)))
      .map((target) => `${file} → ${target}`);
  });
  expect(wrong).toEqual([]);
});

test('the page imports only itself, core, the wire types, and rules and views of formats', () => {
  const page = globSync('web/**/*.{ts,tsx}').filter((file) => !isTest(file) && !/^web\/(mock|vite)/.test(file));
  expect(page.length).toBeGreaterThan(80);
  const wrong = page.flatMap((file) =>
    localImports(file)
      .filter(
        (target) =>
          !/^(web|src\/core|src\/protocol|src\/formats\/[^/]+\/(rules|views))\//.test(target) ||
          target.startsWith('web/mock/'),
      )
      .map((target) => `${file} → ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('[R5] the page shows what a family has from a folder of it, which its tables alone lead to', () => {
  const page = globSync('web/**/*.{ts,tsx}').filter((file) => !isTest(file) && !/^web\/(mock|vite)/.test(file));
  const isFamily = new RegExp(`^(?:src|web)/formats/(?:${ANY_FAMILY})/`);
  const wrong = page
    .filter((file) => !file.startsWith('web/formats/'))
    .filter((file) => localImports(file).some((target) => isFamily.test(target)));
  expect(wrong).toEqual([]);
});

test('nothing but the page imports the page', () => {
  const wrong = files.flatMap((file) => localImports(file).filter((target) => target.startsWith('web/')));
  expect(wrong).toEqual([]);
});

test('core and the rules of formats name no package and no part of Node', () => {
  const foreign = sources
    .filter((file) => /^(core|rules)$/.test(layerOf(file)))
    .flatMap((file) =>
      importsOf(file)
        .filter((name) => !name.startsWith('.') || !/^src\/(core|formats)\//.test(normalize(join(dirname(file), name))))
        .map((name) => `${file} → ${name}`),
    );
  expect(foreign).toEqual([]);
});

test('a format never imports another one', () => {
  const wrong = sources
    .filter((file) => FAMILIES.includes(file.split('/')[2] ?? '') && file.startsWith('src/formats/'))
    .flatMap((file) => {
      const own = file.split('/')[2] ?? '';
      return localImports(file)
        .filter((target) => target.startsWith('src/formats/') && target.split('/').length > 3)
        .map((target) => target.split('/')[2] ?? '')
        .filter((other) => other !== own && FAMILIES.includes(other))
        .map((other) => `${file} → ${other}`);
    });
  expect(wrong).toEqual([]);
});

const outside = sources.filter((file) => !/^src\/(formats\/|index\.ts$)/.test(file));
const codeOf = (file: string): string => readFileSync(file, 'utf8').replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');

test('[R5] no other layer names a family of workflows', () => {
  expect(FAMILIES).toEqual(expect.arrayContaining(['native', 'phases', 'quest', 'review', 'stages', 'state-machine']));
  // A folder of one, the name where families are told apart, and the names of its programs.
  const names = new RegExp(
    `formats/(?:${ANY_FAMILY})/|\\bfamily\\b[^;\\n]*'(?:${ANY_FAMILY})'|\\bcase '(?:${ANY_FAMILY})'|'(?:${ANY_FAMILY})[.:]\\w`,
  );
  const isNamed = new RegExp(`/(?:${ANY_FAMILY})(?:[.-][^/]*|/.*)?$`);
  expect(outside.length).toBeGreaterThan(500);
  expect(outside.filter((file) => isNamed.test(file) || names.test(codeOf(file)))).toEqual([]);
});

test('[R5] no other layer names a program that workflows of a family call', () => {
  const lowering = sources.filter((file) => /^src\/formats\/[^/]+\/parse\//.test(file)).map(codeOf);
  const programs = lowering.flatMap((text) => [...text.matchAll(/\bprogram: '([^']+)'/g)].map(([, name = '']) => name));
  expect(programs).toEqual(expect.arrayContaining(['phases.decide', 'phases.route']));
  const isProgram = new RegExp(`'(?:${[...new Set(programs)].map((name) => name.replaceAll('.', '\\.')).join('|')})'`);
  expect(outside.filter((file) => isProgram.test(codeOf(file)))).toEqual([]);
  // Those of the engine itself are constants of the core, which several families and the views read.
  const engine = outside.filter((file) => /'step\.(?:begin|collect)'/.test(codeOf(file)));
  expect(engine).toEqual(['src/core/model/step-program.ts']);
  expect(['STEP_BEGIN', 'STEP_COLLECT'].map((name) => familiesThatCall(name).length > 1)).toEqual([true, true]);
});

/** What only one family calls belongs into its folder. */
const familiesThatCall = (constant: string): readonly string[] =>
  FAMILIES.filter((family) =>
    sources.some((file) => file.startsWith(`src/formats/${family}/`) && codeOf(file).includes(`program: ${constant}`)),
  );

test('[R5] no other layer names a view or a command of a family', () => {
  const views = Object.keys(FAMILY_VIEWS);
  const commands = [...FAMILY_STARTS, ...FAMILY_LOOKS].map(({ name }) => name);
  expect([...views, ...commands]).toEqual(expect.arrayContaining(['debate', 'quest']));
  const any = [...new Set([...views, ...commands])].join('|');
  // As a text, a key, a path, or a view of the table.
  const isNamed = new RegExp(`'/?(?:${any})'|^\\s*(?:${any}):|\\bVIEWS\\.(?:${any})\\b`, 'm');
  expect(outside.filter((file) => isNamed.test(codeOf(file)))).toEqual([]);
});

test('[R5] the checks of a project have a name of their own, and only the setting has the word of quests', () => {
  const isSetting =
    /^src\/(?:app\/(?:config|starter)\/|cli\/(?:help-topics|commands\/init)\.ts|protocol\/operations\/printed\.ts|core\/model\/checks-input\.ts)/;
  const wrong = outside.filter(
    (file) => !isSetting.test(file) && /(?<!config)(?:\bward\b(?!"|:)|Ward\b)/.test(namesIn(file)),
  );
  expect(wrong).toEqual([]);
});

/** The code without what people read. */
const namesIn = (file: string): string =>
  codeOf(file)
    .replaceAll(/config\.ward\b/g, '')
    .replaceAll(/'[^'\n]*'/g, "''");

test('[R5] the tables alone lead from the folder of formats into those of families', () => {
  const TABLE = /^src\/formats\/(?:families|generate-schemas)\.ts$/;
  const isFamily = new RegExp(`^src/formats/(?:${ANY_FAMILY})/`);
  const wrong = sources
    .filter((file) => /^src\/formats\/[^/]+$/.test(file) && !TABLE.test(file))
    .filter((file) => localImports(file).some((target) => isFamily.test(target)));
  expect(wrong).toEqual([]);
});

test('[R5] the ready patterns are files alone, and have no folder and no line of code', () => {
  const shipped = globSync('assets/workflows/*.yaml').map((file) => basename(file, '.yaml'));
  // These two are also the names of a state and of a try.
  const patterns = shipped.filter((name) => !/^(?:quest|parallel_review|judge|attempt)$/.test(name));
  expect(patterns).toEqual(expect.arrayContaining(['map_reduce', 'race', 'relay', 'vote']));
  const isNamed = new RegExp(`['"/](?:${patterns.join('|')})['"/.]`);
  const page = globSync('web/**/*.{ts,tsx}').filter((file) => !isTest(file) && !file.startsWith('web/mock'));
  expect([...sources, ...page].filter((file) => isNamed.test(readFileSync(file, 'utf8')))).toEqual([]);
});

test('[R2] only the commands and the parser beside them see what was typed', () => {
  const PARSER =
    /^src\/cli\/(program|command-table|(?:looking|serving)-commands|changes-commands|start-options|invocation|asking)\.ts$/;
  const wrong = sources
    .filter((file) => !/^src\/(cli\/commands\/|formats\/[^/]+\/cli\b)/.test(file) && !PARSER.test(file))
    .flatMap((file) =>
      localImports(file)
        .filter((target) => target === 'src/cli/invocation.ts')
        .map((target) => `${file} → ${target}`),
    );
  expect(wrong).toEqual([]);
  expect(sources.filter((file) => PARSER.test(file))).toHaveLength(8);
});

test('no file is in an import cycle', () => {
  const known = new Set(sources);
  const state = new Map<string, 'open' | 'done'>();
  const cycles: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      cycles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
      return;
    }
    state.set(file, 'open');
    for (const target of importsAtOnce(file)) if (known.has(target)) visit(target, [...trail, file]);
    state.set(file, 'done');
  };
  for (const file of sources) visit(file, []);
  expect(cycles).toEqual([]);
});

/** Imports of types count: two files that need each other are one. What is loaded later does not. */
function importsAtOnce(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^\s*(?:import|export)\b[^'"]*?from\s*'(\.[^']+)'/gm)].map((match) =>
    normalize(join(dirname(file), match[1] ?? '')),
  );
}

test('an exported name is declared once', () => {
  const declared = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(DECLARATION)].map((match) => ({ file, name: match[1] ?? '' })),
  );
  expect(declared.length).toBeGreaterThan(2500);
  const twice = [...Map.groupBy(declared, ({ name }) => name)]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) => `${name}: ${places.map(({ file }) => file).join(', ')}`);
  expect(twice).toEqual([]);
});

const DECLARATION = /^export (?:async )?(?:function|const|class|interface|type|enum)\*? ([A-Za-z_$][\w$]*)/gm;

test('lib has at most a dozen files', () => {
  expect(sources.filter((file) => layerOf(file) === 'lib').length).toBeLessThanOrEqual(12);
});

test('no file is longer than 300 lines of code, and none is a drawer', () => {
  const long = sources.filter((file) => {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.filter((line) => !/^\s*($|\/\/|\/?\*)/.test(line)).length > 300;
  });
  expect(long).toEqual([]);
  const drawers = sources.filter(
    (file) => /\/(utils|types|helpers|index|common)\.ts$/.test(file) && file !== 'src/index.ts',
  );
  expect(drawers).toEqual([]);
});

/** Words that ordinary documentation of the field does without. The number may only fall: lower it with each rewrite. */
const PRIVATE_WORDS =
  /\b(?:told|mend(?:s|ed|ing)?|nobody|whoever|unless given|(?:is|are|was) another|of (?:its|their|your) own|anew|deeds?|stands? still)\b/gi;
const MOST_PRIVATE_WORDS = 62;

test('[R2] documentation, messages and comments have no more private words than before', () => {
  const files = globSync(['src/**/*.ts', 'web/**/*.{ts,tsx}', 'docs/{guide,spec}/*.md', '*.md'])
    .filter((file) => !/\.test\.tsx?$|contract\.ts$|\/testing\/|^CHANGELOG/.test(file))
    .map((file) => readFileSync(file, 'utf8'));
  expect(files.length).toBeGreaterThan(1000);
  const found = files.reduce((sum, text) => sum + (text.match(PRIVATE_WORDS)?.length ?? 0), 0);
  expect(found).toBeLessThanOrEqual(MOST_PRIVATE_WORDS);
});
