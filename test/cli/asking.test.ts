import { expect, test } from 'vitest';
import { scriptedProject } from './projects.ts';
import { hasTerminal, typed } from './typed.ts';

const QUESTION =
  'Which of these colours shall the front door of the house have, given that the walls are grey and that the neighbours have complained about them twice?';

const asking = (choices: readonly string[]): string => `import { defineWorkflow } from 'troupe';
export const asking = defineWorkflow({
  name: 'asking', output: 'colour', data: { colour: '' },
  states: {
    start: {
      work: { kind: 'ask', question: ${JSON.stringify(`'${QUESTION}'`)}, choices: ${JSON.stringify(choices)} },
      transitions: [{ target: 'done', assign: 'this.common_data.colour = result' }],
    },
    done: { kind: 'end' },
  },
});
`;

/** Runs it in a terminal of 80 columns, types when it is asked, and gives back what was on the screen, without escapes. */
async function answered(source: string, keys: string): Promise<string> {
  const sandbox = scriptedProject({ 'asking.ts': source });
  const screen = await typed(sandbox, { words: 'run asking.ts', columns: 80, when: 'Your answer to q1', keys });
  // oxlint-disable-next-line no-control-regex -- escapes are what it takes out
  return screen.replaceAll(/\u001B\[[0-9;?]*[A-Za-z]/g, '').replaceAll('\r', '');
}

test.skipIf(!hasTerminal).each([
  ['in words', [], 'blue\r', 'blue'],
  ['by choosing', ['red', 'green'], '\u001B[B\r', 'green'],
])('[U1] in 80 columns a long question stands once, cut between words, and is answered %s', async (...given) => {
  const [, choices, keys, answer] = given;
  const screen = await answered(asking(choices), keys);
  expect(screen.match(/neighbours/g)).toHaveLength(1);
  const words = screen.slice(screen.indexOf('[question q1]'), screen.indexOf('twice?') + 'twice?'.length).split('\n');
  expect(words.length).toBeGreaterThan(1);
  for (const line of words) expect(line.length).toBeLessThanOrEqual(80);
  expect(words.map((line) => line.trim()).join(' ')).toBe(`[question q1] ${QUESTION}`);
  expect(screen).toContain(`\n${answer}\n✓ ok after`);
});
