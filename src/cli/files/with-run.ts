import { existsSync } from 'node:fs';
import type { RunInfo } from '../../journal/port.ts';
import type { Invocation } from '../command-spec.ts';
import { word } from '../invocation.ts';
import { prepareDriving, withDriving, type Driving, type Purpose } from '../session/driving.ts';
import { findRun } from '../session/find-run.ts';
import { refuseChild } from '../session/root-run.ts';
import { withStore } from '../session/store.ts';

/** Opens a run with the settings of its own project, from wherever the command was given. */
export async function withRun<Result>(
  invocation: Invocation,
  work: (driving: Driving, info: RunInfo) => Promise<Result>,
  purpose: Purpose = 'look',
): Promise<Result> {
  const { terminal } = invocation;
  const named = word(invocation, 0) ?? 'last';
  const info = await withStore(terminal, ({ journal }) => findRun(journal, named, terminal.folder));
  refuseChild(info.run);
  const folder = existsSync(info.project) ? info.project : terminal.folder;
  const prepared = await prepareDriving({ ...invocation, terminal: { ...terminal, folder } }, purpose);
  return await withDriving(invocation, prepared, (driving) => work(driving, info));
}
