import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { trustProject } from '../workspace/trust.ts';
import { projectTools } from './project-tools.ts';
import { testFolder } from './test-folder.ts';

test("[L8] a project's own tools are not even imported before the user trusts exactly these files", async () => {
  const project = testFolder();
  const home = join(dirname(project), 'home');
  const proof = join(dirname(project), 'imported');
  const source = `import { writeFileSync } from 'node:fs';
    writeFileSync(${JSON.stringify(proof)}, '');
    export const tool = { name: 'own', description: 'Own', repeat: 'safe', parameters: { type: 'object' }, run: () => 'ok' };`;
  const options = { home, project: testFolder({ '.troupe/tools/own.mjs': source }) };
  const names = async () => (await projectTools(options)).tools.map((tool) => tool.spec.name);
  expect(await projectTools(options)).toMatchObject({
    trust: { state: 'untrusted', files: ['.troupe/tools/own.mjs'] },
  });
  expect(await names()).not.toContain('own');
  expect(existsSync(proof)).toBe(false);
  await trustProject(options);
  expect(await names()).toContain('own');
  expect(existsSync(proof)).toBe(true);
  writeFileSync(join(options.project, '.troupe/tools/own.mjs'), `${source} // changed`);
  expect((await projectTools(options)).trust.state).toBe('changed');
  expect(await names()).not.toContain('own');
});
