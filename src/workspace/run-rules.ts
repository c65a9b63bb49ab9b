import { readFile, rename, writeFile } from 'node:fs/promises';
import { Fault } from '../core/fault.ts';
import { makeFolder } from '../lib/make-folder.ts';
import { leaveOutBy, readRules, writeRules } from './ignore/frozen-rules.ts';
import type { FrozenRules } from './ignore/frozen-rules.ts';
import { gatherRules } from './ignore/gather-rules.ts';
import type { RulesRequest } from './ignore/gather-rules.ts';
import type { RunPlace } from './run-place.ts';
import type { LeaveOut } from './store/port.ts';

/** What the snapshots of a run leave out: gathered once, and the same for all its workspaces as long as its folder is there. */
export async function runRules(place: RunPlace, request: RulesRequest): Promise<RunRules> {
  const text = await readFile(place.rules, 'utf8').catch(() => null);
  const rules = text === null ? await gatherOnce(place, request) : parse(place.rules, text);
  return { rules, leaveOut: leaveOutBy(rules) };
}

export interface RunRules {
  readonly rules: FrozenRules;
  readonly leaveOut: LeaveOut;
}

async function gatherOnce(place: RunPlace, request: RulesRequest): Promise<FrozenRules> {
  const rules = await gatherRules(request);
  makeFolder(place.base, 0o700);
  const partial = `${place.rules}.${process.pid}~`;
  await writeFile(partial, writeRules(rules), { mode: 0o600 });
  await rename(partial, place.rules);
  return rules;
}

function parse(path: string, text: string): FrozenRules {
  try {
    return readRules(text);
  } catch (cause) {
    throw new Fault('WORKSPACE_RULES_DAMAGED', `What this run's snapshots leave out cannot be read: ${path}.`, {
      hint: 'Remove the file; the rules are then taken from what the run began with.',
      cause,
    });
  }
}
