import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

/** Makes a program believe that it runs on an old Node, and takes away what that lacks. */
const OLD_NODE = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.1.0'}});delete process.getBuiltinModule;`;

test.each(['index.js', 'stages.js'])('[R3] on an old Node, %s says which one is needed', (file) => {
  const entry = pathToFileURL(join(import.meta.dirname, '../../dist', file)).href;
  const program = `await import(${JSON.stringify(entry)}).catch(({ message }) => console.log(message))`;
  const words = ['--import', OLD_NODE, '--input-type=module', '-e', program];
  const { stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect(stdout).toBe(
    'NODE_TOO_OLD: Node 24 or newer is needed; this is 20.1.0. ' +
      'Install a newer Node, or add one to the project with: npm install --save-dev node@26\n',
  );
});
