import { expect, test } from 'vitest';
import { createSandbox, jsonLines, type Sandbox } from './sandbox.ts';

/** Everybody who is asked wants to know something, so a quest that begins waits at once. */
const ASKS = {
  rules: [
    {
      when: { role: 'chaoswhisperer' },
      reply: {
        tools: [
          {
            name: 'signal_back',
            arguments: { stepId: 'requirements', signal: 'needs-user-input', question: 'Which?', context: 'c' },
          },
        ],
      },
    },
  ],
};

const project = (ward: string, files: Readonly<Record<string, string>> = {}): Sandbox =>
  createSandbox({
    '.troupe/config.yaml': `models:\n  base: { provider: scripted, scenario: answers.yaml }\n${ward}`,
    'answers.yaml': JSON.stringify(ASKS),
    'readme.txt': 'a sample\n',
    ...files,
  });

test('[Q6] Ward that is plainly not there is reported before there is a run, with the file that names it', async () => {
  const sandbox = project('ward: [no-such-program --all, test -e readme.txt]\n');
  const { code, stderr } = await sandbox.troupe(['run', 'quest', 'Greet people']);
  expect(code).toBe(2);
  expect(stderr).toContain('WARD_UNUSABLE');
  expect(stderr).toContain('.troupe/config.yaml  WARD_UNUSABLE  `no-such-program --all`: there is no program');
  expect(JSON.parse((await sandbox.troupe(['list', '--json'])).stdout)).toMatchObject({ items: [] });
  const given = await project('').troupe(['run', 'quest', 'Greet', '--input', 'ward=["no-such-program"]']);
  expect(given).toMatchObject({ code: 2, stderr: expect.stringContaining('--input ward  WARD_UNUSABLE') });
});

test('[Q6] Ward that turns out not to be there ends the quest before anybody is paid', async () => {
  const sandbox = project("ward: ['sh -c no-such-linter']\n");
  const { code, stdout } = await sandbox.troupe(['run', 'quest', 'Greet people', '--json', '--no-input']);
  expect(code).toBe(1);
  const settled = jsonLines(stdout).at(-1);
  expect(settled).toMatchObject({ outcome: 'failed', failure: { code: 'WARD_UNUSABLE' }, usage: { calls: 0 } });
  expect(JSON.stringify(settled)).toContain('`sh -c no-such-linter` (from .troupe/config.yaml)');
});

test('[Q6] Ward that is red before the quest begins is a notice, and the quest begins', async () => {
  const sandbox = project("ward: ['echo one left; test -e later.txt']\n");
  const { code, stdout, stderr } = await sandbox.troupe(['run', 'quest', 'Greet people', '--no-input']);
  expect(code).toBe(3);
  expect(`${stdout}${stderr}`).toMatch(/\[notice\] Ward is red on the untouched project: .*one left/);
  expect((await sandbox.troupe(['quest', 'show'])).stdout).toContain('Ward is red on the untouched project');
});
