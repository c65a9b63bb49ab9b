import type { BodyHash } from '../../core/model/ids.ts';
import type { Json } from '../../core/model/json.ts';
import type { Journal } from '../../journal/port.ts';
import type { Tool } from '../../tools/port.ts';
import { toRecord, withRecorded, type RecordedTool } from '../../tools/recorded-tools.ts';
import { usableTools } from '../../tools/tools-for.ts';
import type { World } from '../world.ts';
import { redacted } from './redacted-step.ts';

/** Stores the tools that a new run may offer, once per home for all runs with the same tools; undefined if there are none. */
export async function recordTools({ journal, secrets, tools, services }: World): Promise<BodyHash | undefined> {
  const record = toRecord(usableTools(tools, services));
  return record.length === 0 ? undefined : await journal.putBody(redacted(secrets, record) as unknown as Json);
}

/** The tools of a run, from its first record. */
export async function toolsOfRun(place: ToolPlace, hash: BodyHash | null): Promise<readonly Tool[]> {
  const { tools } = place;
  if (hash === null) return tools;
  const known = KNOWN.get(tools) ?? new Map<BodyHash, Promise<readonly Tool[]>>();
  KNOWN.set(tools, known);
  const found = known.get(hash) ?? read(place, hash);
  known.set(hash, found);
  found.catch(() => known.delete(hash));
  return await found;
}

interface ToolPlace {
  readonly journal: Pick<Journal, 'getBody'>;
  readonly tools: readonly Tool[];
}

/** Runs with the same tools share one list: the specs that roles are offered are made once for each. */
const KNOWN = new WeakMap<readonly Tool[], Map<BodyHash, Promise<readonly Tool[]>>>();

async function read({ journal, tools }: ToolPlace, hash: BodyHash): Promise<readonly Tool[]> {
  return withRecorded(tools, (await journal.getBody(hash)) as unknown as readonly RecordedTool[]);
}
