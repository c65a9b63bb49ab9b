import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { root } from './sandbox.ts';
import { createSandbox } from './sandbox.ts';

test('[U1] output that is longer than a pipe takes at once arrives whole', () => {
  const { project } = createSandbox();
  const command = `'${process.execPath}' '${root}/bin/troupe.js' graph parallel_review --format json | cat`;
  for (let time = 0; time < 3; time += 1) {
    const { stdout } = spawnSync('sh', ['-c', command], { cwd: project, encoding: 'utf8', maxBuffer: 10_000_000 });
    expect(stdout.length).toBeGreaterThan(70_000);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'graph', name: 'parallel_review' });
  }
});
