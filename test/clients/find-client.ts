import { resolveClaude } from '../../src/actors/clients/claude/probe-claude.ts';
import { CLIENTS, clientProgram, type ClientUnderTest } from './client-cache.ts';

/** A real client for tests. Where it is not installed they are to be skipped, under a title that says so. */
export interface FoundClient {
  readonly isMissing: boolean;
  /** Without the scripts around it; empty where it is missing. */
  readonly program: string;
  readonly title: string;
}

export function findClient(name: ClientUnderTest): FoundClient {
  const { package: wanted, version } = CLIENTS[name];
  const path = clientProgram(name);
  if (path === null) return { isMissing: true, program: '', title: `${wanted} ${version}, which is not installed` };
  const program = name === 'claude' ? resolveClaude(path).path : path;
  return { isMissing: false, program, title: `${wanted} ${version}` };
}
