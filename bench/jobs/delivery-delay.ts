import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openTroupe } from '../../src/app/troupe/open-troupe.ts';
import { report, settings } from '../harness/report.ts';

/** Makes as many files as it is told, two kilobytes each. */
const WRITING = {
  workflow_name: 'writing',
  input: { name: 'count', type: 'string' },
  states: [
    {
      name: 'start',
      action: {
        command: {
          run: "'mkdir -p made && cd made && for i in $(seq ' + common_data.count + '); do mkdir -p $((i % 50)); seq $i $((i + 400)) > $((i % 50))/$i.txt; done'",
        },
      },
      transition: [{ target: 'stop' }],
    },
    { name: 'stop' },
  ],
};

/** How long each kind of delivery takes in one process, and the longest time that it keeps the process from anything else. */
const { folder, files } = settings() as { folder: string; files: number };

const [project, home] = [join(folder, 'project'), join(folder, 'home')];
mkdirSync(join(project, '.troupe/workflows'), { recursive: true });
writeFileSync(join(project, '.troupe/workflows/writing.json'), JSON.stringify(WRITING));
const git = (...words: readonly string[]): unknown => execFileSync('git', words, { cwd: project });
git('init', '-q');
git('add', '.');
git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'one');
const troupe = await openTroupe({ project, home });
const run = await troupe.start('writing', { input: { count: String(files) } });
await run.result();
const targets = [
  { kind: 'branch', name: 'other' },
  { kind: 'patch', file: join(folder, 'made.patch') },
  { kind: 'apply' },
] as const;
const figures: Record<string, number> = {};
for (const to of targets) {
  const delay = monitorEventLoopDelay({ resolution: 2 });
  delay.enable();
  const began = performance.now();
  await run.deliver({ to });
  delay.disable();
  figures[`${to.kind}Ms`] = performance.now() - began;
  figures[`${to.kind}HeldMs`] = delay.max / 1e6;
}
await troupe.close();
report(figures);
