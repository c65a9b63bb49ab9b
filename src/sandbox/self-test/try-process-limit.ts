import type { Sandbox } from '../port.ts';

/** Whether a command that starts many processes is stopped at the limit, and not long before. */
export async function processLimitWorks(sandbox: Sandbox): Promise<boolean> {
  const script = `i=0; while [ $i -lt ${LIMIT * 2} ]; do sleep 30 & i=$((i+1)); echo $i; done`;
  const result = await sandbox.run(['/bin/sh', '-c', script], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    folders: [],
    hidden: [],
    network: false,
    timeoutMs: 10_000,
    limits: { processes: LIMIT },
  });
  const started = Number(result.output.trim().split('\n').at(-1));
  return started > LIMIT / 3 && started <= LIMIT;
}

const LIMIT = 30;
