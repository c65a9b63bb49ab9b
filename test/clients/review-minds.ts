/** What the models of three clients say in a whole review: what they hear decides which words are said, and without the real diff none are. */

/** How a client names what it can do. */
interface Words {
  readonly desk: (tool: string) => string;
  readonly shell: (command: string) => object;
}

const CLAUDE: Words = {
  desk: (tool) => `mcp__troupe__${tool}`,
  shell: (command) => ({ name: 'Bash', arguments: { command, description: 'A command' } }),
};

const CODEX: Words = {
  desk: (tool) => tool,
  shell: (cmd) => ({ name: 'exec_command', arguments: { cmd } }),
};

/** The model by which each client is known at the wire. */
export const MODELS = { claude: 'claude-one', codex: 'codex-one', acp: 'claude-two' } as const;

export const REVIEW = `name: doubled
implementers: [claude-code, codex, 'acp:claude-agent-acp']
reviewers: [claude-code, codex]
verify: node --test test.mjs
max_rounds: 2
final_rounds: 2
max_revisions: 1
`;

export const TEST = `import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { double } from './double.mjs';
test('doubles', () => assert.equal(double(2), 4));
`;

/** What all of them make of it in the end. */
export const FIXED = `export const double = (n) => {
  if (typeof n !== 'number') throw new TypeError('No number.');
  return n + n;
};
`;

const IMPLEMENTATIONS = [
  { id: 'impl_1', model: MODELS.claude, words: CLAUDE, first: 'export const double = (n) => n + n;' },
  { id: 'impl_2', model: MODELS.codex, words: CODEX, first: '// Twice.\nexport const double = (n) => n * 2;' },
  { id: 'impl_3', model: MODELS.acp, words: CLAUDE, first: '// Two.\n// Times.\nexport const double = (n) => 2 * n;' },
] as const;

const IDS = IMPLEMENTATIONS.map(({ id }) => id);

const CLAIM = 'What is not a number is taken all the same';

/** A line that no file has. */
const NOWHERE = 4711;

export const minds = (): readonly unknown[] => [
  ...reviewer(MODELS.claude, CLAUDE, ['impl_1']),
  ...reviewer(MODELS.codex, CODEX, ['impl_2', 'impl_3']),
  ...IMPLEMENTATIONS.flatMap(implementer),
];

function implementer({ id, model, words, first }: (typeof IMPLEMENTATIONS)[number]): readonly object[] {
  const writes = (content: string) => ({ tools: [words.shell(`cat > double.mjs <<'END'\n${content}END`)] });
  return [
    {
      when: { model, contains: `/The reviewers read your implementation[^]*${claimOn(id)}/` },
      steps: [writes(FIXED), 'It is refused now.'],
    },
    {
      when: { model, contains: 'When you are done the engine runs: node --test test.mjs' },
      steps: [writes(`${first}\n`), 'It is written.'],
    },
  ];
}

function reviewer(model: string, words: Words, finds: readonly string[]): readonly object[] {
  const stances = (stance: string, reason: string) =>
    IDS.map((id, index) => ({ id, given: { finding: `F${index + 1}`, stance, reason } }));
  const others = stances('agree', 'I see it.').filter(({ id }) => !finds.includes(id));
  const mended = stances('fixed', 'It is gone.').map(({ given }) => given);
  const about = (wanted: string, tool: string, given: object) => ({
    when: { model, contains: wanted },
    steps: [handing(words, tool, given), 'That is my word.'],
  });
  const revised = `/\\+  if \\(typeof n !== 'number'\\)[^]*final review after a revision/`;
  const firstReview = reviewOf(finds.map((id) => found(id, lineIn(id))));
  return [
    about(revised, 'hand_in_position', { verdict: 'APPROVE', stances: mended }),
    about('/round 1 of at most 2 of the debate/', 'hand_in_position', {
      verdict: 'REVISE_ALL',
      stances: others.map(({ given }) => given),
    }),
    ...(model === MODELS.codex ? [sloppyAtFirst(firstReview)] : [about(`/${PACK}/`, 'hand_in_review', firstReview)]),
  ];
}

/** Codex looks into the files first, then names a line that does not exist, and corrects it when it hears so. */
const sloppyAtFirst = (corrected: object): object => ({
  when: { model: MODELS.codex, contains: `/${PACK}/` },
  steps: [
    { tools: [CODEX.shell('cat impl_1/double.mjs')] },
    handing(CODEX, 'hand_in_review', reviewOf([found('impl_2', NOWHERE), found('impl_3', lineIn('impl_3'))])),
    handing(CODEX, 'hand_in_review', corrected),
    'That is my word.',
  ],
});

const handing = (words: Words, tool: string, given: object) => ({
  tools: [{ name: words.desk(tool), arguments: { ranking: IDS, ...given } }],
});

const reviewOf = (findings: readonly object[]) => ({
  verdict: 'REVISE_ALL',
  summary: 'None of them looks at what it is given.',
  findings,
});

function escaped(text: string): string {
  return text.replaceAll(/[()*+.?]/g, String.raw`\$&`);
}

/** The evidence and the last line of each implementation as it was really written. */
const PACK = IMPLEMENTATIONS.map(
  ({ id, first }) => `# Implementation ${id}[^]*is green[^]*\\+${escaped(first.split('\n').at(-1) ?? '')}`,
).join('[^]*');

const claimOn = (id: string): string => `${CLAIM}: ${id}`;

const lineIn = (wanted: string): number =>
  IMPLEMENTATIONS.find(({ id }) => id === wanted)?.first.split('\n').length ?? NOWHERE;

const found = (implementation: string, line: number): object => ({
  implementation,
  file: 'double.mjs',
  line,
  severity: 'major',
  priority: 1,
  claim: claimOn(implementation),
  change: 'Throw a TypeError.',
});
