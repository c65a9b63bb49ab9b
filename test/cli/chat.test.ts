import { expect, test } from 'vitest';
import { scriptedProject } from './projects.ts';
import { jsonLines } from './sandbox.ts';

const ANSWERS = `
rules:
  - when: { state: start }
    reply: A long answer.
  - when: { state: again }
    reply: Done.
  - when: { role: worker, contains: more }
    reply: I still know what was said.
  - when: { role: worker }
    reply: The worker speaks.
  - reply: The assistant speaks.
`;

const project = () => scriptedProject({ 'answers.yaml': ANSWERS });

test('[SM10] every line of a pipe is a message, and every reply a line', async () => {
  const result = await project().troupe(['chat'], { stdin: 'Hello\nHello again\n' });
  expect(result).toMatchObject({ code: 0, stdout: 'The assistant speaks.\nThe assistant speaks.\n' });
});

test('[SM10] /role changes whom one talks to', async () => {
  const result = await project().troupe(['chat', '--json'], { stdin: '/role worker\nHello\n/role nobody\n/role\n' });
  const [reply] = jsonLines(result.stdout.split('\n')[0] ?? '');
  expect(reply).toMatchObject({ kind: 'chat.reply', role: 'worker', text: 'The worker speaks.' });
  expect(result.stderr).toContain('There is no role nobody');
  expect(result.stdout).toContain('worker *');
});

test('[SM10] /workflow runs a workflow beside the chat, and alone lists them', async () => {
  const result = await project().troupe(['chat'], {
    stdin: '/workflow\n/workflow two_steps "Do it"\n/workflow nothing\n',
  });
  expect(result.code).toBe(0);
  expect(result.stdout).toMatch(/^two_steps\s+project/m);
  expect(result.stdout).toContain('Done.');
  expect(result.stderr).toContain('WORKFLOW_UNKNOWN');
});

test('[SM10] a chat is kept: it is listed, and goes on where it was', async () => {
  const sandbox = project();
  await sandbox.troupe(['chat', '--role', 'worker'], { stdin: 'Hello\n/exit\nnever read\n' });
  expect((await sandbox.troupe(['chat', '--list'])).stdout).toMatch(/open/);
  const resumed = await sandbox.troupe(['chat', '--resume'], { stdin: 'Say more\n' });
  expect(resumed.stderr).toContain('you: Hello');
  expect(resumed.stdout).toBe('I still know what was said.\n');
  const { stdout } = await sandbox.troupe(['show', 'last', '--json']);
  const view = JSON.parse(stdout) as {
    readonly contexts: readonly { readonly messages: readonly { readonly content: string }[] }[];
  };
  expect(view.contexts[0]?.messages.map((message) => message.content)).toEqual([
    'Hello',
    'The worker speaks.',
    'Say more',
    'I still know what was said.',
  ]);
});

test('[SM10] a chat greets, bears what was said first as its title, and leaves nothing when nothing was said', async () => {
  const sandbox = project();
  const silent = await sandbox.troupe(['chat'], { stdin: '/role worker\n/exit\n' });
  expect(silent.stderr).toContain('You are talking to assistant, model base (scripted). /help');
  expect(silent.stderr).not.toContain('This chat is saved');
  expect((await sandbox.troupe(['list'])).stdout).toBe('');
  await sandbox.troupe(['chat'], { stdin: 'What is a journal?\n' });
  expect((await sandbox.troupe(['list'])).stdout).toMatch(/waiting|stopped/);
  expect((await sandbox.troupe(['list'])).stdout).toContain('What is a journal?');
});

test('[SM10] /help tells the commands, and an unknown one is not sent to the model', async () => {
  const result = await project().troupe(['chat'], { stdin: '/help\n/hlep\n' });
  expect(result.stdout).toContain('/workflow');
  expect(result.stdout).not.toContain('speaks');
  expect(result.stderr).toContain('/hlep');
});

test('[SM10] a model that fails is reported, and the chat goes on', async () => {
  const sandbox = scriptedProject({
    'answers.yaml': 'rules:\n  - when: { contains: break }\n    reply: { status: 401 }\n  - reply: Fine.\n',
  });
  const result = await sandbox.troupe(['chat'], { stdin: 'break\nHello\n' });
  expect(result).toMatchObject({ code: 0, stdout: 'Fine.\n' });
  expect(result.stderr).toContain('401');
});

test('[U5] a role whose model has no price cannot be talked to within a limit in USD', async () => {
  const sandbox = scriptedProject({
    'answers.yaml': ANSWERS,
    '.troupe/config.yaml': [
      'models:',
      '  base: { provider: scripted, scenario: answers.yaml }',
      '  smart: { provider: openai-compatible, base_url: "http://127.0.0.1:9/v1", model: any }',
      'limits: { max_usd: 1 }',
      '',
    ].join('\n'),
    '.troupe/roles/roles.json': JSON.stringify({ worker: { level: 'smart', systemMessage: 'You work.' } }),
  });
  const result = await sandbox.troupe(['chat'], { stdin: '/role worker\nHello\n' });
  expect(result.stderr).toContain('PRICE_MISSING');
  expect(result.stdout).toBe('The assistant speaks.\n');
  expect((await sandbox.troupe(['chat', '--role', 'worker'])).code).toBe(2);
});

test('[PH3] in a chat a tool that needs a word is answered by the next line, and what it changed is reported at the end', async () => {
  const sandbox = scriptedProject({
    '.troupe/roles/roles.json': JSON.stringify({ worker: { level: 'base', systemMessage: 'x', ask: ['write_file'] } }),
    'answers.yaml': `
rules:
  - steps:
      - tools: [{ name: write_file, arguments: { path: made.txt, content: x } }]
      - say: Written.
`,
  });
  const chat = await sandbox.troupe(['chat', '--role', 'worker'], { stdin: 'Write it\nperhaps\nyes\n' });
  expect(chat).toMatchObject({ code: 0, stdout: 'Written.\n' });
  expect(chat.stderr).toContain('worker wants to use write_file');
  expect(chat.stderr).toContain('(yes, no, always)');
  expect(chat.stderr).toMatch(/It changed files: troupe diff \w+/);
  expect((await sandbox.troupe(['diff', 'last', '--stat'])).stdout).toContain('A  made.txt');
});
