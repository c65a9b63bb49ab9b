import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './sandbox.ts';
import { createSandbox } from './sandbox.ts';

/** One state after the other. */
function longWorkflow(length: number): object {
  const states = Array.from({ length }, (_, at) => ({
    name: at === 0 ? 'start' : `step_${at}`,
    action: { script: '() => {}' },
    transition: [{ target: at === length - 1 ? 'stop' : `step_${at + 1}` }],
  }));
  return { workflow_name: 'long', description: 'Many states', states: [...states, { name: 'stop' }] };
}

test('[U1] output that is longer than a pipe takes at once arrives whole', () => {
  const { project } = createSandbox();
  writeFileSync(join(project, 'long.json'), JSON.stringify(longWorkflow(600)));
  const command = `'${process.execPath}' '${root}/bin/troupe.js' graph long.json --format json | cat`;
  for (let time = 0; time < 3; time += 1) {
    const { stdout, stderr } = spawnSync('sh', ['-c', command], {
      cwd: project,
      encoding: 'utf8',
      maxBuffer: 10_000_000,
    });
    expect(stderr).toBe('');
    expect(stdout.length).toBeGreaterThan(70_000);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'graph', name: 'long' });
  }
});
