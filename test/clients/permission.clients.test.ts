import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { RunView } from '../../src/protocol/run-view.ts';
import { TWO_STEPS } from '../cli/projects.ts';
import { jsonLines } from '../cli/sandbox.ts';
import { clientProject } from './client-project.ts';
import { processesWith } from './client-rig.ts';
import { findClient } from './find-client.ts';

// Large programs, on machines that may be busy with others.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const client = findClient('claude');
const touch = { name: 'Bash', arguments: { command: 'touch b.txt', description: 'A command' } };

const SPOKEN = [
  { when: { contains: 'And now in one word.' }, reply: 'Done.' },
  { when: { contains: 'Touch it' }, steps: [{ say: 'I touch it.', tools: [touch] }, 'Tried.'] },
];

const FILES = {
  '.troupe/roles/roles.json': JSON.stringify({
    worker: { level: 'base', systemMessage: 'You work.', ask: ['execute_terminal'], actor: 'claude-code' },
  }),
  '.troupe/workflows/two_steps.json': JSON.stringify(TWO_STEPS),
};

describe.skipIf(client.isMissing)(`a person and the real client ${client.title}`, () => {
  test.each([
    ['yes', true],
    ['no', false],
  ])(
    '[L10] [L6] what it may not do by itself is asked of a person, who says %s when its program is long gone',
    async (answer, isAllowed) => {
      const { troupe } = await clientProject(client, FILES, SPOKEN);
      const asked = await troupe(['run', 'two_steps', 'Touch it', '--json', '--no-input']);
      expect(asked).toMatchObject({ code: 3, stderr: expect.stringContaining('touch b.txt') });
      const run = String(jsonLines(asked.stdout).at(-1)?.['run']);
      const session = jsonLines(asked.stdout).find(({ kind }) => kind === 'session.noted')?.['session'];
      expect(processesWith(String(session))).toEqual([]);

      const answered = await troupe(['answer', run, answer, '--json', '--no-input']);
      expect(jsonLines(answered.stdout).at(-1)).toMatchObject({ outcome: 'ok' });
      const view = JSON.parse((await troupe(['show', run, '--json'])).stdout) as RunView;
      expect(existsSync(join(view.folder ?? '', 'b.txt'))).toBe(isAllowed);
      expect(view.agents).toMatchObject([{ agent: 'worker', session, denials: isAllowed ? [] : ['Bash touch b.txt'] }]);
    },
  );
});
