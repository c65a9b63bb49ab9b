import type { Pool } from 'pg';

import { needsOfLane } from './lanes.ts';

/**
 * DBOS would take entries from all lanes by chance. A lane that this worker cannot serve is left to others; of the rest, only those
 * are looked at whose next entry has the lowest priority, so that priorities count across projects.
 */
export async function chooseLanes(pool: Pool, offers: ReadonlySet<string>): Promise<void> {
  const { DBOSExecutor } = await import('@dbos-inc/dbos-sdk/internal/dbos-executor');
  const database = DBOSExecutor.globalInstance?.systemDatabase;
  if (database === undefined) return;
  const lanes = database.getQueuePartitions.bind(database);
  database.getQueuePartitions = async (queue) => {
    const served = (await lanes(queue)).filter((key) => needsOfLane(key).every((need) => offers.has(need)));
    return served.length < 2 ? served : await firstLanes(pool, queue, served);
  };
}

async function firstLanes(pool: Pool, queue: string, lanes: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<LaneHead>(HEADS, [queue, lanes]);
  const best = Math.min(...rows.map(({ priority }) => priority ?? Infinity));
  return rows.flatMap(({ lane, priority }) => (priority === best ? [lane] : []));
}

interface LaneHead {
  readonly lane: string;
  /** Null where its last entry was just taken. */
  readonly priority: number | null;
}

const HEADS = `
  select lane, (
    select priority from dbos.workflow_status
    where queue_name = $1 and status = 'ENQUEUED' and queue_partition_key = lane order by priority limit 1) as priority
  from unnest($2::text[]) lane`;
