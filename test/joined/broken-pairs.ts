/** Two patches that each pass the project's test alone and break it together, with no line in common. */
export interface BrokenPair {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly ann: Readonly<Record<string, string>>;
  readonly bob: Readonly<Record<string, string>>;
}

/** The test of all of them. */
export const TEST_COMMAND = 'node test.mjs';

const HEAD = "import { strict as assert } from 'node:assert';\nimport { readdirSync, readFileSync } from 'node:fs';\n";

/** Loads every module: a missing export or a thrown error is red. */
const LOADS_ALL = `${HEAD}for (const name of readdirSync('src')) await import('./src/' + name);\n`;

/** Reads every entry of `data` and asserts something about all of them. */
const reads = (claim: string): string =>
  `${HEAD}const all = readdirSync('data').map((name) => JSON.parse(readFileSync('data/' + name, 'utf8')));\n${claim}\n`;

export const BROKEN_PAIRS: readonly BrokenPair[] = [
  {
    name: 'a renamed function and a new caller of its old name',
    files: {
      'test.mjs': LOADS_ALL,
      'src/math.mjs': 'export const add = (a, b) => a + b;\n',
      'src/main.mjs': "import { add } from './math.mjs';\nadd(1, 2);\n",
    },
    ann: {
      'src/math.mjs': 'export const sum = (a, b) => a + b;\n',
      'src/main.mjs': "import { sum } from './math.mjs';\nsum(1, 2);\n",
    },
    bob: { 'src/report.mjs': "import { add } from './math.mjs';\nadd(3, 4);\n" },
  },
  {
    name: 'a new required parameter and a call without it',
    files: {
      'test.mjs': LOADS_ALL,
      'src/greet.mjs': "export const greet = (name) => 'Hello ' + name.trim();\n",
      'src/main.mjs': "import { greet } from './greet.mjs';\ngreet('ann');\n",
    },
    ann: {
      'src/greet.mjs':
        "export const greet = (name, { lang }) => (lang === 'de' ? 'Hallo ' : 'Hello ') + name.trim();\n",
      'src/main.mjs': "import { greet } from './greet.mjs';\ngreet('ann', { lang: 'en' });\n",
    },
    bob: { 'src/welcome.mjs': "import { greet } from './greet.mjs';\ngreet('bob');\n" },
  },
  {
    name: 'a changed unit and a new user of the old one',
    files: {
      'test.mjs': `${HEAD}for (const name of readdirSync('src')) assert.equal((await import('./src/' + name)).cents ?? 250, 250);\n`,
      'src/price.mjs': 'export const price = () => 250;\nexport const cents = price();\n',
    },
    ann: { 'src/price.mjs': 'export const price = () => 2.5;\nexport const cents = price() * 100;\n' },
    bob: { 'src/bill.mjs': "import { price } from './price.mjs';\nexport const cents = price();\n" },
  },
  {
    name: 'the same number given twice',
    files: {
      'test.mjs': reads('assert.equal(new Set(all.map(({ id }) => id)).size, all.length);'),
      'data/first.json': '{"id": 1}\n',
    },
    ann: { 'data/ann.json': '{"id": 2}\n' },
    bob: { 'data/bob.json': '{"id": 2}\n' },
  },
  {
    name: 'a limit that both stay below alone',
    files: {
      'test.mjs': reads('assert.ok(all.reduce((sum, { size }) => sum + size, 0) <= 10);'),
      'data/first.json': '{"size": 3}\n',
    },
    ann: { 'data/ann.json': '{"size": 5}\n' },
    bob: { 'data/bob.json': '{"size": 4}\n' },
  },
  {
    name: 'a stricter rule and an entry of the old kind',
    files: {
      'test.mjs': `${reads("const { strict } = JSON.parse(readFileSync('rules.json', 'utf8'));")}assert.ok(!strict || all.every(({ owner }) => owner));\n`,
      'rules.json': '{"strict": false}\n',
      'data/first.json': '{"owner": "ann"}\n',
    },
    ann: { 'rules.json': '{"strict": true}\n' },
    bob: { 'data/second.json': '{"title": "no owner"}\n' },
  },
];
