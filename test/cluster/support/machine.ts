import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createSandbox, type Running, type Sandbox, type TroupeOptions } from '../../cli/sandbox.ts';

/** A machine with settings of its own and nothing of any project. */
export function machineWith(config: string): Sandbox {
  const machine = createSandbox();
  const folder = join(machine.home, '.config/troupe');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.yaml'), config);
  return machine;
}

export async function startWorker(machine: Sandbox, environment: TroupeOptions['environment']): Promise<Running> {
  const worker = machine.start(['worker', '--slots', '2', '--json'], { environment: environment ?? {} });
  const first = (await worker.lines.next()).value as string | undefined;
  expect(first ?? (await worker.ended).stderr).toContain('worker.started');
  return worker;
}

export async function stopWorkers(workers: readonly Running[]): Promise<void> {
  for (const { child } of workers) child.kill('SIGTERM');
  const ends = await Promise.all(workers.map(({ ended }) => ended));
  expect(ends.map(({ code }) => code)).toEqual(workers.map(() => 0));
}
