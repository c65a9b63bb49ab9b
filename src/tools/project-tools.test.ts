import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { trustProject } from '../workspace/trust.ts';
import { allTools } from './all-tools.ts';
import { projectTools } from './own-tools.ts';
import { call, testFolder } from './testing/test-folder.ts';
import { testSandbox, testToolBox } from './testing/test-sandbox.ts';

const sandbox = testSandbox();

const source = (run: string): string =>
  `import { existsSync, readdirSync } from 'node:fs';
   export const tool = { name: 'own', description: 'Own', repeat: 'safe', parameters: { type: 'object' }, run: () => ${run} };`;

/** A project with one tool, and how often the sandbox was asked for. */
function testProject(run: string) {
  const project = testFolder({ '.troupe/tools/own.mjs': source(run), '.env': 'SECRET=1', 'src/a.ts': '' });
  const home = join(dirname(project), 'home');
  mkdirSync(home);
  const asked = { times: 0 };
  const { ownPackage, environment } = testToolBox(sandbox);
  const counted = () => {
    asked.times += 1;
    return sandbox();
  };
  const options = { home, project, taken: allTools, box: { ownPackage, environment, sandbox: counted } };
  const write = (text: string) => writeFileSync(join(project, '.troupe/tools/own.mjs'), text);
  return { asked, options, write };
}

test("[L8] nothing of a project's own tools runs before the user trusts exactly these files", async () => {
  const { asked, options, write } = testProject("'ok'");
  const names = async () => (await projectTools(options)).tools.map((tool) => tool.spec.name);
  expect(await projectTools(options)).toMatchObject({
    tools: [],
    trust: { state: 'untrusted', files: ['.troupe/tools/own.mjs'] },
  });
  expect(asked.times).toBe(0);
  await trustProject(options);
  expect(await names()).toEqual(['own']);
  expect(asked.times).toBe(1);
  write(`${source("'ok'")} // changed`);
  expect((await projectTools(options)).trust.state).toBe('changed');
  expect(await names()).toEqual([]);
  expect(asked.times).toBe(1);
});

test('[L8] a tool that changes while a run goes on is not run until it is trusted again', async () => {
  const { asked, options, write } = testProject("'old'");
  await trustProject(options);
  const [tool] = (await projectTools(options)).tools;
  if (tool === undefined) throw new Error('no tool was found');
  const folder = testFolder();
  expect((await call(tool, {}, { folder })).content).toBe('old');
  write(source("'new'"));
  const before = asked.times;
  const result = await call(tool, {}, { folder });
  expect(result).toMatchObject({ isError: true, refused: 'TOOL_NOT_TRUSTED' });
  expect(asked.times).toBe(before);
  await trustProject(options);
  expect((await call(tool, {}, { folder })).content).toBe('new');
});

test('[L8] a tool sees its own folder and the workspace, and nothing else of the project', async () => {
  const { options } = testProject(
    `[readdirSync(import.meta.dirname + '/..'), existsSync(import.meta.dirname + '/../../.env'), readdirSync('.')].join(' ')`,
  );
  await trustProject(options);
  const [tool] = (await projectTools(options)).tools;
  if (tool === undefined) throw new Error('no tool was found');
  const folder = testFolder({ 'mine.txt': '' });
  expect(await call(tool, {}, { folder })).toEqual({ content: 'tools false mine.txt', isError: false });
});
