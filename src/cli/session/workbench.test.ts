import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runId } from '../../core/ids.ts';
import { writeFiles } from '../../workspace/test-project.ts';
import type { WorkspaceSettings } from '../../workspace/port.ts';
import { configOf } from './testing/config-of.ts';
import { createWorkbench } from './workbench.ts';

function testBench(settings: WorkspaceSettings) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'workbench-')));
  const [home, project] = [join(base, 'home'), join(base, 'project')];
  for (const folder of [home, project]) mkdirSync(folder);
  const config = configOf(settings);
  const bench = createWorkbench({ home, project, config, environment: process.env });
  onTestFinished(async () => {
    await bench.close();
    rmSync(base, { recursive: true, force: true });
  });
  return { bench, home, project };
}
